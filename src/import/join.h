// A recording and, where it is given, the model it is of: the tables of profile/profile.h.
//
//   Profile p = join(std::move(recorded), &resolved, &names);
//
// Members of a layer: the nodes it is named after (names.h); for a product's kernel that is named
// after something behind its product, the nodes back to it; for a region between two nodes, all
// nodes between them (kRegion). A node that no layer is named after, that reads one activation, of
// which it is the only reader, and that is no product, is put beside the layer that makes what it
// reads (kGuess): runtimes fuse such nodes, and do not say so; PyTorch does not. A layer without
// members has none.
// Several layers of one node: the longest executes it, the others are parts. Nodes known without
// running are folded; of other nodes without a layer a note has the number, no `why`.
// Times are as recorded: nothing is corrected. Where a recording does not say where runs begin they
// are sums: divided by the executions of the layers of nodes they are of one run, as work is; where
// these are unknown, so is work. Cost: O(layers + nodes + edges).
#pragma once

#include <string>

#include "analysis/resolved.h"
#include "import/names.h"
#include "import/recorded.h"
#include "profile/profile.h"

namespace ridge::imports {

/// `resolved` and the names of its model; both nullptr: layers without nodes.
profile::Profile join(Recorded recorded, const analysis::Resolved* resolved,
                      const NameIndex* names);

}  // namespace ridge::imports
