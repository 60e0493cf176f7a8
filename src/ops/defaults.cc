// SPDX-License-Identifier: Apache-2.0
#include "ops/defaults.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "base/number.h"
#include "ops/defaults_table.h"

namespace ridge::ops {
namespace {

using onnx::Attribute;
using onnx::AttributeType;
using Ints = std::span<const std::int64_t>;

const Attribute* find_attribute(const NodeFacts& node, std::string_view name) {
  for (const Attribute& a : node.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

bool all_are(Ints values, std::int64_t expected) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [&](auto x) { return x == expected; });
}

/// 0, 1, 2, ...
bool is_count(Ints values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

/// Axis counted from the first one, or -1 if the tensor has no such axis.
std::int64_t axis_default(std::int64_t given, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  const std::int64_t axis = given < 0 ? given + size : given;
  return axis < 0 || axis >= size ? -1 : axis;
}

/// True if `axes` names each axis that `is_meant` accepts once, in any order, and no other.
template <typename F>
bool name_each_once(Ints axes, std::size_t rank, F is_meant) {
  std::vector<bool> missing(rank);
  for (std::size_t i = 0; i < rank; ++i) missing[i] = is_meant(i);
  for (const std::int64_t given : axes) {
    const std::int64_t axis = axis_default(given, rank);
    if (axis < 0 || !missing[static_cast<std::size_t>(axis)]) return false;
    missing[static_cast<std::size_t>(axis)] = false;
  }
  return std::find(missing.begin(), missing.end(), true) == missing.end();
}

// Windows

/// True if a list of `size` elements has `per_axis` for each spatial axis, as far as is known.
bool fits_window(const NodeFacts& node, std::size_t size, std::size_t per_axis) {
  if (const Attribute* kernel = find_attribute(node, "kernel_shape"))
    return size == per_axis * kernel->ints.size();
  const NodeFacts::Dims& dims = node.weight_dims ? node.weight_dims : node.input_dims;
  return dims ? size + 2 * per_axis == per_axis * dims->size() : size % per_axis == 0;
}

bool are_window_ones(const NodeFacts& node, const Attribute& a) {
  return all_are(a.ints, 1) && fits_window(node, a.ints.size(), 1);
}
bool are_window_zeros(const NodeFacts& node, const Attribute& a) {
  return all_are(a.ints, 0) && fits_window(node, a.ints.size(), 1);
}

/// With SAME_UPPER and SAME_LOWER, omitted pads follow from the sizes. VALID means no pads, and
/// runtimes read "" as NOTSET. An output_shape of ConvTranspose or MaxUnpool replaces given and
/// omitted pads alike.
bool are_no_pads(const NodeFacts& node, const Attribute& a) {
  const Attribute* mode = find_attribute(node, "auto_pad");
  if (mode != nullptr && (mode->type != AttributeType::kString || !mode->ref_attr_name.empty()))
    return false;
  if (mode != nullptr && !mode->s.empty() && mode->s != "NOTSET" && mode->s != "VALID")
    return false;
  return all_are(a.ints, 0) && fits_window(node, a.ints.size(), 2);
}

bool is_weight_kernel(const NodeFacts& node, const Attribute& a) {
  if (!node.weight_dims || node.weight_dims->size() < 3) return false;
  const Ints kernel = node.weight_dims->subspan(2);
  return std::equal(kernel.begin(), kernel.end(), a.ints.begin(), a.ints.end(),
                    [](auto size, auto given) { return size >= 0 && size == given; });
}

// Axes

/// Perm of Transpose: its length is the rank, which need not be known.
bool is_reversal(const NodeFacts& node, const Attribute& a) {
  if (node.input_dims && node.input_dims->size() != a.ints.size()) return false;
  const std::vector<std::int64_t> reversed(a.ints.rbegin(), a.ints.rend());
  return (node.input_dims || !reversed.empty()) && is_count(reversed);
}

bool are_axes_in_order(const NodeFacts& node, const Attribute& a) {
  return node.input_dims && a.ints.size() == node.input_dims->size() && is_count(a.ints);
}

bool are_all_axes(const NodeFacts& node, const Attribute& a) {
  return node.input_dims &&
         name_each_once(a.ints, node.input_dims->size(), [](std::size_t) { return true; });
}

bool are_axes_of_size_1(const NodeFacts& node, const Attribute& a) {
  if (!node.input_dims) return false;
  const Ints dims = *node.input_dims;
  if (std::any_of(dims.begin(), dims.end(), [](auto x) { return x < 0; })) return false;
  return name_each_once(a.ints, dims.size(), [&](std::size_t i) { return dims[i] == 1; });
}

/// Slice 1: an axis for each start.
bool are_first_axes(const NodeFacts& node, const Attribute& a) {
  const Attribute* starts = find_attribute(node, "starts");
  return starts != nullptr && starts->ints.size() == a.ints.size() && !a.ints.empty() &&
         is_count(a.ints);
}

/// The formal default, counted from the other end: -1 and 3 are the same of four axes.
bool is_default_axis(const NodeFacts& node, const Attribute& a) {
  if (!node.input_dims) return false;
  const OperatorVersion* version = defaults_table().find(node.domain, node.op_type, node.opset);
  const auto written = version == nullptr ? std::nullopt : version->default_of(a.name);
  const auto axis = written ? whole_number(written->substr(2)) : std::nullopt;
  const std::size_t rank = node.input_dims->size();
  return axis && axis_default(a.i, rank) >= 0 &&
         axis_default(a.i, rank) == axis_default(*axis, rank);
}

bool is_input_rank(const NodeFacts& node, const Attribute& a) {
  return node.input_dims && a.i == static_cast<std::int64_t>(node.input_dims->size());
}

// Values

bool are_ones(const NodeFacts&, const Attribute& a) { return all_are(a.ints, 1); }
bool are_zeros(const NodeFacts&, const Attribute& a) { return all_are(a.ints, 0); }
bool is_one(const NodeFacts&, const Attribute& a) { return a.i == 1; }
bool is_empty_text(const NodeFacts&, const Attribute& a) { return a.s.empty(); }
bool are_no_texts(const NodeFacts&, const Attribute& a) { return a.strings.empty(); }

bool are_real_ones(const NodeFacts&, const Attribute& a) {
  return !a.floats.empty() &&
         std::all_of(a.floats.begin(), a.floats.end(), [](float x) { return x == 1.0F; });
}

/// Parts of a valid Split add up to the axis, one per output, so equal ones are the default.
bool are_equal_parts(const NodeFacts&, const Attribute& a) {
  return !a.ints.empty() && all_are(a.ints, a.ints[0]);
}

bool is_input_type(const NodeFacts& node, const Attribute& a) {
  return node.input_type != onnx::DataType::kUndefined &&
         a.i == static_cast<std::int64_t>(node.input_type);
}

/// ConstantOfShape: a single float 0.
bool is_zero_tensor(const NodeFacts&, const Attribute& a) {
  if (a.t == nullptr || a.t->type != onnx::DataType::kFloat || a.t->elements != 1) return false;
  const auto bytes = a.t->bytes;
  return a.t->storage == onnx::Storage::kInline && bytes.size() == sizeof(float) &&
         std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b == std::byte{0}; });
}

// Recurrent operators

/// `names` once for each direction.
bool are_activations(const NodeFacts& node, const Attribute& a,
                     std::span<const std::string_view> names) {
  const Attribute* direction = find_attribute(node, "direction");
  if (direction != nullptr && !direction->ref_attr_name.empty()) return false;
  const bool both = direction != nullptr && direction->s == "bidirectional";
  if (a.strings.size() != names.size() * (both ? 2 : 1)) return false;
  for (std::size_t i = 0; i < a.strings.size(); ++i)
    if (a.strings[i] != names[i % names.size()]) return false;
  return true;
}

constexpr std::array<std::string_view, 3> kGates = {"Sigmoid", "Tanh", "Tanh"};
bool are_rnn_activations(const NodeFacts& node, const Attribute& a) {
  return are_activations(node, a, std::span(kGates).subspan(1, 1));
}
bool are_gru_activations(const NodeFacts& node, const Attribute& a) {
  return are_activations(node, a, std::span(kGates).first(2));
}
bool are_lstm_activations(const NodeFacts& node, const Attribute& a) {
  return are_activations(node, a, kGates);
}

/// A default that only the text of a schema states.
struct ImpliedDefault {
  std::string_view op_type, attribute;
  AttributeType type;
  bool (*matches)(const NodeFacts&, const Attribute&);
  /// Versions with the attribute and this default.
  std::int32_t first = 1, last = std::numeric_limits<std::int32_t>::max();
};

constexpr auto kInt = AttributeType::kInt, kInts = AttributeType::kInts,
               kStrings = AttributeType::kStrings;

// Sorted by operator. Early versions do not state all of them: the strides of Conv 1 are optional
// without words on their default, which Conv 11 adds. Not here are defaults that need further
// facts, such as the scale of Attention, or that a runtime chooses, such as seeds.
constexpr ImpliedDefault kImplied[] = {
    {"ArgMax", "axis", kInt, is_default_axis},
    {"ArgMin", "axis", kInt, is_default_axis},
    {"AveragePool", "dilations", kInts, are_window_ones, 19},
    {"AveragePool", "pads", kInts, are_no_pads},
    {"AveragePool", "strides", kInts, are_window_ones},
    {"Bernoulli", "dtype", kInt, is_input_type},
    {"CenterCropPad", "axes", kInts, are_axes_in_order},
    {"Col2Im", "dilations", kInts, are_ones},
    {"Col2Im", "pads", kInts, are_zeros},
    {"Col2Im", "strides", kInts, are_ones},
    {"Concat", "axis", kInt, is_one, 1, 1},
    {"ConstantOfShape", "value", AttributeType::kTensor, is_zero_tensor},
    {"Conv", "dilations", kInts, are_window_ones},
    {"Conv", "kernel_shape", kInts, is_weight_kernel},
    {"Conv", "pads", kInts, are_no_pads},
    {"Conv", "strides", kInts, are_window_ones},
    {"ConvInteger", "dilations", kInts, are_window_ones},
    {"ConvInteger", "kernel_shape", kInts, is_weight_kernel},
    {"ConvInteger", "pads", kInts, are_no_pads},
    {"ConvInteger", "strides", kInts, are_window_ones},
    {"ConvTranspose", "dilations", kInts, are_window_ones},
    {"ConvTranspose", "kernel_shape", kInts, is_weight_kernel},
    {"ConvTranspose", "output_padding", kInts, are_window_zeros},
    {"ConvTranspose", "pads", kInts, are_no_pads},
    {"ConvTranspose", "strides", kInts, are_window_ones},
    {"DeformConv", "dilations", kInts, are_window_ones},
    {"DeformConv", "kernel_shape", kInts, is_weight_kernel},
    {"DeformConv", "pads", kInts, are_no_pads},
    {"DeformConv", "strides", kInts, are_window_ones},
    {"DequantizeLinear", "axis", kInt, is_default_axis},
    {"EyeLike", "dtype", kInt, is_input_type},
    {"Flatten", "axis", kInt, is_default_axis},
    {"GRU", "activations", kStrings, are_gru_activations},
    {"Gather", "axis", kInt, is_default_axis},
    {"GatherElements", "axis", kInt, is_default_axis},
    {"Hardmax", "axis", kInt, is_default_axis},
    {"LSTM", "activations", kStrings, are_lstm_activations},
    {"LayerNormalization", "axis", kInt, is_default_axis},
    {"LogSoftmax", "axis", kInt, is_default_axis},
    {"LpNormalization", "axis", kInt, is_default_axis},
    {"LpPool", "dilations", kInts, are_window_ones, 18},
    {"LpPool", "pads", kInts, are_no_pads},
    {"LpPool", "strides", kInts, are_window_ones},
    {"MaxPool", "dilations", kInts, are_window_ones, 10},
    {"MaxPool", "pads", kInts, are_no_pads},
    {"MaxPool", "strides", kInts, are_window_ones},
    {"MaxUnpool", "pads", kInts, are_no_pads},
    {"MaxUnpool", "strides", kInts, are_window_ones},
    {"QLinearConv", "dilations", kInts, are_window_ones},
    {"QLinearConv", "kernel_shape", kInts, is_weight_kernel},
    {"QLinearConv", "pads", kInts, are_no_pads},
    {"QLinearConv", "strides", kInts, are_window_ones},
    {"QuantizeLinear", "axis", kInt, is_default_axis},
    {"RMSNormalization", "axis", kInt, is_default_axis},
    {"RNN", "activations", kStrings, are_rnn_activations},
    {"RandomNormalLike", "dtype", kInt, is_input_type},
    {"RandomUniformLike", "dtype", kInt, is_input_type},
    {"ReduceL1", "axes", kInts, are_all_axes, 1, 13},
    {"ReduceL2", "axes", kInts, are_all_axes, 1, 13},
    {"ReduceLogSum", "axes", kInts, are_all_axes, 1, 13},
    {"ReduceLogSumExp", "axes", kInts, are_all_axes, 1, 13},
    {"ReduceMax", "axes", kInts, are_all_axes, 1, 13},
    {"ReduceMean", "axes", kInts, are_all_axes, 1, 13},
    {"ReduceMin", "axes", kInts, are_all_axes, 1, 13},
    {"ReduceProd", "axes", kInts, are_all_axes, 1, 13},
    {"ReduceSum", "axes", kInts, are_all_axes, 1, 11},
    {"ReduceSumSquare", "axes", kInts, are_all_axes, 1, 13},
    {"Resize", "axes", kInts, are_axes_in_order, 18},
    {"Scan", "directions", kInts, are_zeros, 8, 8},
    {"Scan", "scan_input_axes", kInts, are_zeros, 9},
    {"Scan", "scan_input_directions", kInts, are_zeros, 9},
    {"Scan", "scan_output_axes", kInts, are_zeros, 9},
    {"Scan", "scan_output_directions", kInts, are_zeros, 9},
    {"ScatterElements", "axis", kInt, is_default_axis},
    {"SequenceEmpty", "dtype", kInt, is_one},
    {"Shape", "end", kInt, is_input_rank, 15},
    {"Slice", "axes", kInts, are_first_axes, 1, 1},
    {"Softmax", "axis", kInt, is_default_axis},
    {"Split", "axis", kInt, is_default_axis},
    {"Split", "split", kInts, are_equal_parts, 2, 11},
    {"SplitToSequence", "axis", kInt, is_default_axis},
    {"Squeeze", "axes", kInts, are_axes_of_size_1, 1, 11},
    {"StringNormalizer", "stopwords", kStrings, are_no_texts},
    {"StringSplit", "delimiter", AttributeType::kString, is_empty_text},
    {"TfIdfVectorizer", "weights", AttributeType::kFloats, are_real_ones},
    {"Transpose", "perm", kInts, is_reversal},
    {"TreeEnsemble", "nodes_missing_value_tracks_true", kInts, are_zeros},
    {"TreeEnsembleClassifier", "nodes_missing_value_tracks_true", kInts, are_zeros},
    {"TreeEnsembleRegressor", "nodes_missing_value_tracks_true", kInts, are_zeros},
};
static_assert(std::ranges::is_sorted(kImplied, {}, &ImpliedDefault::op_type));

struct WeightInput {
  std::string_view op_type;
  std::size_t index;
};
constexpr WeightInput kWeightInputs[] = {
    {"Conv", 1}, {"ConvInteger", 1}, {"ConvTranspose", 1}, {"DeformConv", 1}, {"QLinearConv", 3},
};

bool is_implied(const NodeFacts& node, std::int32_t since, const Attribute& a) {
  const auto rows = std::ranges::equal_range(kImplied, node.op_type, {}, &ImpliedDefault::op_type);
  return std::ranges::any_of(rows, [&](const ImpliedDefault& row) {
    return row.attribute == a.name && row.type == a.type && row.first <= since &&
           since <= row.last && row.matches(node, a);
  });
}

}  // namespace

std::optional<std::size_t> weight_input(std::string_view op_type) {
  for (const WeightInput& row : kWeightInputs)
    if (row.op_type == op_type) return row.index;
  return std::nullopt;
}

std::int32_t since_version(std::string_view domain, std::string_view op_type, std::int32_t opset) {
  const OperatorVersion* version = defaults_table().find(domain, op_type, opset);
  return version == nullptr ? opset : version->since;
}

bool is_default(const NodeFacts& node, const Attribute& attribute) {
  const OperatorVersion* version = defaults_table().find(node.domain, node.op_type, node.opset);
  if (version == nullptr || !attribute.ref_attr_name.empty()) return false;
  const auto written = version->default_of(attribute.name);
  return (written && has_value(attribute, *written)) || is_implied(node, version->since, attribute);
}

}  // namespace ridge::ops
