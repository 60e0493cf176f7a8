// Attribution of runtime layers to the nodes of the original model.
//
//   Canonical copy = TRY(canonicalise(resolved)); // the model that the runtime loads (canonical.h)
//   ... the runtime loads copy.bytes, is profiled, dumps its optimized graph ...
//   OptimizedGraph graph = TRY(read_optimized(dump));             // optimized.h
//   Attribution a = TRY(attribute(resolved, copy, graph));
//
// Method: anchors (tensors of the optimized graph with a known original counterpart, by unchanged
// name or by a naming rule), regions (kernels connected by tensors that are not anchored), backward
// walks through the original from each anchor to the next, and value numbers for nodes that the
// runtime merged. Every node ends up in exactly one place; MACs are conserved, and attribute()
// checks this (conservation.h). Nothing is tuned to particular models: a node that no rule explains
// is placed with a neighbor and marked as a guess.
//
// Ownership: an Attribution is plain data. Cost: O(nodes + edges) of both graphs.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "attribution/optimized.h"
#include "base/result.h"
#include "profile/profile.h"

namespace ridge::attribution {

/// One kernel of the runtime's optimized graph, associated with its profiling events by name
/// (join_events).
struct Kernel {
  std::string name;  ///< name in the optimized graph; empty if the runtime gave none
  std::string op_type, domain;
  graph::NodeId parent = graph::kNone;  ///< kernel whose body contains this one
};

/// A group of kernels and the nodes that it computes: the smallest group whose members are certain.
struct Layer {
  std::string name;  ///< name of the node with the main work, else of the kernel
  /// operator of the first kernel, or of the single node that several kernels implement
  std::string type;
  /// Indices into Attribution::kernels; the members are those of the first.
  std::vector<std::uint32_t> kernels;
  std::vector<profile::Member> members;  ///< ascending by node
  /// true without members: a kernel of the runtime's own, such as a reorder, cast or copy
  bool inserted = false;
  std::string layout;  ///< same values as profile::Layer::layout
};

struct Attribution {
  std::vector<Kernel> kernels;  ///< by NodeId of the optimized graph, bodies included
  /// In order of execution of their first kernels; every kernel in exactly one layer.
  std::vector<Layer> layers;
  /// by kernel; kNone only after drop_views() or drop_unexecuted()
  std::vector<std::uint32_t> layer_of;
  std::vector<profile::WithoutLayer> without_layer;
  /// Nodes without even a placed neighbor: a defect, reported as such.
  std::vector<std::uint32_t> unplaced;

  /// By ValueId of the optimized graph: the original value of a tensor, maybe in another layout;
  /// kNone if unknown.
  std::vector<graph::ValueId> tensor;
  std::vector<profile::Evidence> tensor_evidence;
  std::vector<bool> tensor_blocked;  ///< true if its channels are in blocks (NCHWc)
};

/// Attributes a graph. `reference`: the dump of the same copy at a lower optimization level,
/// required if needs_reference() returns true (int8 models). Errors: a bug if conservation is
/// violated.
Result<Attribution> attribute(const analysis::Resolved& resolved, const Canonical& copy,
                              const OptimizedGraph& graph,
                              const OptimizedGraph* reference = nullptr);

/// True if kernels were renamed and their tensors permuted in a way that only the dump of a lower
/// optimization level explains.
bool needs_reference(const Canonical& copy, const OptimizedGraph& graph);

/// Moves nodes that only move data out of layers that never took time: the runtime turned them into
/// views. `timed`: by kernel.
void drop_views(Attribution& attribution, const analysis::Resolved& resolved,
                const std::vector<bool>& timed);

/// Moves nodes whose kernels did not run (a branch not taken, a loop without iterations) out of
/// their layers. `executed`: by kernel.
void drop_unexecuted(Attribution& attribution, const std::vector<bool>& executed);

}  // namespace ridge::attribution
