// Runtime layers back to the nodes of the original model.
//
//   Canonical copy = TRY(canonicalise(resolved)); // what the runtime sees (canonical.h)
//   ... the runtime loads copy.bytes, is profiled, dumps its optimised graph ...
//   OptimisedGraph graph = TRY(read_optimised(dump));             // optimised.h
//   Attribution a = TRY(attribute(resolved, copy, graph));
//
// The method: anchors (tensors of the optimised graph whose original meaning is known, by surviving
// name or by a documented naming rule), regions (kernels joined by tensors that are not anchored),
// walks back through the original from each anchor to the next, and value numbers for what the
// runtime merged. Every node ends in exactly one place; MACs are conserved, and attribute() checks
// that it is so (conservation.h). Nothing is fitted to a model: what no rule explains is placed
// next to its neighbours as a guess and says so.
//
// Ownership: an Attribution is plain data. Cost: O(nodes + edges) of both graphs.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "attribution/optimised.h"
#include "base/result.h"
#include "profile/profile.h"

namespace ridge::attribution {

/// One kernel of the runtime's optimised graph, joined with its profiling events by name
/// (join_events).
struct Kernel {
  std::string name;  ///< in the optimised graph; empty where the runtime gave none
  std::string op_type, domain;
  graph::NodeId parent = graph::kNone;  ///< the kernel whose body it is in
};

/// A group of kernels and the nodes it stands for: the smallest whose members are certain.
struct Layer {
  std::string name;  ///< of the node that carries the work, else of the kernel
  std::string type;  ///< operator of the first kernel, or of the node that several kernels make up
  std::vector<std::uint32_t>
      kernels;  ///< positions in Attribution::kernels; the first has the members
  std::vector<profile::Member> members;  ///< ascending by node
  bool inserted = false;                 ///< the runtime's own: a reorder, cast or copy
  std::string layout;                    ///< as profile::Layer
};

struct Attribution {
  std::vector<Kernel> kernels;  ///< by NodeId of the optimised graph, bodies included
  std::vector<Layer>
      layers;  ///< in order of execution of their first kernels; every kernel in exactly one
  std::vector<std::uint32_t> layer_of;  ///< by kernel; kNone only after drop_unexecuted
  std::vector<profile::WithoutLayer> without_layer;
  std::vector<std::uint32_t>
      unplaced;  ///< nodes that not even a neighbour explains: a defect, shown as such

  /// By ValueId of the optimised graph: the original value that a tensor holds, maybe in another
  /// layout; kNone where not known.
  std::vector<graph::ValueId> tensor;
  std::vector<profile::Evidence> tensor_evidence;
  std::vector<bool> tensor_blocked;  ///< its channels lie in blocks (NCHWc)
};

/// `reference`: the dump of the same copy at a lower level of optimisation; needed where
/// needs_reference says so (int8 models).
/// Errors: our bug, where conservation does not hold.
Result<Attribution> attribute(const analysis::Resolved& resolved, const Canonical& copy,
                              const OptimisedGraph& graph,
                              const OptimisedGraph* reference = nullptr);

/// Kernels were renamed and their tensors permuted in a way that only the dump of a lower level
/// explains.
bool needs_reference(const Canonical& copy, const OptimisedGraph& graph);

/// Moves nodes that only move data out of layers that never took time: the runtime made views of
/// them. `timed`: by kernel.
void drop_views(Attribution& attribution, const analysis::Resolved& resolved,
                const std::vector<bool>& timed);

/// Moves nodes whose kernels did not run (a branch not taken, a loop without trips) out of their
/// layers. `executed`: by kernel.
void drop_unexecuted(Attribution& attribution, const std::vector<bool>& executed);

}  // namespace ridge::attribution
