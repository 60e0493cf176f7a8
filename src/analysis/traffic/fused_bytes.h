// SPDX-License-Identifier: Apache-2.0
// The bytes of nodes where a runtime fuses them: what a group of nodes that run as one kernel reads
// and writes at its boundary, in place of what each would by itself.
//
//   const Resolved fused = with_fused_bytes(std::move(resolved), Fuse::kRuntime);
//   fused.counts(node).bytes_read
//
// The first node of a group that reads a tensor from outside has its bytes, the node that makes a
// tensor which leaves the group the bytes of writing it; a node that is computed at load has none.
// All other counts stay. Cost: O(nodes + values). Thread safety: pure.
#pragma once

#include "analysis/resolved.h"
#include "analysis/traffic/fusion.h"

namespace ridge::analysis {

Resolved with_fused_bytes(Resolved resolved, Fuse how);

}  // namespace ridge::analysis
