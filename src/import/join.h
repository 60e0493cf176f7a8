// SPDX-License-Identifier: Apache-2.0
// Joins a recording with the model, if one is given, into the tables of profile/profile.h.
//
//   Profile p = join(std::move(recorded), &resolved, &names);
//
// Members of a layer, by this evidence:
// - the nodes it is named after (names.h);
// - for a matrix-product kernel that is named after a node behind its product: also the nodes back
//   to that product (kRegion);
// - for a trace of PyTorch: the nodes that its operators match in execution order (operators.h);
// - for a region between two nodes: all nodes between them (kRegion);
// - a node that no layer is named after, that is no product, and that has one activation input of
//   which it is the only reader, joins the layer that produces this input (kGuess): runtimes fuse
//   such nodes without reporting it. PyTorch does not fuse, so its traces get no guesses.
//
// Other layers have no members. If the runtime's optimized model determines the members (`exact`),
// those are used.
//
// The longest of several layers of one node executes it, the others are parts. Nodes that are
// known without running are folded; other nodes without a layer are counted in a note, without a
// `why`. Times are as recorded, without correction. If a recording does not mark where runs begin,
// times are sums over all runs: they are divided by the number of runs, derived from the executions
// of the layers of nodes, because work is counted per run; if these are unknown, work is unknown
// too. Floating-point tensors count in the element type that the layer ran in (crossing.h). A note
// compares the sum of the layers' medians with the median run. Cost: O(layers + nodes + edges).
#pragma once

#include <optional>

#include "analysis/resolved.h"
#include "import/names.h"
#include "import/optimized_members.h"
#include "import/recorded.h"
#include "profile/profile.h"

namespace ridge::imports {

/// `resolved` and the names of its model, or nullptr for both: layers without nodes.
profile::Profile join(Recorded recorded, const analysis::Resolved* resolved, const NameIndex* names,
                      std::optional<ExactMembers> exact = std::nullopt);

/// Share of the time of layers not inserted by the runtime that is in layers with nodes; share of
/// their number if none took time; 0 if there are none. Copies around the model (copies_data) do
/// not count.
double matched_share(const profile::Profile& profile);

}  // namespace ridge::imports
