// SPDX-License-Identifier: Apache-2.0
#include "onnx/model_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <string>

#include "base/checked.h"

namespace ridge::onnx {
namespace {

/// Default of the onnx package: smaller tensors stay in the model.
constexpr std::int64_t kSmall = 1024;
/// Page size, so that loaders can map each tensor.
constexpr std::int64_t kAlignment = 4096;
constexpr std::int64_t kPayloadWindow = std::int64_t{1} << 18;  // bytes copied at once
constexpr std::int64_t kLargestFile = std::numeric_limits<std::int64_t>::max() - kAlignment;

}  // namespace

void ModelWriter::model(const Model& model) {
  namespace f = proto::model;
  placed_.clear();
  data_end_ = 0;
  out_.integer(f::kIrVersion, model.ir_version);
  out_.optional_text(f::kProducerName, model.producer_name);
  out_.optional_text(f::kProducerVersion, model.producer_version);
  out_.message(f::kGraph, [&] { graph(model.graph, true); });
  for (const OperatorSet& set : model.opsets) operator_set(f::kOpsetImport, set);
  for (const Property& entry : model.metadata) property(f::kMetadata, entry);
  const bool same_functions = kept_ != nullptr && !kept_->functions().empty() &&
                              options_.original->model.functions.data() == model.functions.data();
  if (same_functions) {
    copy(kept_->functions());
  } else {
    for (const Function& one : model.functions) out_.message(f::kFunction, [&] { function(one); });
  }
  if (kept_ != nullptr) copy(kept_->model());
}

/// Copies fields of the original file.
void ModelWriter::copy(const KeptFields::Ranges& ranges) {
  for (const auto& [at, length] : ranges)
    out_.fields(length, [&, at = at, length = length](const Encoder::Sink& sink) -> Result<void> {
      std::string window;
      for (std::int64_t done = 0; done < length; done += std::ssize(window)) {
        window.resize(static_cast<std::size_t>(std::min(length - done, kPayloadWindow)));
        TRY(kept_->file().read_at(at + done, std::as_writable_bytes(std::span(window))));
        TRY(sink(window));
      }
      return {};
    });
}

void ModelWriter::graph(const Graph& graph, bool main) {
  namespace f = proto::graph;
  for (const Node& one : graph.nodes) out_.message(f::kNode, [&] { node(one, main); });
  out_.text(f::kName, graph.name);
  const Role role = main ? Role::kMainInitializer : Role::kInitializer;
  for (std::size_t i = 0; i < graph.initializers.size(); ++i) {
    out_.message(f::kInitializer,
                 [&] { tensor(graph.initializers[i], role, static_cast<std::int64_t>(i)); });
  }
  const auto value = [&](const ValueInfo& one) { main ? main_value(one) : value_info(one); };
  for (const ValueInfo& one : graph.inputs) out_.message(f::kInput, [&] { value(one); });
  for (const ValueInfo& one : graph.outputs) out_.message(f::kOutput, [&] { value(one); });
  for (const ValueInfo& one : graph.value_info) out_.message(f::kValueInfo, [&] { value(one); });
  for (const SparseTensor& one : graph.sparse_initializers) {
    out_.message(f::kSparseInitializer, [&] { sparse_tensor(one); });
  }
  if (!main || kept_ == nullptr) return;
  std::set<std::string_view> tensors;
  for (const Node& one : graph.nodes) tensors.insert(one.outputs.begin(), one.outputs.end());
  for (const Tensor& one : graph.initializers) tensors.insert(one.name);
  for (const ValueInfo& one : graph.inputs) tensors.insert(one.name);
  copy(kept_->graph([&](std::string_view tensor) { return tensors.contains(tensor); }));
}

/// An input, output or inner value of the main graph.
void ModelWriter::main_value(const ValueInfo& info) {
  const KeptFields::Value* kept = kept_ == nullptr ? nullptr : kept_->value(info);
  if (kept == nullptr) return value_info(info);
  const TypeInfo &now = info.type, &then = kept->info->type;
  const bool same = now.shape.data() == then.shape.data() &&
                    now.shape.size() == then.shape.size() && now.kind == then.kind &&
                    now.elem_type == then.elem_type && now.element == then.element;
  if (same) return copy(kept->whole);
  value_info(info);
  copy(kept->rest);
}

void ModelWriter::node(const Node& node, bool main) {
  namespace f = proto::node;
  for (const std::string_view input : node.inputs) out_.text(f::kInput, input);
  for (const std::string_view output : node.outputs) out_.text(f::kOutput, output);
  out_.optional_text(f::kName, node.name);
  out_.text(f::kOpType, node.op_type);
  bool same_attributes = false;
  const KeptFields::Node* kept =
      main && kept_ != nullptr ? kept_->node(node, same_attributes) : nullptr;
  if (kept != nullptr && same_attributes) {
    copy(kept->attributes);
  } else {
    for (const Attribute& one : node.attributes)
      out_.message(f::kAttribute, [&] { attribute(one); });
  }
  out_.optional_text(f::kDomain, node.domain);
  out_.optional_text(f::kOverload, node.overload());
  for (const Property& entry : node.metadata()) property(f::kMetadata, entry);
  if (kept != nullptr) copy(kept->rest);
}

void ModelWriter::attribute(const Attribute& attribute) {
  namespace f = proto::attribute;
  out_.text(f::kName, attribute.name);
  if (attribute.ref_attr_name.empty()) attribute_value(attribute);
  if (attribute.type != AttributeType::kUndefined) {
    out_.integer(f::kType, static_cast<std::int64_t>(attribute.type));
  }
  out_.optional_text(f::kRefAttrName, attribute.ref_attr_name);
}

void ModelWriter::attribute_value(const Attribute& a) {
  namespace f = proto::attribute;
  switch (a.type) {
    case AttributeType::kUndefined:
      break;
    case AttributeType::kFloat:
      out_.real(f::kFloat, a.f);
      break;
    case AttributeType::kInt:
      out_.integer(f::kInt, a.i);
      break;
    case AttributeType::kString:
      out_.text(f::kString, a.s);
      break;
    case AttributeType::kTensor:
      out_.message(f::kTensor, [&] { tensor(*a.t, Role::kOther); });
      break;
    case AttributeType::kGraph:
      out_.message(f::kGraph, [&] { graph(*a.g, false); });
      break;
    case AttributeType::kFloats:
      for (const float value : a.floats) out_.real(f::kFloats, value);
      break;
    case AttributeType::kInts:
      for (const std::int64_t value : a.ints) out_.integer(f::kInts, value);
      break;
    case AttributeType::kStrings:
      for (const std::string_view value : a.strings) out_.text(f::kStrings, value);
      break;
    case AttributeType::kTensors:
      for (const Tensor& one : a.tensors) {
        out_.message(f::kTensors, [&] { tensor(one, Role::kOther); });
      }
      break;
    case AttributeType::kGraphs:
      for (const Graph& one : a.graphs) out_.message(f::kGraphs, [&] { graph(one, false); });
      break;
    case AttributeType::kSparseTensor:
      out_.message(f::kSparseTensor, [&] { sparse_tensor(*a.sparse); });
      break;
    case AttributeType::kTypeProto:
      out_.message(f::kTypeProto, [&] { type(*a.type_proto); });
      break;
    case AttributeType::kSparseTensors:
    case AttributeType::kTypeProtos:
      out_.fail(input_error(
          "RIDGE-ONNX-0403",
          fmt::format("attribute '{}' is a list of {}, which cannot be written", a.name,
                      a.type == AttributeType::kTypeProtos ? "types" : "sparse tensors")));
      break;
  }
}

void ModelWriter::function(const Function& function) {
  namespace f = proto::function;
  out_.text(f::kName, function.name);
  for (const std::string_view input : function.inputs) out_.text(f::kInput, input);
  for (const std::string_view output : function.outputs) out_.text(f::kOutput, output);
  for (const std::string_view name : function.attributes) out_.text(f::kAttribute, name);
  for (const Node& one : function.nodes) out_.message(f::kNode, [&] { node(one, false); });
  for (const OperatorSet& set : function.opsets) operator_set(f::kOpsetImport, set);
  out_.optional_text(f::kDomain, function.domain);
  for (const Attribute& one : function.default_attributes) {
    out_.message(f::kAttributeProto, [&] { attribute(one); });
  }
  for (const ValueInfo& one : function.value_info) {
    out_.message(f::kValueInfo, [&] { value_info(one); });
  }
  out_.optional_text(f::kOverload, function.overload);
}

void ModelWriter::value_info(const ValueInfo& info) {
  out_.text(proto::value_info::kName, info.name);
  if (info.type.kind == TypeKind::kNone) return;
  out_.message(proto::value_info::kType, [&] { type(info.type); });
}

void ModelWriter::type(const TypeInfo& type) {
  namespace f = proto::type;
  const auto element = [&](proto::Tag tag) {
    if (type.element != nullptr) out_.message(tag, [&] { this->type(*type.element); });
  };
  switch (type.kind) {
    case TypeKind::kNone:
      break;
    case TypeKind::kTensor:
      out_.message(f::kTensor, [&] { tensor_type(type); });
      break;
    case TypeKind::kSparseTensor:
      out_.message(f::kSparseTensor, [&] { tensor_type(type); });
      break;
    case TypeKind::kSequence:
      out_.message(f::kSequence, [&] { element(f::kElement); });
      break;
    case TypeKind::kOptional:
      out_.message(f::kOptional, [&] { element(f::kElement); });
      break;
    case TypeKind::kMap:
      out_.message(f::kMap, [&] {
        out_.integer(f::kKeyType, static_cast<std::int64_t>(type.elem_type));
        element(f::kValueType);
      });
      break;
  }
}

void ModelWriter::tensor_type(const TypeInfo& type) {
  out_.integer(proto::type::kElemType, static_cast<std::int64_t>(type.elem_type));
  if (!type.has_shape) return;
  out_.message(proto::type::kShape, [&] {
    for (const Dimension& dim : type.shape) {
      out_.message(proto::type::kDim, [&] { dimension(dim); });
    }
  });
}

void ModelWriter::dimension(const Dimension& dimension) {
  if (dimension.value >= 0) {
    out_.integer(proto::type::kDimValue, dimension.value);
  } else {
    out_.optional_text(proto::type::kDimParam, dimension.param);
  }
}

void ModelWriter::property(proto::Tag tag, const Property& property) {
  out_.message(tag, [&] {
    out_.text(proto::entry::kKey, property.key);
    out_.text(proto::entry::kValue, property.value);
  });
}

void ModelWriter::operator_set(proto::Tag tag, const OperatorSet& set) {
  out_.message(tag, [&] {
    out_.text(proto::opset::kDomain, set.domain);
    out_.integer(proto::opset::kVersion, set.version);
  });
}

void ModelWriter::sparse_tensor(const SparseTensor& sparse) {
  namespace f = proto::sparse_tensor;
  out_.message(f::kValues, [&] { tensor(*sparse.values, Role::kOther); });
  out_.message(f::kIndices, [&] { tensor(*sparse.indices, Role::kOther); });
  for (const std::int64_t dim : sparse.dims) out_.integer(f::kDims, dim);
}

void ModelWriter::tensor(const Tensor& tensor, Role role, std::int64_t index) {
  namespace f = proto::tensor;
  for (const std::int64_t dim : tensor.dims) out_.integer(f::kDims, dim);
  out_.integer(f::kDataType, static_cast<std::int64_t>(tensor.type));
  if (tensor.storage == Storage::kStrings) {
    for (const std::string_view one : tensor.strings) out_.text(f::kStringData, one);
  }
  out_.optional_text(f::kName, tensor.name);
  if (kept_ != nullptr && role == Role::kMainInitializer)
    if (const KeptFields::Ranges* kept = kept_->initializer(tensor.name)) copy(*kept);
  if (tensor.storage == Storage::kStrings || tensor.storage == Storage::kNone) return;

  const auto bytes = storage_bytes(tensor.type, tensor.elements);
  const bool whole = tensor.storage != Storage::kInline || std::ssize(tensor.bytes) == bytes;
  if (!bytes || !whole) {
    return out_.fail(bug(
        fmt::format("tensor '{}' holds {} bytes, {} elements of {} need others", tensor.name.view(),
                    tensor.bytes.size(), tensor.elements, name(tensor.type)),
        "onnx::ModelWriter"));
  }
  if (*bytes == 0) return;
  if (!lies_outside(tensor, role, *bytes)) {
    out_.streamed(f::kRawData, *bytes, [&](const Encoder::Sink& sink) {
      return stream(locator_, tensor, [&](std::span<const std::byte> part) {
        return sink({reinterpret_cast<const char*>(part.data()), part.size()});
      });
    });
  } else if (options_.weights == Weights::kDetached) {
    external_reference("ridge", index, *bytes);
  } else if (options_.weights == Weights::kReferenced) {
    external_reference(tensor.location, tensor.offset, *bytes);
  } else {
    const std::int64_t offset = ceil_div(data_end_, kAlignment) * kAlignment;
    const auto end = checked_add(offset, *bytes);
    if (!end || *end > kLargestFile) {
      return out_.fail(input_error("RIDGE-ONNX-0405",
                                   fmt::format("the data file would exceed {} bytes at tensor '{}'",
                                               kLargestFile, tensor.name.view())));
    }
    data_end_ = *end;
    placed_.push_back({&tensor, offset, *bytes});
    external_reference(options_.location, offset, *bytes);
  }
}

bool ModelWriter::lies_outside(const Tensor& tensor, Role role, std::int64_t bytes) const {
  switch (options_.weights) {
    case Weights::kInline:
    case Weights::kWhereItFits:  // writer.cc chooses one of both
      return false;
    case Weights::kExternal:
      return role != Role::kOther && bytes > kSmall;
    case Weights::kDetached:
      return role == Role::kMainInitializer && tensor.storage != Storage::kInline;
    case Weights::kReferenced:
      return tensor.external;
  }
  return false;
}

void ModelWriter::external_reference(std::string_view location, std::int64_t offset,
                                     std::int64_t bytes) {
  const auto entry = [&](std::string_view key, std::string_view value) {
    property(proto::tensor::kExternalData, {key, value});
  };
  entry("location", location);
  entry("offset", std::to_string(offset));
  entry("length", std::to_string(bytes));
  out_.integer(proto::tensor::kDataLocation, 1);
}

}  // namespace ridge::onnx
