// SPDX-License-Identifier: Apache-2.0
// ModelProto, OperatorSetIdProto, FunctionProto, StringStringEntryProto.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "onnx/parse/parse.h"

namespace ridge::onnx {
namespace {

/// The current IR version is 14; the meaning of a far newer version is unknown.
constexpr std::int64_t kLastIrVersion = 999;
constexpr std::int64_t kLastOpset = 0x7fffffff;

}  // namespace

Model Parser::model() {
  namespace f = proto::model;
  Model model;
  WireReader::Counts counts = in_->count();
  const bool has_graph = counts[proto::number(f::kGraph)] > 0;
  List<OperatorSet> opsets(*this, counts, f::kOpsetImport, model.opsets);
  List<Function> functions(*this, counts, f::kFunction, model.functions);
  List<Property> metadata(*this, counts, f::kMetadata, model.metadata);
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kIrVersion:
        model.ir_version = static_cast<std::int64_t>(field.value);
        break;
      case f::kProducerName:
        model.producer_name = name(field);
        break;
      case f::kProducerVersion:
        model.producer_version = name(field);
        break;
      case f::kGraph:
        singular(counts, field, "GraphProto", [&] { model.graph = graph(); });
        if (in_->failed()) blame("graph", 0, field, proto::graph::kName);
        break;
      case f::kOpsetImport:
        opset_item(opsets, field);
        break;
      case f::kFunction:
        item(functions, field, "FunctionProto", "function", proto::function::kName,
             [&] { return function(); });
        break;
      case f::kMetadata:
        property_item(metadata, field);
        break;
      default:
        break;
    }
  }
  if (in_->failed()) return model;
  if (!has_graph) {
    fail(input_error("RIDGE-ONNX-0201", "the model has no graph")
             .hint("the file is truncated, or not an ONNX model (a .pb file of test data holds a "
                   "tensor)"));
    return model;
  }
  check_model(model);
  model.checksums = arena_.copy(checksums_);
  return model;
}

void Parser::check_model(const Model& model) {
  if (model.ir_version < 1 || model.ir_version > kLastIrVersion) {
    fail(input_error("RIDGE-ONNX-0202",
                     model.ir_version == 0 ? std::string("ir_version is missing")
                                           : fmt::format("invalid IR version {}", model.ir_version))
             .hint("the file is truncated, or not an ONNX model"));
    return;
  }
  // Before IR version 3, models imported version 1 of the operator set implicitly.
  if (model.opsets.empty() && model.ir_version >= 3) {
    fail(input_error("RIDGE-ONNX-0203",
                     "opset_import is missing, so the operator versions are unknown")
             .hint("the file is truncated, or was written by a tool that left it out; export it "
                   "again"));
    return;
  }
  std::vector<OperatorSet> sorted(model.opsets.begin(), model.opsets.end());
  std::ranges::sort(sorted, {},
                    [](const OperatorSet& o) { return std::pair(o.domain, o.version); });
  const auto clash = std::ranges::adjacent_find(sorted, [](const auto& a, const auto& b) {
    return a.domain == b.domain && a.version != b.version;
  });
  if (clash != sorted.end()) {
    fail(input_error("RIDGE-ONNX-0205",
                     fmt::format("opset_import has domain '{}' with versions {} and {}",
                                 clash->domain, clash->version, std::next(clash)->version))
             .hint("export the model again, with one version per domain"));
  }
}

OperatorSet Parser::operator_set() {
  OperatorSet set;
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case proto::opset::kDomain:
        set.domain = domain(field);
        break;
      case proto::opset::kVersion:
        set.version = static_cast<std::int64_t>(field.value);
        break;
      default:
        break;
    }
  }
  if (!in_->failed() && (set.version < 1 || set.version > kLastOpset)) {
    fail(input_error("RIDGE-ONNX-0204", fmt::format("invalid operator set version {}", set.version))
             .hint("the file is damaged; export it again"));
  }
  return set;
}

Function Parser::function() {
  namespace f = proto::function;
  Function function;
  const WireReader::Counts counts = in_->count();
  List<std::string_view> inputs(*this, counts, f::kInput, function.inputs);
  List<std::string_view> outputs(*this, counts, f::kOutput, function.outputs);
  List<std::string_view> attributes(*this, counts, f::kAttribute, function.attributes);
  List<Attribute> defaults(*this, counts, f::kAttributeProto, function.default_attributes);
  List<Node> nodes(*this, counts, f::kNode, function.nodes);
  List<OperatorSet> opsets(*this, counts, f::kOpsetImport, function.opsets);
  List<ValueInfo> infos(*this, counts, f::kValueInfo, function.value_info);
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kName:
        function.name = name(field);
        break;
      case f::kDomain:
        function.domain = domain(field);
        break;
      case f::kOverload:
        function.overload = name(field);
        break;
      case f::kInput:
        inputs.add(name(field));
        break;
      case f::kOutput:
        outputs.add(name(field));
        break;
      case f::kAttribute:
        attributes.add(name(field));
        break;
      case f::kAttributeProto:
        attribute_item(defaults, field);
        break;
      case f::kNode:
        node_item(nodes, field);
        break;
      case f::kOpsetImport:
        opset_item(opsets, field);
        break;
      case f::kValueInfo:
        value_item(infos, field, "value_info");
        break;
      default:
        break;
    }
  }
  if (!in_->failed() && function.name.empty()) {
    fail(input_error("RIDGE-ONNX-0206", "the function has no name").hint("export the model again"));
  }
  return function;
}

Property Parser::property() {
  Property property;
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case proto::entry::kKey:
        property.key = name(field);
        break;
      case proto::entry::kValue:
        property.value = text(field);
        break;
      default:
        break;
    }
  }
  return property;
}

}  // namespace ridge::onnx
