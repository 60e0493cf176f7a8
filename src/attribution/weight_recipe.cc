// SPDX-License-Identifier: Apache-2.0
#include "attribution/weight_recipe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ridge::attribution {
namespace {

using analysis::Resolved;
using graph::ValueId;

constexpr int kMaxHops = 16;  // through Transpose, Reshape and similar nodes to the use of a weight

struct Spread {
  double mean = 0, deviation = 0;
};

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

bool passes(std::string_view op) {
  return is_one_of(op, {"Identity", "Reshape", "Flatten", "Transpose", "Cast", "Squeeze",
                        "Unsqueeze", "Expand", "Slice", "Split"});
}

/// Returns a dimension of a value counted from the end (-1 is the last); 1 if it is unknown.
double dimension(const Resolved& r, ValueId v, int from_end) {
  const ops::Shape& shape = r.type(v).shape;
  const int at = shape.rank + from_end;
  if (!shape.ranked() || at < 0 || !shape[static_cast<std::size_t>(at)].known()) return 1;
  return static_cast<double>(
      std::max<std::int64_t>(1, shape[static_cast<std::size_t>(at)].value()));
}

/// Returns the product of all dimensions except `axis`.
double others(const Resolved& r, ValueId v, int axis) {
  const ops::Shape& shape = r.type(v).shape;
  double product = 1;
  for (int i = 0; i < shape.rank; ++i)
    if (i != axis) product *= dimension(r, v, i - shape.rank);
  return product;
}

std::int64_t int_attribute(const graph::Node& node, std::string_view name) {
  const onnx::Attribute* a = graph::attribute(node, name);
  return a == nullptr ? 0 : a->i;
}

/// Spread for a matrix product: deviation 1 / sqrt(number of summed terms).
Spread product_spread(double summed) { return {0, std::sqrt(1 / summed)}; }

/// Spread by input index from 1 on, the order of normalizations: scale, bias, mean, variance.
Spread normalization_spread(std::size_t input) {
  constexpr std::array<Spread, 5> kByInput = {{{0, 1}, {1, 0.06}, {0, 0.03}, {0, 0.06}, {1, 0.06}}};
  return kByInput[std::min<std::size_t>(input, kByInput.size() - 1)];
}

Spread recurrent_spread(const Resolved& r, ValueId v, std::size_t input) {
  return input == 1 || input == 2 ? product_spread(dimension(r, v, -1)) : Spread{0, 0.03};
}

/// Returns the distribution of a weight at `input` of `node`.
Spread spread_for(const Resolved& r, const graph::Node& node, std::size_t input, ValueId v) {
  const std::string_view op = node.op_type;
  if (op == "Conv") return input == 1 ? Spread{0, std::sqrt(2 / others(r, v, 0))} : Spread{0, 0.03};
  if (op == "ConvTranspose") return input == 1 ? product_spread(others(r, v, 1)) : Spread{0, 0.03};
  if (op == "Gemm" && input < 2) {
    const bool transposed = int_attribute(node, input == 0 ? "transA" : "transB") != 0;
    return product_spread(dimension(r, v, (input == 0) != transposed ? -1 : -2));
  }
  if (op == "MatMul" || op == "FusedMatMul")
    return product_spread(dimension(r, v, input == 0 ? -1 : -2));
  if (op.ends_with("Normalization")) return normalization_spread(input);
  if (is_one_of(op, {"LSTM", "GRU", "RNN"})) return recurrent_spread(r, v, input);
  if (is_one_of(op, {"Mul", "Div", "Pow"})) return {1, 0.06};
  if (op == "Sqrt" || op == "Log") return {1, 0.06};
  if (op == "PRelu") return {0.25, 0.03};
  if (is_one_of(op, {"Gather", "GatherElements", "GatherND", "Concat"})) return {0, 0.6};
  return {0, 0.03};  // added, or unknown: small
}

bool no_weight(std::string_view op) {
  return is_one_of(op, {"ScatterND",   "ScatterElements",
                        "Scatter",     "Where",
                        "Equal",       "Greater",
                        "Less",        "GreaterOrEqual",
                        "LessOrEqual", "NonZero",
                        "Shape",       "Size",
                        "If",          "Loop",
                        "Scan",        "Not",
                        "And",         "Or",
                        "Xor",         "Range",
                        "CumSum",      "Trilu",
                        "EyeLike",     "OneHot",
                        "Resize",      "Upsample"});
}

struct Use {
  std::optional<graph::Node> node;
  std::size_t input = 0;
  ValueId value = graph::kNone;
};

/// Returns the first node that does more than pass the weight through.
Use first_use(const Resolved& r, ValueId weight) {
  ValueId v = weight;
  for (int hop = 0; hop < kMaxHops; ++hop) {
    const std::span<const graph::NodeId> readers = r.model().consumers(v);
    if (readers.empty()) return {};
    const graph::Node& node = r.model().node(readers[0]);
    const auto at = std::find(node.inputs.begin(), node.inputs.end(), v);
    const auto input = static_cast<std::size_t>(at - node.inputs.begin());
    if (!passes(node.op_type) || input != 0 || node.outputs.empty() ||
        node.outputs[0] == graph::kNone)
      return {node, input, v};
    v = node.outputs[0];
  }
  return {};
}

}  // namespace

std::optional<SeededTensor> recipe_for(const Resolved& resolved, ValueId weight,
                                       std::uint64_t seed) {
  for (const graph::NodeId reader : resolved.model().consumers(weight))
    if (no_weight(resolved.model().node(reader).op_type)) return std::nullopt;
  const Use use = first_use(resolved, weight);
  if (!use.node || no_weight(use.node->op_type)) return std::nullopt;
  const Spread spread = spread_for(resolved, *use.node, use.input, use.value);
  // A uniform distribution of half-width s has a deviation of s / sqrt(3).
  return SeededTensor{.seed = seed,
                      .mean = static_cast<float>(spread.mean),
                      .scale = static_cast<float>(spread.deviation * std::sqrt(3.0))};
}

}  // namespace ridge::attribution
