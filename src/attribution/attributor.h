// SPDX-License-Identifier: Apache-2.0
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
// is placed with a neighbor and marked as a guess. With the trials of a check run (value_match.h),
// tensors that equal one tensor of the model are anchors too, with the evidence kValue.
//
// Thread rule: pure functions. Cost: O(nodes + edges) of both graphs.
#pragma once

#include <span>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "attribution/canonical.h"
#include "attribution/optimized.h"
#include "attribution/value_match.h"
#include "base/result.h"

namespace ridge::attribution {

/// Attributes a graph. `reference`: the dump of the same copy at a lower optimization level,
/// required if needs_reference() returns true (int8 models). Errors: a bug if conservation is
/// violated.
Result<Attribution> attribute(const analysis::Resolved& resolved, const Canonical& copy,
                              const OptimizedGraph& graph,
                              const OptimizedGraph* reference = nullptr);

struct CheckedAttribution {
  Attribution attribution;
  ValueCounts values;
};

/// Attributes likewise, with the results of a check run.
Result<CheckedAttribution> attribute(const analysis::Resolved& resolved, const Canonical& copy,
                                     const OptimizedGraph& graph, const OptimizedGraph* reference,
                                     std::span<const ValueTrial> trials);

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
