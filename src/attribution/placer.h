// SPDX-License-Identifier: Apache-2.0
// Placement of each original node on the kernel that computes it.
//
// For every kernel with an anchored output, a walk goes backwards through the original from that
// tensor to the next anchored ones: the nodes on the way are computed by the kernel, or by its
// region. A region of one kernel gets all of them. In a larger region the set is exact as a whole,
// and divided by the first rule that applies:
//   a  a kernel is named after the node
//   b  a kernel of the node's operator produces the node's output
//   c  a tensor is named after the node, and a kernel produces it
//   d  a kernel of the node's operator has no member yet
//   e  the node is a product (Conv, Gemm, MatMul, ...): a product kernel without a product
//      member, else the only product kernel
//   f  a neighboring node is placed, preferably in a product
//   g  the kernel at whose output the walk began
// Cost: each node and each kernel is visited once, apart from the ends of walks and up to kMaxParts
// nodes of other kernels per walk.
#pragma once

#include "attribution/anchors.h"
#include "attribution/optimized.h"
#include "attribution/original.h"
#include "attribution/placement.h"
#include "attribution/regions.h"
#include "attribution/value_numbers.h"

namespace ridge::attribution {

Placement place(const Original& original, const ValueNumbers& numbers, const OptimizedGraph& graph,
                const Anchors& anchors, const Regions& regions);

}  // namespace ridge::attribution
