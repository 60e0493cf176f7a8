// SPDX-License-Identifier: Apache-2.0
// Fusion by ONNX Runtime's optimizer of operators between DequantizeLinear and QuantizeLinear
// (onnxruntime/core/optimizer/qdq_transformer, on x86-64): they become operators on eight-bit
// integers, or only move elements, or vanish.
#include <algorithm>
#include <array>

#include "analysis/traffic/fusion_groups.h"

namespace ridge::analysis {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Operators with an integer kernel (QLinear*, QGemm).
constexpr std::array<std::string_view, 12> kComputed = {
    "Add",       "AveragePool", "Concat", "Conv",    "Gemm",    "GlobalAveragePool",
    "LeakyRelu", "MatMul",      "Mul",    "Sigmoid", "Softmax", "Where"};
/// Operators that move elements without interpreting them.
constexpr std::array<std::string_view, 7> kMoving = {"DepthToSpace", "Gather", "MaxPool",  "Resize",
                                                     "Slice",        "Split",  "Transpose"};
/// Operators that leave the stored data as it is.
constexpr std::array<std::string_view, 4> kViews = {"Flatten", "Reshape", "Squeeze", "Unsqueeze"};
/// Operators between a computation and its QuantizeLinear that are dropped if the quantized range
/// implies them.
constexpr std::array<std::string_view, 2> kBounds = {"Clip", "Relu"};

class QuantizedFusion {
 public:
  explicit QuantizedFusion(FusionGroups& groups) : groups_(groups), model_(groups.model()) {}

  void run() {
    for (const graph::Graph& g : model_.graphs()) {
      for (const NodeId n : g.order) {
        if (!groups_.free_to_join(n)) continue;
        if (groups_.is_one_of(n, kViews))
          drop(n);
        else if (groups_.is_one_of(n, kBounds))
          drop(n);
        else if (groups_.is_one_of(n, kMoving))
          move(n);
        else if (groups_.is_one_of(n, kComputed))
          compute(n);
      }
    }
  }

 private:
  using DataType = onnx::DataType;

  DataType type(ValueId v) const {
    return v == kNone ? DataType::kUndefined : groups_.resolved().type(v).dtype;
  }
  bool floating(ValueId v) const {
    const onnx::DataTypeInfo* row = onnx::info(type(v));
    return row != nullptr && row->floating;
  }
  static bool eight_bits(DataType t) { return t == DataType::kUint8 || t == DataType::kInt8; }

  /// Returns the DequantizeLinear that produces a value.
  std::optional<NodeId> dequantized(ValueId v, NodeId reader) const {
    return groups_.maker(v, reader, "DequantizeLinear");
  }
  ValueId stored(NodeId dequantize) const { return groups_.input(dequantize, 0); }

  /// Scale and zero point, if both are constants with one element.
  struct Step {
    double scale = 0;
    std::int64_t zero = 0;
    bool operator==(const Step&) const = default;
  };
  std::optional<Step> step(NodeId n) const {
    const ValueId scale = groups_.input(n, 1), zero = groups_.input(n, 2);
    if (!groups_.scalar_constant(scale)) return std::nullopt;
    const ops::Value* s = groups_.resolved().value(scale);
    if (s == nullptr || s->reals.size() != 1) return std::nullopt;
    if (zero == kNone) return Step{s->reals[0], 0};
    const ops::Value* z = groups_.resolved().value(zero);
    if (z == nullptr || z->ints.size() != 1 || !z->ints[0].known()) return std::nullopt;
    return Step{s->reals[0], z->ints[0].value()};
  }

  /// True if the Relu or Clip has no effect within the quantized range of the following
  /// QuantizeLinear.
  bool beyond_range(NodeId bound, NodeId quantize) const {
    const std::optional<Step> at = step(quantize);
    const DataType to = type(groups_.output(quantize));
    if (!at || !eight_bits(to)) return false;
    // Example: uint8 with scale 0.1 and zero point 0 has the range 0 to 25.5, in which a Relu cuts
    // nothing that the quantization does not; with zero point 128 it begins at -12.8, and Relu
    // cuts.
    const std::int64_t least = to == DataType::kUint8 ? 0 : -128;
    const double low = static_cast<double>(least - at->zero) * at->scale;
    const double high = static_cast<double>(least + 255 - at->zero) * at->scale;
    if (groups_.is(bound, "Relu")) return low >= 0;
    const auto limit = [&](std::size_t i, double none) -> std::optional<double> {
      const ValueId v = groups_.input(bound, i);
      if (v == kNone) return none;
      const ops::Value* value = groups_.resolved().value(v);
      if (value == nullptr || value->reals.size() != 1) return std::nullopt;
      return value->reals[0];
    };
    const std::optional<double> from = limit(1, low), up_to = limit(2, high);
    return from && up_to && *from <= low && high <= *up_to;
  }

