// Groups of nodes that are assumed to run as one kernel, under a stated fusion model.
//
//   const Fusion f = assume_fusion(resolved, Fuse::kEpilogue);
//   f.runs_with[n]      // last node of n's group, where the group runs; n itself if alone
//
// Fusion models:
// - kNone: no fusion.
// - kEpilogue: an element-wise node is fused into the producer of one of its inputs if it is the
//   only reader of that input and the input has the shape of its output; of several such inputs,
//   the one produced last. This is what an optimizing compiler achieves on chains.
// - kRuntime: the fusions of ONNX Runtime's optimizer (listed in fusion_runtime.cc and
//   fusion_quantized.cc): constant folding; Conv with BatchNormalization, constant scale and shift,
//   a sum and an activation; Gemm and MatMul with bias and activation, scales and transposes; layer
//   and root-mean-square normalization and activations that are spelled out as element-wise nodes;
//   the sum before a normalization; operators between DequantizeLinear and QuantizeLinear.
// A group lies within one graph, all other members precede the last, and only the last member's
// outputs leave the group.
// Cost: O(nodes + values + edges). Thread safety: pure.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

enum class Fuse : std::uint8_t { kNone, kEpilogue, kRuntime };

struct Fusion {
  std::vector<graph::NodeId> runs_with;  ///< by node: last node of its group
  std::vector<bool> inside;              ///< by value: never leaves its group
  /// by node: causes no traffic, since it is computed at model load or leaves the stored data
  /// unchanged
  std::vector<bool> folded;
  /// Replaced operands: (reader, value) -> the value that the reader loads in place of `value`,
  /// because it applies the producer itself (a transpose or a DequantizeLinear with several
  /// readers).
  std::map<std::pair<graph::NodeId, graph::ValueId>, graph::ValueId> instead;
  /// Pairs of values with identical storage: input and output of a node that does nothing.
  std::vector<std::pair<graph::ValueId, graph::ValueId>> same;
  std::int64_t fused = 0;  ///< nodes that run with another node
};

Fusion assume_fusion(const Resolved& resolved, Fuse how);

}  // namespace ridge::analysis
