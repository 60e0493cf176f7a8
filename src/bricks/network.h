// SPDX-License-Identifier: Apache-2.0
// A model as a runtime executes it: its fused layers in an executable order, each with the nodes of
// the canonical copy that it computes.
//
//   Network network = TRY(make_network(resolved, copy, optimized, attribution));
//   for (const FusedLayer& layer : network.layers) ...     // each after the layers it reads from
//
// A unit is a node of the copy's main graph; nodes inside the bodies of control flow belong to the
// unit of their owner. Layers that depend on each other in both directions (kernels that alternate)
// are one layer here, so that any interval of `layers` reads only what earlier layers and the
// model's inputs produce.
//
// A Softmax behind a sum with a tensor that is known before the run, such as the mask of shifted
// windows or a position bias, is one layer with that sum and with the product that reads it. Where
// a mask adds -100, exp() gives subnormal numbers, with which Softmax and the product take several
// times as long: apart from the mask their bricks would never meet them.
//
// Kernels that the runtime inserts belong to the layer that produces their input (a reorder back to
// the plain layout) or reads their output (a reorder to a blocked layout).
//
// Ownership: shares documents and models. Thread rule: immutable once made. Cost: O(nodes + edges).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "attribution/canonical.h"
#include "attribution/optimized.h"
#include "base/result.h"

namespace ridge::bricks {

/// Position of a node in the main graph of the copy.
using Unit = std::uint32_t;
inline constexpr std::uint32_t kNone = graph::kNone;

struct FusedLayer {
  std::vector<Unit> units;  ///< ascending; each unit is in at most one layer
  /// Units of other layers that the runtime computes here again.
  std::vector<Unit> repeated;
  std::vector<graph::NodeId> kernels;  ///< nodes of the optimized graph, ascending
  /// Nodes of the model, ascending: those that it computes, and those that need no kernel and whose
  /// first reader is here.
  std::vector<graph::NodeId> nodes;
  std::int64_t macs = 0;  ///< sum over all executions
};

/// Node of the model that no layer stands for.
struct LeftOverNode {
  graph::NodeId node = 0;
  std::string why;
};

struct Network {
  analysis::Resolved resolved;
  attribution::Canonical copy;
  attribution::OptimizedGraph optimized;
  attribution::Attribution attribution;

  std::vector<FusedLayer> layers;
  std::vector<std::uint32_t> layer_of;  ///< by unit; kNone: it needs no kernel
  std::vector<LeftOverNode> left_over;  ///< ascending

  // The copy's main graph by name.
  std::unordered_map<std::string_view, Unit> producer;
  std::unordered_map<std::string_view, const onnx::Tensor*> initializer;
  std::unordered_map<std::string_view, graph::ValueId> value;  ///< value of the model
  /// Tensor with the same data and shape: of another unit, which is computed once for both, or the
  /// input that a node without effect passes through.
  std::unordered_map<std::string_view, std::string_view> same_as;

  const onnx::Graph& graph() const { return copy.document->model.graph; }
  const onnx::Node& node(Unit u) const { return graph().nodes[u]; }
};

/// Follows Network::same_as to the tensor that is computed.
std::string_view origin(const Network& network, std::string_view name);

/// Errors: a bug if a layer has no node of the copy.
Result<Network> make_network(const analysis::Resolved& resolved, attribution::Canonical copy,
                             attribution::OptimizedGraph optimized,
                             attribution::Attribution attribution);

}  // namespace ridge::bricks
