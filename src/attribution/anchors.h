// SPDX-License-Identifier: Apache-2.0
// Anchors: tensors of the optimized graph whose counterpart in the original is known.
//
//   Anchors anchors = find_anchors(original, numbers, graph);
//   anchors.value[v]   // original value of tensor v, maybe in another layout; kNone: unknown
//
// A tensor is anchored if its name is unchanged, or by a naming rule of ONNX Runtime (all observed
// by running it, none documented):
//   <T>[_bn]_nchwc             a kernel in blocked layout that computes T, and then operators
//                              fused after T (a sum, an activation)
//   <node>, blocked            an elementwise kernel, Concat, ... inside a blocked area computes
//                              the node's outputs
//   ReorderInput               its input; with channels_last a Transpose(0,3,1,2) of it
//   <T>/duplicated             a second kernel that computes T (a shared DequantizeLinear)
//   _if_<branch>_<T>           T of a branch that was chosen at load time
//   InsertedPrecisionFreeCast_<T>   T in another element type
//   <node>[_token_<n>]         if `reference`, the dump of a lower optimization level, has a
//                              kernel with that stem: the same outputs, permuted
//
// In a graph made from a list of layers (listed.h) tensor names carry no information. There the
// output of a layer is the output of the last node that the runtime lists for the layer, if both
// have the same number of elements; of a layer with more outputs than the node (a TopK that
// executes an ArgMax) only outputs that other layers read count. The output of a Reorder without
// listed nodes is its input.
// Cost: O(nodes + edges).
#pragma once

#include <vector>

#include "attribution/optimized.h"
#include "attribution/original.h"
#include "attribution/value_numbers.h"
#include "profile/profile.h"

namespace ridge::attribution {

struct Anchors {
  std::vector<ValueId> value;               ///< by ValueId of the dump
  std::vector<profile::Evidence> evidence;  ///< kSameTensor, kRenamed or kValue, where anchored
  std::vector<bool> blocked;                ///< by ValueId of the dump: in a blocked layout
};

Anchors find_anchors(const Original& original, const ValueNumbers& numbers,
                     const OptimizedGraph& graph, const OptimizedGraph* reference = nullptr);

/// Returns the last node, in the original's order, that a layer computes according to its listing;
/// kNone if it lists none.
NodeId last_made(const Original& original, const Listing& listing);
/// Returns the original node that a kernel is named after; kNone if its name contains none.
NodeId named_node(const Original& original, const graph::Node& kernel);
/// True for a kernel in blocked layout (NCHWc), recognized by its domain.
bool is_blocked(const graph::Node& kernel);

}  // namespace ridge::attribution
