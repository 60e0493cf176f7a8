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
// Cost: O(nodes + values + edges). Thread safety: pure.
#pragma once

#include "analysis/fusion.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

Fusion assume_fusion(const Resolved& resolved, Fuse how);

}  // namespace ridge::analysis
