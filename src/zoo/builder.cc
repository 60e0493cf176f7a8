// SPDX-License-Identifier: Apache-2.0
#include "zoo/builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/version.h"

namespace ridge::zoo {
namespace {

/// FNV-1a hash (Fowler, Noll, Vo): a weight's seed depends only on network, or the networks that
/// share it, and name.
std::uint64_t seed_of(std::string_view family, std::string_view weight) {
  // FNV-1a of 64 bits (offset basis and prime as published). The unsigned product wraps, which the
  // algorithm wants.
  std::uint64_t h = 0xcbf29ce484222325ULL;
  const auto add = [&](std::string_view text) {
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  };
  add(family);
  add("/");
  add(weight);
  return h;
}

/// Half the width of a uniform distribution with this variance.
float spread_of(float variance) { return std::sqrt(3 * variance); }

constexpr float kBiasSpread = 0.1F;

}  // namespace

Builder::Builder(std::string_view network, BatchNorm batch_norm)
    : network_(network), family_(network), batch_norm_(batch_norm) {}

std::string Builder::scope() const {
  std::string text = "/";
  for (const std::string& segment : path_) {
    if (segment.empty()) continue;
    text += segment;
    text += '/';
  }
  return text;
}

/// "layer1.0" inside "layer1" repeats its parent's name, as the children of a PyTorch Sequential
/// do.
///
/// Example: the path layer1, layer1.0, conv1. "layer1." is dropped when "layer1.0" follows, which
/// begins with it; "conv1" does not begin with "layer1.0.", so the result is "layer1.0.conv1.".
std::string Builder::parameter_prefix() const {
  std::string text;
  std::size_t last = 0;
  std::string_view before;
  for (const std::string& segment : path_) {
    if (segment.empty()) continue;
    if (!before.empty() && segment.starts_with(fmt::format("{}.", before))) text.resize(last);
    last = text.size();
    text += segment;
    text += '.';
    before = segment;
  }
  return text;
}

onnx::TypeInfo Builder::type(onnx::DataType element, std::span<const Size> shape) {
  const auto dims = document_.arena.array<onnx::Dimension>(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    dims[i].value = shape[i].value;
    dims[i].param = document_.arena.copy(shape[i].param);
  }
  onnx::TypeInfo info;
  info.kind = onnx::TypeKind::kTensor;
  info.elem_type = element;
  info.has_shape = true;
  info.shape = dims;
  return info;
}

Tensor Builder::input(std::string_view name, onnx::DataType element,
                      std::initializer_list<Size> shape, std::int64_t width) {
  inputs_.push_back({document_.arena.copy(name), type(element, shape)});
  return {inputs_.back().name, width};
}

/// Renames `value` to `name` in all nodes, so that the graph's output has the requested name.
void Builder::output(std::string_view name, Tensor value, std::initializer_list<Size> shape) {
  const std::string_view wanted = document_.arena.copy(name);
  const auto renamed = [&](std::span<const Text> names) -> std::span<const Text> {
    if (std::find(names.begin(), names.end(), value.name) == names.end()) return names;
    const auto copy = document_.arena.copy(names);
    for (Text& n : copy)
      if (n == value.name) n = wanted;
    return copy;
  };
  for (onnx::Node& node : nodes_) {
    node.inputs = renamed(node.inputs);
    node.outputs = renamed(node.outputs);
  }
  outputs_.push_back({wanted, type(onnx::DataType::kFloat, shape)});
}

std::span<const onnx::Attribute> Builder::attributes(const std::vector<Attribute>& list) {
  const auto made = document_.arena.array<onnx::Attribute>(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    made[i].name = document_.arena.copy(list[i].name);
    if (const auto* integer = std::get_if<std::int64_t>(&list[i].value)) {
      made[i].type = onnx::AttributeType::kInt;
      made[i].i = *integer;
    } else if (const auto* real = std::get_if<float>(&list[i].value)) {
      made[i].type = onnx::AttributeType::kFloat;
      made[i].f = *real;
    } else {
      made[i].type = onnx::AttributeType::kInts;
      made[i].ints = document_.arena.copy(std::get<std::vector<std::int64_t>>(list[i].value));
    }
  }
  return made;
}

Tensor Builder::op(std::string_view op_type, std::vector<Tensor> inputs,
                   const std::vector<Attribute>& list, std::int64_t width) {
  if (width < 0) width = inputs.front().width;
  return op_many(op_type, std::move(inputs), list, 1, width).front();
}

std::vector<Tensor> Builder::op_many(std::string_view op_type, std::vector<Tensor> inputs,
                                     const std::vector<Attribute>& list, std::size_t outputs,
                                     std::int64_t width) {
  std::string name = scope() + std::string(op_type);
  if (const int before = used_[name]++; before > 0) name += fmt::format("_{}", before);
  onnx::Node node;
  node.name = document_.arena.copy(name);
  node.op_type = document_.arena.copy(op_type);
  const auto in = document_.arena.array<Text>(inputs.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = inputs[i].name;
  node.inputs = in;
  const auto out = document_.arena.array<Text>(outputs);
  std::vector<Tensor> made;
  for (std::size_t i = 0; i < outputs; ++i) {
    out[i] = document_.arena.copy(fmt::format("{}_output_{}", name, i));
    made.push_back({out[i], width});
  }
  node.outputs = out;
  node.attributes = attributes(list);
  nodes_.push_back(node);
  return made;
}

Tensor Builder::weight(std::string_view name, std::vector<std::int64_t> dims, float mean,
                       float spread) {
  onnx::Tensor t;
  t.name = document_.arena.copy(parameter_prefix() + std::string(name));
  t.type = onnx::DataType::kFloat;
  t.elements = 1;
  for (const std::int64_t d : dims) t.elements *= d;
  t.dims = document_.arena.copy(dims);
  t.storage = onnx::Storage::kSeeded;
  t.recipe = {.seed = seed_of(family_, t.name), .mean = mean, .scale = spread};
  tensors_.push_back(t);
  return {t.name, dims.empty() ? 0 : dims.back()};
}

Tensor Builder::constant(const std::string& name, onnx::DataType element,
                         std::vector<std::int64_t> dims, std::span<const std::byte> bytes) {
  const auto [known, fresh] = constants_.emplace(name, std::string_view());
  if (!fresh) return {known->second};
  onnx::Tensor t;
  t.name = known->second = document_.arena.copy(name);
  t.type = element;
  t.elements = dims.empty() ? 1 : dims[0];
  t.dims = document_.arena.copy(dims);
  t.storage = onnx::Storage::kInline;
  t.bytes = document_.arena.copy(bytes);
  tensors_.push_back(t);
  return {t.name};
}

Tensor Builder::ints(const std::vector<std::int64_t>& values) {
  return constant(fmt::format("ints_{}", fmt::join(values, "_")), onnx::DataType::kInt64,
                  {static_cast<std::int64_t>(values.size())}, std::as_bytes(std::span(values)));
}

Tensor Builder::table(const std::string& name, const std::vector<std::int64_t>& values) {
  return constant(name, onnx::DataType::kInt64, {static_cast<std::int64_t>(values.size())},
                  std::as_bytes(std::span(values)));
}

Tensor Builder::integer(std::int64_t value) {
  return constant(fmt::format("integer_{}", value), onnx::DataType::kInt64, {},
                  std::as_bytes(std::span(&value, 1)));
}

Tensor Builder::scalar(float value) {
  return constant(fmt::format("scalar_{}", value), onnx::DataType::kFloat, {},
                  std::as_bytes(std::span(&value, 1)));
}

Tensor Builder::conv(std::string_view leaf, Tensor x, const ConvOptions& o) {
  const auto scope = module(leaf);
  const std::int64_t width = o.kernel_width < 0 ? o.kernel : o.kernel_width;
  const std::int64_t pad_width = o.pad_width < 0 ? o.pad : o.pad_width;
  // Variance gain / fan-in keeps the size of activations from layer to layer (He et al. 2015, arXiv
  // 1502.01852): a 3 x 3 kernel over 64 channels sums 576 products.
  const std::int64_t fan_in = x.width / o.groups * o.kernel * width;
  std::vector<Tensor> inputs{x, weight("weight", {o.out, x.width / o.groups, o.kernel, width}, 0,
                                       spread_of(o.gain / static_cast<float>(fan_in)))};
  if (o.bias) inputs.push_back(weight("bias", {o.out}, 0, kBiasSpread));
  return op("Conv", std::move(inputs),
            {{"dilations", std::vector<std::int64_t>{1, 1}},
             {"group", o.groups},
             {"kernel_shape", std::vector{o.kernel, width}},
             {"pads", std::vector{o.pad, pad_width, o.pad + o.pad_after, pad_width + o.pad_after}},
             {"strides", std::vector{o.stride, o.stride}}},
            o.out);
}

/// Adds a bias to the last convolution, if `x` is its output; the weights are random anyway.
std::optional<Tensor> Builder::fold_into_conv(Tensor x) {
  onnx::Node& conv = nodes_.back();
  if (conv.op_type != "Conv" || conv.outputs[0] != x.name || conv.inputs.size() != 2) return {};
  const std::string_view weight = conv.inputs[1];
  onnx::Tensor bias;
  bias.name = document_.arena.copy(fmt::format("{}.bias", weight.substr(0, weight.rfind('.'))));
  bias.type = onnx::DataType::kFloat;
  bias.elements = x.width;
  bias.dims = document_.arena.copy(std::vector<std::int64_t>{x.width});
  bias.storage = onnx::Storage::kSeeded;
  bias.recipe = {.seed = seed_of(family_, bias.name), .mean = 0, .scale = kBiasSpread};
  tensors_.push_back(bias);
  conv.inputs = document_.arena.copy(std::vector<Text>{conv.inputs[0], conv.inputs[1], bias.name});
  return x;
}

Tensor Builder::batch_norm(std::string_view leaf, Tensor x, float gain, float epsilon) {
  if (batch_norm_ == BatchNorm::kFolded)
    if (const std::optional<Tensor> folded = fold_into_conv(x)) return *folded;
  const auto scope = module(leaf);
  const std::vector<std::int64_t> dims{x.width};
  return op("BatchNormalization",
            {x, weight("weight", dims, gain, 0.2F * gain), weight("bias", dims, 0, kBiasSpread),
             weight("running_mean", dims, 0, kBiasSpread), weight("running_var", dims, 1, 0.2F)},
            {{"epsilon", epsilon}});
}

Tensor Builder::layer_norm(std::string_view leaf, Tensor x, float epsilon) {
  const auto scope = module(leaf);
  return op("LayerNormalization",
            {x, weight("weight", {x.width}, 1, 0.2F), weight("bias", {x.width}, 0, kBiasSpread)},
            {{"axis", -1}, {"epsilon", epsilon}});
}

Tensor Builder::dense(std::string_view leaf, Tensor x, std::int64_t out) {
  const auto scope = module(leaf);
  const float spread = spread_of(1 / static_cast<float>(x.width));
  return op("Gemm",
            {x, weight("weight", {out, x.width}, 0, spread), weight("bias", {out}, 0, kBiasSpread)},
            {{"alpha", 1.0F}, {"beta", 1.0F}, {"transB", 1}}, out);
}

Tensor Builder::product(std::string_view leaf, Tensor x, std::int64_t out, float gain) {
  const auto scope = module(leaf);
  return matmul(x,
                weight("weight", {x.width, out}, 0, spread_of(gain / static_cast<float>(x.width))));
}

Tensor Builder::linear(std::string_view leaf, Tensor x, std::int64_t out, float gain) {
  const auto scope = module(leaf);
  const Tensor y = product("", x, out, gain);
  return op("Add", {weight("bias", {out}, 0, kBiasSpread), y});
}

Tensor Builder::embedding(std::string_view leaf, Tensor ids, std::int64_t rows,
                          std::int64_t width) {
  const auto scope = module(leaf);
  return op("Gather", {weight("weight", {rows, width}, 0, spread_of(0.02F * 0.02F)), ids},
            {{"axis", 0}}, width);
}

Tensor Builder::relu(std::string_view leaf, Tensor x) {
  const auto scope = module(leaf);
  return op("Relu", {x});
}

Tensor Builder::relu6(std::string_view leaf, Tensor x) {
  const auto scope = module(leaf);
  return op("Clip", {x, scalar(0), scalar(6)});
}

Tensor Builder::silu(std::string_view leaf, Tensor x) {
  const auto scope = module(leaf);
  return mul(x, op("Sigmoid", {x}));
}

Tensor Builder::hard_swish(std::string_view leaf, Tensor x) {
  const auto scope = module(leaf);
  return op("HardSwish", {x});
}

Tensor Builder::pool(std::string_view op_type, Tensor x, const PoolOptions& o,
                     std::vector<Attribute> list) {
  list.push_back({"ceil_mode", std::int64_t{o.ceil}});
  list.push_back({"kernel_shape", std::vector{o.kernel, o.kernel}});
  list.push_back({"pads", std::vector{o.pad, o.pad, o.pad, o.pad}});
  list.push_back({"strides", std::vector{o.stride, o.stride}});
  return op(op_type, {x}, list);
}

Tensor Builder::max_pool(std::string_view leaf, Tensor x, const PoolOptions& o) {
  const auto scope = module(leaf);
  return pool("MaxPool", x, o, {});
}

Tensor Builder::average_pool(std::string_view leaf, Tensor x, const PoolOptions& o) {
  const auto scope = module(leaf);
  return pool("AveragePool", x, o, {{"count_include_pad", 1}});
}

Tensor Builder::concat(std::vector<Tensor> parts) {
  std::int64_t width = 0;
  for (const Tensor& part : parts) width += part.width;
  return op("Concat", std::move(parts), {{"axis", 1}}, width);
}

Tensor Builder::global_average_pool(std::string_view leaf, Tensor x) {
  const auto scope = module(leaf);
  return op("GlobalAveragePool", {x});
}

Tensor Builder::size_of(Tensor x, std::int64_t axis) {
  return op("Shape", {x}, {{"start", axis}, {"end", axis + 1}}, 1);
}

onnx::Document Builder::finish() && {
  onnx::Model& model = document_.model;
  model.ir_version = 8;
  model.producer_name = "ridge";
  model.producer_version = version();
  model.opsets = document_.arena.copy(std::vector<onnx::OperatorSet>{{"", 17}});
  model.graph.name = document_.arena.copy(network_);
  model.graph.nodes = document_.arena.copy(nodes_);
  model.graph.initializers = document_.arena.copy(tensors_);
  model.graph.inputs = document_.arena.copy(inputs_);
  model.graph.outputs = document_.arena.copy(outputs_);
  document_.path = "zoo:" + network_;
  return std::move(document_);
}

}  // namespace ridge::zoo
