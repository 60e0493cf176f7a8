// SPDX-License-Identifier: Apache-2.0
// Differences in work between two models, node by node.
//
//   const Diff d = diff(a, b);
//   for (const NodeDiff& n : d.nodes) if (n.change == Change::kAdded) …
//
// The two sides are resolved independently, with the same sizes or with different ones; they must
// outlive the result (diff_rows.h). Cost: as match_nodes.
#pragma once

#include "analysis/resolved.h"
#include "compare/diff_rows.h"

namespace ridge::compare {

Diff diff(const analysis::Resolved& a, const analysis::Resolved& b);

}  // namespace ridge::compare
