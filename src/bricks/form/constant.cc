// SPDX-License-Identifier: Apache-2.0
#include "bricks/form/constant.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "attribution/weight_recipe.h"
#include "bricks/form/quantization.h"
#include "bricks/piece.h"
#include "onnx/weights.h"

namespace ridge::bricks {
namespace {

/// Calls `visit` with the operator and the position of each input that reads `v`.
template <typename Visit>
void each_reader(const Network& network, graph::ValueId v, Visit visit) {
  const graph::Model& model = network.resolved.model();
  for (const graph::NodeId reader : model.consumers(v)) {
    const graph::Node& node = model.node(reader);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] == v) visit(node.op_type, i);
  }
}

/// True for a scale or zero point. ONNX Runtime fuses a quantized convolution only where the scale
/// of its bias is the product of the scales of its input and weight.
bool reads_quantization_parameter(const Network& network, graph::ValueId v) {
  bool one = false;
  each_reader(network, v, [&](std::string_view op_type, std::size_t input) {
    one |= bricks::is_quantization_parameter(op_type, input);
  });
  return one;
}

bool is_quantized_bias(const Network& network, graph::ValueId v) {
  bool read = false, all = true;
  each_reader(network, v, [&](std::string_view op_type, std::size_t input) {
    read = true;
    all &= may_be_quantized_bias(op_type, input);
  });
  return read && all;
}

bool used_as_weight(const Network& network, graph::ValueId v, const onnx::DataTypeInfo& type,
                    std::int64_t elements) {
  if (elements <= 1) return false;
  if (type.type == onnx::DataType::kInt32) return is_quantized_bias(network, v);
  if (!(type.floating || type.quantized)) return false;
  if (reads_quantization_parameter(network, v)) return false;
  if (!type.floating) return network.resolved.weight(v);
  return attribution::recipe_for(network.resolved, v, 0).has_value();
}

/// An added element of so much or less makes the exp() of a Softmax 0 or a subnormal number.
constexpr float kMasks = -80;

/// True if the elements of a weight are to be looked at: it is added to something.
bool may_mask(const Network& network, graph::ValueId v, const onnx::Tensor& tensor) {
  if (tensor.type != onnx::DataType::kFloat || tensor.storage == onnx::Storage::kSeeded ||
      tensor.elements > kMaxKeptBytes / std::int64_t{sizeof(float)})
    return false;
  const graph::Model& model = network.resolved.model();
  return std::ranges::any_of(model.consumers(v), [&](graph::NodeId reader) {
    return model.node(reader).op_type == "Add";
  });
}

bool masks(std::span<const std::byte> floats) {
  for (std::size_t at = 0; at + sizeof(float) <= floats.size(); at += sizeof(float)) {
    float element = 0;
    std::memcpy(&element, &floats[at], sizeof element);
    if (element <= kMasks) return true;
  }
  return false;
}

template <typename T>
void append(std::vector<std::byte>& bytes, T element) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(&bytes[at], &element, sizeof(T));
}

Result<std::vector<std::byte>> packed(const ops::Value& value, std::string_view name) {
  std::vector<std::byte> bytes;
  for (const ops::Dim& d : value.ints) switch (value.dtype) {
      case onnx::DataType::kInt64:
        append(bytes, d.value());
        break;
      case onnx::DataType::kInt32:
        append(bytes, static_cast<std::int32_t>(d.value()));
        break;
      case onnx::DataType::kBool:
      case onnx::DataType::kInt8:
      case onnx::DataType::kUint8:
        append(bytes, static_cast<std::int8_t>(d.value()));
        break;
      default:
        return input_error("RIDGE-BRICK-0001",
                           fmt::format("a brick cannot contain the constant '{}' of type {}", name,
                                       onnx::name(value.dtype)));
    }
  for (const double real : value.reals)
    if (value.dtype == onnx::DataType::kDouble)
      append(bytes, real);
    else if (value.dtype == onnx::DataType::kFloat)
      append(bytes, static_cast<float>(real));
    else
      return input_error("RIDGE-BRICK-0001",
                         fmt::format("a brick cannot contain the constant '{}' of type {}", name,
                                     onnx::name(value.dtype)));
  return bytes;
}

}  // namespace

bool is_constant(const Network& network, std::string_view name) {
  return network.initializer.contains(name) || known_at_load(network, name);
}

Result<Constant> constant(const Network& network, std::string_view name) {
  const graph::ValueId v = network.value.at(name);
  const auto found = network.initializer.find(name);
  Constant out;
  if (found == network.initializer.end()) {
    const ops::Value& value = *network.resolved.value(v);
    out.type = value.dtype;
    for (const ops::Dim& d : value.shape.span()) out.dims.push_back(d.value());
    out.bytes = TRY(packed(value, name));
    return out;
  }
  const onnx::Tensor& tensor = *found->second;
  out.type = tensor.type;
  out.dims.assign(tensor.dims.begin(), tensor.dims.end());
  const onnx::DataTypeInfo* info = onnx::info(tensor.type);
  out.weight = info != nullptr && used_as_weight(network, v, *info, tensor.elements);
  const bool look = out.weight && may_mask(network, v, tensor);
  if ((out.weight && !look) || tensor.elements == 0) return out;
  if (tensor.storage == onnx::Storage::kStrings)
    return input_error("RIDGE-BRICK-0001",
                       fmt::format("a brick cannot contain the constant '{}' of type text", name));
  out.bytes = TRY(onnx::load(*network.copy.document, tensor, kMaxKeptBytes));
  if (look) {
    out.weight = !masks(out.bytes);
    if (out.weight) out.bytes.clear();
  }
  return out;
}

}  // namespace ridge::bricks
