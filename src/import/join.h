// A recording and, where it is given, the model it is of: the tables of profile/profile.h.
//
//   Profile p = join(std::move(recorded), &resolved, &names);
//
// Members of a layer: the nodes it is named after (names.h); for a product's kernel that is named
// after something behind its product, the nodes back to it; of a trace of PyTorch, those that its
// operators match in their order (operators.h); for a region between two nodes, all
// nodes between them (kRegion). A node that no layer is named after, that reads one activation, of
// which it is the only reader, and that is no product, is put beside the layer that makes what it
// reads (kGuess): runtimes fuse such nodes, and do not say so; PyTorch does not. A layer without
// members has none.
// Where the runtime's own optimised model says the members (`exact`), they are those.
// Several layers of one node: the longest executes it, the others are parts. Nodes known without
// running are folded; of other nodes without a layer a note has the number, no `why`.
// Times are as recorded: nothing is corrected. Where a recording does not say where runs begin they
// are sums: divided by the executions of the layers of nodes they are of one run, as work is; where
// these are unknown, so is work. Bytes of floating-point tensors are those of the element type that
// the layer ran in (crossing.h). A note has the sum of the layers' medians beside the median run.
// Cost: O(layers + nodes + edges).
#pragma once

#include <optional>

#include "analysis/resolved.h"
#include "import/names.h"
#include "import/optimised_members.h"
#include "import/recorded.h"
#include "profile/profile.h"

namespace ridge::imports {

/// `resolved` and the names of its model; both nullptr: layers without nodes.
profile::Profile join(Recorded recorded, const analysis::Resolved* resolved, const NameIndex* names,
                      std::optional<ExactMembers> exact = std::nullopt);

/// Of the time of layers that the runtime did not insert, the part that is in layers of nodes; of
/// their number where none took time; 0 where there are none.
double matched_share(const profile::Profile& profile);

}  // namespace ridge::imports
