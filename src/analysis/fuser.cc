#include "analysis/fuser.h"

#include <algorithm>
#include <array>

#include "analysis/fusion_groups.h"

namespace ridge::analysis {
namespace {

/// Operators that are element-wise over inputs of one shape (or broadcast to it). Sorted.
// clang-format off
constexpr std::array<std::string_view, 72> kElementwise = {
    "Abs", "Acos", "Acosh", "Add", "And", "Asin", "Asinh", "Atan", "Atanh",
    "BatchNormalization", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor",
    "Cast", "CastLike", "Ceil", "Celu", "Clip", "Cos", "Cosh", "DequantizeLinear", "Div", "Elu",
    "Equal", "Erf", "Exp", "Floor", "Gelu", "Greater", "GreaterOrEqual", "HardSigmoid",
    "HardSwish", "IsInf", "IsNaN", "LeakyRelu", "Less", "LessOrEqual", "Log", "Max", "Mean",
    "Min", "Mish", "Mod", "Mul", "Neg", "Not", "Or", "PRelu", "Pow", "QuantizeLinear",
    "Reciprocal", "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh",
    "Softplus", "Softsign", "Sqrt", "Sub", "Sum", "Swish", "Tan", "Tanh", "ThresholdedRelu",
    "Where", "Xor",
};
// clang-format on
/// Element-wise operators of com.microsoft.
constexpr std::array<std::string_view, 4> kContributed = {"BiasGelu", "FastGelu", "Gelu",
                                                          "QuickGelu"};

bool elementwise(const FusionGroups& groups, graph::NodeId n) {
  const graph::Node& node = groups.node(n);
  if (node.domain == "com.microsoft")
    return std::find(kContributed.begin(), kContributed.end(), node.op_type) != kContributed.end();
  return node.domain.empty() && node.bodies.empty() &&
         std::binary_search(kElementwise.begin(), kElementwise.end(), node.op_type);
}

/// Returns the input whose producer `n` is fused into; kNone if there is none.
graph::ValueId carrier(const FusionGroups& groups, graph::NodeId n) {
  const graph::ValueId out = groups.output(n);
  if (out == graph::kNone || !elementwise(groups, n)) return graph::kNone;
  graph::ValueId best = graph::kNone;
  std::uint32_t made = 0;
  for (const graph::ValueId v : groups.node(n).inputs) {
    if (v == graph::kNone || groups.constant(v) || !groups.same_shape(v, out)) continue;
    const auto producer = groups.producer(v, n);
    if (!producer || groups.output(*producer) != v || groups.only_reader(v) != n) continue;
    if (!groups.moves(*producer) || groups.position(*producer) < made) continue;
    best = v;
    made = groups.position(*producer);
  }
  return best;
}

void fuse_epilogues(FusionGroups& groups) {
  for (const graph::Graph& g : groups.model().graphs()) {
    for (const graph::NodeId n : g.order)
      if (const graph::ValueId v = carrier(groups, n); v != graph::kNone)
        groups.join(groups.model().value(v).producer, n);
  }
}

}  // namespace

Fusion assume_fusion(const Resolved& resolved, Fuse how) {
  FusionGroups groups(resolved);
  if (how == Fuse::kEpilogue) fuse_epilogues(groups);
  if (how == Fuse::kRuntime) fuse_as_runtimes_do(groups);
  return groups.finish();
}

}  // namespace ridge::analysis
