// SPDX-License-Identifier: Apache-2.0
// Sources: the texts of ONNX's schemas; for what ONNX Runtime does with a parameter, its kernels
// (onnxruntime/core/providers/cpu).
#include "bricks/form/seen_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bricks/form/windows.h"
#include "ops/defaults.h"

namespace ridge::bricks {
namespace {

std::int64_t axis_of(std::int64_t given, std::size_t rank) {
  return given < 0 ? given + static_cast<std::int64_t>(rank) : given;
}

std::int64_t size_at(const Ints& sizes, std::int64_t axis) {
  const auto at = static_cast<std::size_t>(axis);
  return axis >= 0 && at < sizes.size() ? sizes[at] : -1;
}

bool known(const Ints& sizes) {
  return std::ranges::none_of(sizes, [](std::int64_t d) { return d < 0; });
}

std::int32_t since(const NodeView& v) {
  return ops::since_version(onnx::normal_domain(v.node().domain), v.op(), v.opset());
}

void set_axis(NodeView& v, std::int64_t otherwise, std::size_t rank) {
  if (rank > 0) v.set("axis", std::to_string(axis_of(v.number("axis", otherwise), rank)));
}

void first_axis(NodeView& v) { set_axis(v, 0, v.in(0).size()); }
void last_axis(NodeView& v) { set_axis(v, -1, v.in(0).size()); }
void second_axis(NodeView& v) { set_axis(v, 1, v.in(0).size()); }

/// ArgMax, ArgMin: the sizes of the result say whether the axis is kept.
void arg_rule(NodeView& v) {
  first_axis(v);
  v.drop("keepdims");
}

void one_hot_rule(NodeView& v) {
  set_axis(v, -1, v.out(0).size());
  v.take_constant(1);
}

/// Up to opset 12, Softmax is over all axes from `axis` on.
void softmax_rule(NodeView& v) {
  const std::size_t rank = v.in(0).size();
  if (rank == 0) return;
  const std::int64_t axis = axis_of(v.number("axis", since(v) < 13 ? 1 : -1), rank);
  v.set("axis", std::to_string(axis));
  if (since(v) < 13 && axis + 1 < static_cast<std::int64_t>(rank)) v.set("flattens", "1");
}

/// Reshape, Flatten, Squeeze, Unsqueeze, Expand, Tile, ConstantOfShape: the sizes say all.
void shape_rule(NodeView& v) {
  if (!known(v.out(0)) || (v.op() == "Tile" && !known(v.in(0)))) return;
  for (const char* name : {"axis", "axes", "allowzero", "shape"}) v.drop(name);
  v.take_constant(v.op() == "ConstantOfShape" ? 0 : 1);
}

void transpose_rule(NodeView& v) {
  const std::size_t rank = v.in(0).size();
  Ints order = v.numbers("perm", 0, 0);
  if (order.empty())
    for (std::size_t i = rank; i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  if (!order.empty()) v.set("perm", list(order));
}

void reduce_rule(NodeView& v) {
  const std::size_t rank = v.in(0).size();
  if (rank == 0 || (v.has(1) && !v.ints(1))) return;
  Ints axes = v.ints(1).value_or(v.numbers("axes", 0, 0));
  const bool none = axes.empty() && v.number("noop_with_empty_axes", 0) != 0;
  for (std::int64_t& a : axes) a = axis_of(a, rank);
  if (axes.empty() && !none)
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  std::ranges::sort(axes);
  for (const char* name : {"keepdims", "noop_with_empty_axes"}) v.drop(name);
  v.set("axes", list(axes));
  v.take(1);
}

/// The outputs say how long the parts are.
void split_rule(NodeView& v) {
  first_axis(v);
  for (std::size_t i = 0; i < v.node().outputs.size(); ++i)
    if (v.out(i).empty() || !known(v.out(i))) return;
  v.drop("split");
  v.drop("num_outputs");
  v.take_constant(1);
}

void slice_rule(NodeView& v) {
  const Ints from = v.in(0), to = v.out(0);
  for (std::size_t i = 1; i < 5; ++i)
    if (v.has(i) && !v.ints(i)) return;
  const Ints starts = v.ints(1).value_or(v.numbers("starts", 0, 0));
  Ints axes = v.ints(3).value_or(v.numbers("axes", 0, 0));
  if (axes.empty())
    for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  const Ints steps = v.ints(4).value_or(Ints(starts.size(), 1));
  if (starts.size() != axes.size() || steps.size() != axes.size() || !known(from) || !known(to) ||
      from.size() != to.size() || from.empty())
    return;
  std::vector<Ints> parts;  // axis, start, step
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = axis_of(axes[i], from.size()), size = size_at(from, axis);
    if (size < 0) return;
    const std::int64_t most = steps[i] > 0 ? size : std::max<std::int64_t>(size - 1, 0);
    const std::int64_t start =
        std::clamp<std::int64_t>(starts[i] < 0 ? starts[i] + size : starts[i], 0, most);
    if (start != 0 || steps[i] != 1 || size_at(to, axis) != size)
      parts.push_back({axis, start, steps[i]});
  }
  std::ranges::sort(parts);
  std::string text;
  for (const Ints& part : parts) text += list(part) + ";";
  for (const char* name : {"starts", "ends", "axes"}) v.drop(name);
  v.set("parts", text);
  for (std::size_t i = 1; i < 5; ++i) v.take(i);
}

/// By axis, before all and after all. The value that is written selects no kernel.
void pad_rule(NodeView& v) {
  const std::size_t rank = v.in(0).size();
  const bool in_input = v.has(1);
  if (rank == 0 || (in_input && !v.ints(1)) || (v.has(3) && !v.ints(3))) return;
  const Ints given = in_input ? *v.ints(1) : v.numbers("pads", 0, 0);
  Ints axes = v.ints(3).value_or(Ints());
  if (axes.empty())
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  if (given.size() != 2 * axes.size()) return;
  Ints pads(2 * rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = axis_of(axes[i], rank);
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return;
    pads[static_cast<std::size_t>(axis)] = given[i];
    pads[static_cast<std::size_t>(axis) + rank] = given[i + axes.size()];
  }
  v.set("pads", list(pads));
  v.drop("value");
  v.take(1);
  v.take_constant(2);
  v.take(3);
}

/// Indices counted from the end.
void gather_rule(NodeView& v) {
  first_axis(v);
  const std::optional<Ints> indices = v.ints(1);
  const std::int64_t size = size_at(v.in(0), axis_of(v.number("axis", 0), v.in(0).size()));
  constexpr std::size_t kMaxIndices = 16;
  if (!indices || indices->size() > kMaxIndices || size < 0) return;
  Ints from_start = *indices;
  for (std::int64_t& i : from_start) i = i < 0 ? i + size : i;
  v.set("indices", list(from_start));
  v.take(1);
}

/// Bounds of a Clip, attributes before opset 11: whether there is one.
void clip_rule(NodeView& v) {
  constexpr std::array<const char*, 2> kNames = {"min", "max"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const onnx::Attribute* a = v.attribute(kNames[i]);
    const std::optional<std::vector<double>> bound = v.reals(i + 1);
    v.drop(kNames[i]);
    if (v.has(i + 1) && (!bound || bound->size() != 1)) continue;
    const bool any = a != nullptr || v.has(i + 1);
    const double value = a != nullptr ? static_cast<double>(a->f) : any ? (*bound)[0] : 0;
    // Exporters write the largest float, rounded, where there is no bound.
    constexpr double kNoBound = std::numeric_limits<float>::max() * 0.999;
    if (any && std::abs(value) < kNoBound) v.set(kNames[i], "1");
    v.take(i + 1);
  }
}

/// ONNX Runtime squares and cubes without pow().
void pow_rule(NodeView& v) {
  const std::optional<std::vector<double>> power = v.reals(1);
  if (!power || power->size() != 1) return;
  v.set("power", std::to_string((*power)[0]));
  v.take(1);
}

/// MLAS has other paths for factors of 0 and 1.
void gemm_rule(NodeView& v) {
  for (const char* name : {"alpha", "beta"})
    if (const onnx::Attribute* a = v.attribute(name); a != nullptr && v.written(name))
      v.set(name, a->f == 0 ? "0" : "x");
}

void cast_rule(NodeView& v) { v.drop("to"); }

void batch_normalization_rule(NodeView& v) {
  v.drop("momentum");
  if (v.number("spatial", 1) != 0) v.drop("spatial");
}

void dropout_rule(NodeView& v) {
  for (const char* name : {"ratio", "seed"}) v.drop(name);
  v.take_constant(1);
}

void factor_rule(NodeView& v) {
  for (const char* name : {"alpha", "beta", "gamma", "bias", "lambd"}) v.drop(name);
}

/// Only `beta` selects a function.
void lrn_rule(NodeView& v) {
  for (const char* name : {"alpha", "bias"}) v.drop(name);
}

void attention_rule(NodeView& v) {
  for (const char* name : {"scale", "mask_filter_value"}) v.drop(name);
}

/// Axis of the scales, which matters where there is one for each channel.
void quantize_rule(NodeView& v) {
  const Constant* scale = v.constant(1);
  std::int64_t elements = scale == nullptr ? -1 : 1;
  if (scale != nullptr)
    for (const std::int64_t d : scale->dims) elements *= d;
  if (elements == 1)
    v.drop("axis");
  else
    second_axis(v);
  v.drop("output_dtype");
}

void top_k_rule(NodeView& v) {
  last_axis(v);
  v.drop("k");
  if (known(v.out(0))) v.take_constant(1);
}

void cum_sum_rule(NodeView& v) {
  const std::optional<Ints> axis = v.ints(1);
  if (!axis || axis->size() != 1 || v.in(0).empty()) return;
  v.set("axis", std::to_string(axis_of((*axis)[0], v.in(0).size())));
  v.take(1);
}

void recurrent_rule(NodeView& v) {
  v.drop("hidden_size");  // as the sizes of the weights
  if (v.written("activations")) return;
  for (const char* name : {"activation_alpha", "activation_beta"}) v.drop(name);
}

/// `linear` and `cubic` were `bilinear` and `bicubic` before opset 20.
void grid_sample_rule(NodeView& v) {
  const onnx::Attribute* mode = v.attribute("mode");
  const std::string_view text = mode == nullptr ? "linear" : mode->s;
  v.set("mode", std::string(text.starts_with("bi") ? text.substr(2) : text));
}

/// Factors of a Resize that follow from the sizes: nothing but sizes is needed then.
bool follow_from_sizes(const NodeView& v, const std::vector<double>& factors) {
  const Ints from = v.in(0), to = v.out(0);
  if (factors.size() != from.size() || from.size() != to.size()) return false;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (from[i] < 0 || to[i] < 0 ||
        factors[i] * static_cast<double>(from[i]) != static_cast<double>(to[i]))
      return false;
  return true;
}

std::string factors_text(const std::vector<double>& factors) {
  std::string out;
  for (const double f : factors) out += std::to_string(f) + ",";
  return out;
}

std::string word_of_attribute(const NodeView& v, std::string_view name,
                              std::string_view otherwise) {
  const onnx::Attribute* a = v.attribute(name);
  return std::string(a == nullptr ? otherwise : std::string_view(a->s));
}

void upsample_rule(NodeView& v) {
  const onnx::Attribute* a = v.attribute("scales");
  std::optional<std::vector<double>> factors = v.reals(1);
  if (a != nullptr) factors = std::vector<double>(a->floats.begin(), a->floats.end());
  if (!factors) return;
  v.drop("scales");
  if (!follow_from_sizes(v, *factors)) v.set("scales", factors_text(*factors));
  v.take(1);
}

/// Attributes of other modes have no effect.
void resize_rule(NodeView& v) {
  if (!known(v.in(0)) || !known(v.out(0))) return;
  const bool first = since(v) < 11;  // scales are input 1, coordinates asymmetric
  std::string mode = word_of_attribute(v, "mode", "nearest");
  const std::string at =
      word_of_attribute(v, "coordinate_transformation_mode", first ? "asymmetric" : "half_pixel");
  const bool crops = at == "tf_crop_and_resize";
  for (const char* name : {"extrapolation_value", "cubic_coeff_a", "axes"})
    if (!crops || name[0] == 'c') v.drop(name);
  if (mode != "cubic" && v.number("antialias", 0) == 0) v.drop("exclude_outside");
  v.set("coordinate_transformation_mode", at);
  v.drop("nearest_mode");
  bool grows = true;
  for (std::size_t i = 0; i < v.in(0).size(); ++i)
    grows &= size_at(v.out(0), static_cast<std::int64_t>(i)) >= v.in(0)[i];
  if (mode == "nearest")  // opset 10 rounds to zero where a size grows, and up where one shrinks
    v.set("nearest_mode", first ? (grows ? "floor" : "simple")
                                : word_of_attribute(v, "nearest_mode", "round_prefer_floor"));
  const std::size_t scales = first ? 1 : 2;
  if (crops) return;
  if (!first) v.take_constant(1);  // the region of interest, which only cropping reads
  if (const auto factors = v.reals(scales)) {
    if (!factors->empty() && !follow_from_sizes(v, *factors))
      v.set("scales", factors_text(*factors));
    v.take(scales);
  }
  if (v.ints(3) && !v.written("keep_aspect_ratio_policy")) v.take(3);
}

struct Rule {
  std::string_view op_type;
  void (*apply)(NodeView&);
};

constexpr std::array kRules = {
    Rule{"ArgMax", arg_rule},
    Rule{"ArgMin", arg_rule},
    Rule{"Attention", attention_rule},
    Rule{"AveragePool", pool_rule},
    Rule{"BatchNormalization", batch_normalization_rule},
    Rule{"Cast", cast_rule},
    Rule{"Celu", factor_rule},
    Rule{"Clip", clip_rule},
    Rule{"Concat", second_axis},
    Rule{"ConstantOfShape", shape_rule},
    Rule{"Conv", convolution_rule},
    Rule{"ConvInteger", convolution_rule},
    Rule{"ConvTranspose", transposed_convolution_rule},
    Rule{"CumSum", cum_sum_rule},
    Rule{"DequantizeLinear", quantize_rule},
    Rule{"Dropout", dropout_rule},
    Rule{"Elu", factor_rule},
    Rule{"Expand", shape_rule},
    Rule{"Flatten", shape_rule},
    Rule{"GRU", recurrent_rule},
    Rule{"Gather", gather_rule},
    Rule{"GatherElements", first_axis},
    Rule{"Gemm", gemm_rule},
    Rule{"GridSample", grid_sample_rule},
    Rule{"HardSigmoid", factor_rule},
    Rule{"Hardmax", softmax_rule},
    Rule{"LRN", lrn_rule},
    Rule{"LSTM", recurrent_rule},
    Rule{"LayerNormalization", last_axis},
    Rule{"LeakyRelu", factor_rule},
    Rule{"LogSoftmax", softmax_rule},
    Rule{"LpNormalization", last_axis},
    Rule{"LpPool", pool_rule},
    Rule{"MaxPool", pool_rule},
    Rule{"MultiHeadAttention", attention_rule},
    Rule{"OneHot", one_hot_rule},
    Rule{"Pad", pad_rule},
    Rule{"Pow", pow_rule},
    Rule{"QLinearConv", convolution_rule},
    Rule{"QuantizeLinear", quantize_rule},
    Rule{"RMSNormalization", last_axis},
    Rule{"RNN", recurrent_rule},
    Rule{"ReduceL1", reduce_rule},
    Rule{"ReduceL2", reduce_rule},
    Rule{"ReduceLogSum", reduce_rule},
    Rule{"ReduceLogSumExp", reduce_rule},
    Rule{"ReduceMax", reduce_rule},
    Rule{"ReduceMean", reduce_rule},
    Rule{"ReduceMin", reduce_rule},
    Rule{"ReduceProd", reduce_rule},
    Rule{"ReduceSum", reduce_rule},
    Rule{"ReduceSumSquare", reduce_rule},
    Rule{"Reshape", shape_rule},
    Rule{"Resize", resize_rule},
    Rule{"ScatterElements", first_axis},
    Rule{"Selu", factor_rule},
    Rule{"Shrink", factor_rule},
    Rule{"Slice", slice_rule},
    Rule{"Softmax", softmax_rule},
    Rule{"Split", split_rule},
    Rule{"Squeeze", shape_rule},
    Rule{"ThresholdedRelu", factor_rule},
    Rule{"Tile", shape_rule},
    Rule{"TopK", top_k_rule},
    Rule{"Transpose", transpose_rule},
    Rule{"Unsqueeze", shape_rule},
    Rule{"Upsample", upsample_rule},
};
static_assert(std::ranges::is_sorted(kRules, {}, &Rule::op_type));

}  // namespace

void apply_rule(NodeView& v) {
  v.drop("epsilon");
  const auto rule = std::ranges::lower_bound(kRules, v.op(), {}, &Rule::op_type);
  if (rule != kRules.end() && rule->op_type == v.op()) rule->apply(v);
}

}  // namespace ridge::bricks
