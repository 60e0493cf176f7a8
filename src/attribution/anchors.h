// Tensors of the optimised graph whose meaning in the original is known.
//
//   Anchors anchors = find_anchors(original, numbers, graph);
//   anchors.value[v] // the original value that tensor v of the dump holds, maybe in another
//   layout; kNone: open
//
// A tensor is anchored by its surviving name, or by a naming rule of ONNX Runtime (each seen by
// running, none from documentation):
//   <T>[_bn]_nchwc a kernel in blocked layout that makes T, and then what was fused after T (a sum,
//   an activation)
//   <node>, blocked an elementwise kernel, Concat, ... inside a blocked area makes the node's
//   outputs
//   ReorderInput the same value, or with channels_last what a Transpose(0,3,1,2) makes of it
//   <T>/duplicated           a second kernel that makes T (a shared DequantizeLinear)
//   _if_<branch>_<T>         T of a branch that was chosen at load
//   InsertedPrecisionFreeCast_<T>   T in another element type
//   <node>[_token_<n>] where `reference`, the dump of a lower level, has a kernel of that stem: the
//   same outputs, permuted
// Of a graph that is a list of layers (listed.h), whose tensors have no names that mean anything, a
// layer's output holds what the last of the nodes makes that the runtime says the layer makes, if
// it has as many elements; a Reorder without any holds what it reads.
// Cost: O(nodes + edges).
#pragma once

#include <vector>

#include "attribution/optimised.h"
#include "attribution/original.h"
#include "attribution/value_numbers.h"
#include "profile/profile.h"

namespace ridge::attribution {

struct Anchors {
  std::vector<ValueId> value;               ///< by ValueId of the dump
  std::vector<profile::Evidence> evidence;  ///< kSameTensor or kRenamed, where anchored
  std::vector<bool> blocked;                ///< lies in a blocked layout
};

Anchors find_anchors(const Original& original, const ValueNumbers& numbers,
                     const OptimisedGraph& graph, const OptimisedGraph* reference = nullptr);

/// The last node in the original's order of those that a layer makes; kNone where it names none.
NodeId last_made(const Original& original, const Listing& listing);
/// The node of the original that a kernel is called after; kNone where its name says none.
NodeId named_node(const Original& original, const graph::Node& kernel);
/// In a blocked layout (NCHWc): a kernel of that domain.
bool is_blocked(const graph::Node& kernel);

}  // namespace ridge::attribution
