// SPDX-License-Identifier: Apache-2.0
// Groups of nodes that are assumed to run as one kernel, under a stated fusion model.
//
//   const Fusion f = assume_fusion(resolved, Fuse::kEpilogue);
//   f.runs_with[n]      // last node of n's group, where the group runs; n itself if alone
//
// Fusion models:
// - kNone: no fusion.
// - kEpilogue: a region of element-wise nodes is fused into the producer of a value if all uses of
//   the value pass through the region, one value leaves it, and all values in it have one shape:
//   y = Relu(x), or y = x * Sigmoid(x). Of several producers, the one that comes last carries a
//   node. Element-wise nodes whose value only element-wise nodes of one group read join that group.
//   This is what an optimizing compiler achieves.
// - kRuntime: the fusions of ONNX Runtime's optimizer (listed in fusion_runtime.cc and
//   fusion_quantized.cc): constant folding; Conv with BatchNormalization, constant scale and shift,
//   a sum and an activation; Gemm and MatMul with bias and activation, scales and transposes; layer
//   and root-mean-square normalization and activations that are spelled out as element-wise nodes;
//   the sum before a normalization; operators between DequantizeLinear and QuantizeLinear.
// Cost: O((nodes + values + edges) log nodes) per level of nested regions. Thread safety: pure.
#pragma once

#include "analysis/resolved.h"
#include "analysis/traffic/fusion.h"

namespace ridge::analysis {

Fusion assume_fusion(const Resolved& resolved, Fuse how);

}  // namespace ridge::analysis