  /// Nodes that follow `n` as [Relu or Clip,] QuantizeLinear; empty if the pattern does not match.
  std::vector<NodeId> quantized(NodeId n) const {
    if (const auto quantize = groups_.next(n, "QuantizeLinear")) return {*quantize};
    for (const std::string_view name : kBounds) {
      const auto bound = groups_.next(n, name);
      const auto quantize = bound ? groups_.next(*bound, "QuantizeLinear") : std::nullopt;
      if (quantize && beyond_range(*bound, *quantize)) return {*bound, *quantize};
    }
    return {};
  }

  /// Drops DequantizeLinear, an operator without effect, and QuantizeLinear with the same scale and
  /// zero point.
  void drop(NodeId n) {
    const auto dequantize = dequantized(groups_.input(n, 0), n);
    const auto quantize = groups_.next(n, "QuantizeLinear");
    if (!dequantize || !quantize || !same_step(*dequantize, *quantize)) return;
    if (groups_.is_one_of(n, kBounds) && !beyond_range(n, *quantize)) return;
    if (groups_.only_reader(groups_.output(*dequantize)) != n) return;
    const std::array members = {*dequantize, n, *quantize};
    groups_.drop(members, stored(*dequantize), groups_.output(*quantize));
  }

  bool same_step(NodeId dequantize, NodeId quantize) const {
    const std::optional<Step> before = step(dequantize);
    return before && before == step(quantize) &&
           type(stored(dequantize)) == type(groups_.output(quantize));
  }

  void move(NodeId n) {
    const auto dequantize = dequantized(groups_.input(n, 0), n);
    if (!dequantize || groups_.output(n) == kNone) return;
    const auto quantize = groups_.next(n, "QuantizeLinear");
    if (!quantize || !same_step(*dequantize, *quantize)) return;
    groups_.take_in(n, groups_.output(*dequantize), stored(*dequantize));
    groups_.join(n, *quantize);
  }

  void compute(NodeId n) {
    if (!operands_dequantized(n)) return;
    const bool product = groups_.is(n, "MatMul") || groups_.is(n, "Gemm");
    const bool weights_alone = product && !dequantized(groups_.input(n, 0), n);
    const std::vector<NodeId> after = weights_alone ? std::vector<NodeId>() : quantized(n);
    if (after.empty() && !product) return;
    for (const ValueId v : model_.inputs(n))
      if (const auto dequantize = dequantized(v, n)) groups_.take_in(n, v, stored(*dequantize));
    NodeId last = n;
    for (const NodeId next : after) {
      groups_.join(last, next);
      last = next;
    }
  }

  /// True if all floating-point operands are dequantized from eight-bit integers; for a matrix
  /// product, the weights alone suffice. A bias may be a constant of any type. The activations of
  /// Conv and MatMul must be unsigned: x86-64 kernels exist only for these.
  bool operands_dequantized(NodeId n) const {
    const bool conv = groups_.is(n, "Conv"), matmul = groups_.is(n, "MatMul");
    const bool product = matmul || groups_.is(n, "Gemm");
    const auto inputs = model_.inputs(n);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const ValueId v = inputs[i];
      if (v == kNone || !floating(v) || ((conv || product) && i == 2)) continue;
      const auto dequantize = dequantized(v, n);
      if (!dequantize) {
        if (product && i == 0) continue;
        return false;
      }
      if (!eight_bits(type(stored(*dequantize)))) return false;
      if ((conv || matmul) && i == 0 && type(stored(*dequantize)) != DataType::kUint8) return false;
    }
    return true;
  }

  FusionGroups& groups_;
  const graph::Model& model_;
};

}  // namespace

void fuse_quantized(FusionGroups& groups) { QuantizedFusion(groups).run(); }

}  // namespace ridge::analysis
