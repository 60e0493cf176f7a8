// SPDX-License-Identifier: Apache-2.0
// The layers of a profile as a graph of tasks, with the order that their data demands.
//
//   const LayerGraph graph(model, profile, placed);
//   graph.longest_path(times)           // times by layer
//   graph.scheduled(times, 2)           // on two workers
//
// A task is a layer, or several that depend on each other in both directions. One task follows
// another if one of its nodes reads, perhaps through nodes without a layer, what a node of the
// other produces. Nodes in bodies of control flow belong to the task of the node that owns them.
//
// A layer without nodes, such as a reorder that the runtime inserted, is in no place that the model
// shows: without an edge in `placed` it is no task and its time is left out, as a bound needs it,
// because another implementation has no such layer. A sum of measured times needs all layers:
// placed_layers.h has their edges.
//
// Example: x -> a -> b, x -> c, (b, c) -> d with the times 3, 2, 4 and 1: the longest path is a, b,
// d: 6; two workers take 6, one takes 10.
//
// Thread rule: immutable once made. Cost: O(nodes + edges); scheduled: O(tasks log tasks + edges).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/model.h"
#include "profile/profile.h"

namespace ridge::advice {

/// A layer that waits for another, by their positions in Profile::layers.
struct LayerEdge {
  std::size_t from = 0, to = 0;
  bool operator==(const LayerEdge&) const = default;
};

class LayerGraph {
 public:
  LayerGraph(const graph::Model& model, const profile::Profile& profile,
             std::span<const LayerEdge> placed = {});

  double longest_path(std::span<const double> layer_ns) const;
  /// Duration if each of the workers runs one task at a time and a free one takes the task that is
  /// ready and has the longest path behind it (list scheduling; Graham 1969, SIAM J. Appl. Math.
  /// 17:416). A task takes as long as alone: bandwidth that workers share is not modeled.
  double scheduled(std::span<const double> layer_ns, std::uint32_t workers) const;

  /// Latency of a run with one thread, from its layers so scheduled and the time outside of them;
  /// nullopt if it has several threads, which a layer uses already. Not above the latency.
  std::optional<double> scheduled(const profile::Profile& run, std::uint32_t workers) const;
  /// True if another task reads one of the tensors that the layer reads.
  bool shares_input(std::size_t layer) const {
    return task_of_layer_[layer] != graph::kNone && shares_input_[task_of_layer_[layer]];
  }
  /// Tasks are numbered in an order that the data allows; nodes without a layer are tasks too.
  /// graph::kNone: the layer has no nodes and no place.
  std::uint32_t task_of_layer(std::size_t layer) const { return task_of_layer_[layer]; }
  std::uint32_t task_of_node(graph::NodeId n) const { return task_of_node_[n]; }
  std::size_t tasks() const { return after_.size(); }

 private:
  /// Sets after_; returns the task of each vertex.
  std::vector<std::uint32_t> order(const std::vector<std::vector<std::uint32_t>>& edges);
  std::vector<double> times(std::span<const double> layer_ns) const;
  /// By task: time from its begin to the end of the last task behind it.
  std::vector<double> levels(std::span<const double> task_ns) const;

  std::vector<std::uint32_t> task_of_node_;        // of nodes in bodies too
  std::vector<std::uint32_t> task_of_layer_;       // kNone: no nodes and no place
  std::vector<std::vector<std::uint32_t>> after_;  // by task, in topological order: its followers
  std::vector<bool> shares_input_;                 // by task
};

}  // namespace ridge::advice
