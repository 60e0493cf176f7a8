// SPDX-License-Identifier: Apache-2.0
// Summaries of a resolved model: work by operator, and the nodes with the most work. By module:
// analysis/module_work.h.
//
// Sums cover the known counts; `unknown` is the number of nodes with unknown work, and `incomplete`
// marks the sums that lack a node and so are lower bounds. Parameters of a node that only passes a
// weight on (such as Identity) are omitted, so that a weight counts once per operator that uses it.
// Cost: O(nodes).
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

struct Group {
  std::string key;  ///< operator name, such as "Conv" or "com.acme.Op"
  std::int64_t nodes = 0, macs = 0, flops = 0, special = 0, int_ops = 0, params = 0, bytes = 0;
  std::int64_t unknown = 0;
  std::bitset<7> incomplete;  ///< by Totals::Figure
};

/// Groups sorted by decreasing MACs; then other work, bytes, name.
std::vector<Group> by_operator(const Resolved& resolved);

/// Returns the ids of the `count` nodes with the most MACs (then other work, bytes, file order), in
/// decreasing order; nodes without work are omitted.
std::vector<graph::NodeId> top_nodes(const Resolved& resolved, std::size_t count);

/// Arithmetic intensity, (2*macs + flops + special + int_ops) / (bytes_read + bytes_written) in
/// FLOP/B; nullopt if a count is unknown or incomplete, or if there are no bytes.
std::optional<double> intensity(const NodeCounts& counts);
std::optional<double> intensity(const Totals& totals);

}  // namespace ridge::analysis
