// Which nodes are taken to run as one, under a stated assumption.
//
//   const Fusion f = assume_fusion(resolved, Fuse::kEpilogue);
//   f.runs_with[n]      // the node at whose place n runs: the last of its group, itself if alone
//
// Assumptions:
// - kNone: every node by itself.
// - kEpilogue: an element-wise node rides in the pass that makes its input, where it alone reads
//   that input and the input has the shape of its output; of several such inputs the one made last.
//   What an optimising compiler reaches on chains.
// - kRuntime: what ONNX Runtime's optimiser does (fusion_runtime.cc and fusion_quantised.cc list
//   it): constants folded; Conv with BatchNormalization, constant scale and shift, a sum and an
//   activation; Gemm and MatMul with bias and activation, scales and transposes; layer and
//   root-mean-square normalization and activations that are written out in element-wise nodes; the
//   sum before a normalization; operators between DequantizeLinear and QuantizeLinear.
// A group lies within one graph, its other members come before the last, and only the last member's
// outputs leave it.
// Cost: O(nodes + values + edges). Thread rule: pure.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

enum class Fuse : std::uint8_t { kNone, kEpilogue, kRuntime };

struct Fusion {
  std::vector<graph::NodeId> runs_with;  ///< by node
  std::vector<bool> inside;              ///< by value: never leaves its group
  std::vector<bool> folded;  ///< by node: it moves nothing, since it is computed when the model is
                             ///< loaded or does nothing to what is stored
  /// A reader that computes a value on the way, and the value that it reads in its place: a
  /// transpose or a DequantizeLinear with several readers that take it in.
  std::map<std::pair<graph::NodeId, graph::ValueId>, graph::ValueId> instead;
  /// Values that hold the same bytes: what nodes that do nothing read and write.
  std::vector<std::pair<graph::ValueId, graph::ValueId>> same;
  std::int64_t fused = 0;  ///< nodes that run with another
};

Fusion assume_fusion(const Resolved& resolved, Fuse how);

}  // namespace ridge::analysis
