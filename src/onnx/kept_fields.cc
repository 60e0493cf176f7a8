// SPDX-License-Identifier: Apache-2.0
#include "onnx/kept_fields.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "onnx/annotate.h"
#include "onnx/wire.h"

namespace ridge::onnx {
namespace {

constexpr proto::Tag kAnnotation = proto::bytes(14);  // GraphProto.quantization_annotation
constexpr proto::Tag kAnnotated = proto::bytes(1);    // TensorAnnotation.tensor_name
constexpr std::size_t kLongestFound = 120;            // WireReader::find_text cuts longer texts

template <std::size_t N>
bool one_of(proto::Tag tag, const std::array<proto::Tag, N>& tags) {
  return std::ranges::find(tags, tag) != tags.end();
}

constexpr std::array kModel = {proto::model::kIrVersion,       proto::model::kProducerName,
                               proto::model::kProducerVersion, proto::model::kGraph,
                               proto::model::kOpsetImport,     proto::model::kMetadata,
                               proto::model::kFunction};
constexpr std::array kNode = {
    proto::node::kInput,  proto::node::kOutput,   proto::node::kName,      proto::node::kOpType,
    proto::node::kDomain, proto::node::kOverload, proto::node::kAttribute, proto::node::kMetadata};
constexpr std::array kValue = {proto::value_info::kName, proto::value_info::kType};
/// Numbers of the TensorProto's fields that are kept: doc_string and metadata_props.
constexpr std::array kTensor = {proto::bytes(12), proto::bytes(16)};

/// The field with its tag; `in` stands behind its header.
KeptFields::Range range_of(const WireReader& in, const Field& field) {
  const bool nested = (field.tag & 7U) == 2;
  const std::int64_t end = nested ? field.payload + field.length() : in.position();
  return {field.at, end - field.at};
}

bool reads_other_files(std::span<const Node> nodes) {
  Model model;
  model.graph.nodes = nodes;
  return !external_locations(model).empty();
}

}  // namespace

Result<KeptFields> KeptFields::of(const Document& document) {
  KeptFields out(document);
  if (document.file == nullptr) return out;
  WireReader in(*document.file);
  Field field;
  while (in.next(field)) {
    if (field.tag == proto::model::kGraph) {
      const Message message(in, field, "GraphProto");
      out.read_graph(in);
    } else if (field.tag == proto::model::kFunction) {
      out.functions_.push_back(range_of(in, field));
    } else if (!one_of(field.tag, kModel)) {
      out.model_.push_back(range_of(in, field));
    }
  }
  if (in.failed()) return in.take_error();
  const Graph& graph = document.model.graph;
  if (out.nodes_.size() != graph.nodes.size() || out.tensors_ != graph.initializers.size() ||
      out.functions_.size() != document.model.functions.size())
    return input_error("RIDGE-ONNX-0412", "the file changed while it was read")
        .hint("run it again when nothing writes the file");
  for (const Function& f : document.model.functions)
    if (reads_other_files(f.nodes)) out.functions_.clear();
  out.index_nodes();
  return out;
}

void KeptFields::read_graph(WireReader& in) {
  namespace f = proto::graph;
  const Graph& graph = document_->model.graph;
  Field field;
  while (in.next(field)) {
    switch (field.tag) {
      case f::kNode:
        read_node(in, field);
        break;
      case f::kInput:
        read_value(in, field, graph.inputs, inputs_++);
        break;
      case f::kOutput:
        read_value(in, field, graph.outputs, outputs_++);
        break;
      case f::kValueInfo:
        read_value(in, field, graph.value_info, inner_++);
        break;
      case f::kInitializer: {
        const std::size_t index = tensors_++;
        const Message message(in, field, "TensorProto");
        Field part;
        while (in.next(part))
          if (one_of(part.tag, kTensor) && index < graph.initializers.size())
            initializers_[graph.initializers[index].name].push_back(range_of(in, part));
        break;
      }
      case kAnnotation: {
        const std::int64_t end = field.payload + field.length();
        const std::string tensor = in.find_text(field.payload, end, kAnnotated);
        if (tensor.size() >= kLongestFound)
          graph_.push_back(range_of(in, field));
        else
          annotations_.emplace(tensor, range_of(in, field));
        break;
      }
      case f::kName:
      case f::kSparseInitializer:
        break;
      default:
        graph_.push_back(range_of(in, field));
    }
  }
}

void KeptFields::read_node(WireReader& in, const Field& whole) {
  const std::size_t index = nodes_.size();
  Node& node = nodes_.emplace_back();
  const Message message(in, whole, "NodeProto");
  Field field;
  while (in.next(field)) {
    if (field.tag == proto::node::kAttribute) node.attributes.push_back(range_of(in, field));
    if (!one_of(field.tag, kNode)) node.rest.push_back(range_of(in, field));
  }
  const std::span<const onnx::Node> nodes = document_->model.graph.nodes;
  if (index < nodes.size() && reads_other_files(nodes.subspan(index, 1))) node.attributes.clear();
}

void KeptFields::read_value(WireReader& in, const Field& whole, std::span<const ValueInfo> infos,
                            std::size_t index) {
  if (index >= infos.size()) return;
  Value value{.whole = {}, .rest = {}, .info = &infos[index]};
  const Message message(in, whole, "ValueInfoProto");
  Field field;
  while (in.next(field)) {
    value.whole.push_back(range_of(in, field));
    if (!one_of(field.tag, kValue)) value.rest.push_back(range_of(in, field));
  }
  values_.emplace(infos[index].name, std::move(value));
}

void KeptFields::index_nodes() {
  std::set<std::string_view> repeated;
  const std::span<const onnx::Node> nodes = document_->model.graph.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const Text& output : nodes[i].outputs)
      if (!output.empty()) by_output_.emplace(output, i);
    if (!nodes[i].name.empty() && !by_name_.emplace(nodes[i].name, i).second)
      repeated.insert(nodes[i].name);
  }
  for (const std::string_view name : repeated) by_name_.erase(name);
}

const KeptFields::Node* KeptFields::node(const onnx::Node& node, bool& same_attributes) const {
  const auto same = [&](std::size_t i) {
    const onnx::Node& of = document_->model.graph.nodes[i];
    return of.op_type == node.op_type && of.name == node.name && of.domain == node.domain;
  };
  const auto at = [&]() -> std::optional<std::size_t> {
    for (const Text& output : node.outputs)
      if (const auto found = by_output_.find(output);
          !output.empty() && found != by_output_.end() && same(found->second))
        return found->second;
    const auto named = by_name_.find(node.name);
    if (named != by_name_.end() && same(named->second)) return named->second;
    return std::nullopt;
  }();
  if (!at) return nullptr;
  const onnx::Node& of = document_->model.graph.nodes[*at];
  same_attributes = of.attributes.data() == node.attributes.data() &&
                    of.attributes.size() == node.attributes.size() &&
                    nodes_[*at].attributes.size() == of.attributes.size();
  return &nodes_[*at];
}

const KeptFields::Value* KeptFields::value(const ValueInfo& info) const {
  const auto [first, last] = values_.equal_range(info.name);
  const auto same = [&](const auto& entry) {
    return entry.second.info->type.shape.data() == info.type.shape.data();
  };
  const auto found = std::find_if(first, last, same);
  if (found != last) return &found->second;
  return first != last ? &first->second : nullptr;
}

const KeptFields::Ranges* KeptFields::initializer(std::string_view name) const {
  const auto found = initializers_.find(name);
  return found == initializers_.end() ? nullptr : &found->second;
}

}  // namespace ridge::onnx
