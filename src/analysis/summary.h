// Roll-ups of a resolved model for people: by operator, and the nodes with most work. By module:
// analysis/module_work.h.
//
// Sums of the figures that are known numbers; `unknown` is the number of nodes whose work is not,
// and `incomplete` names the sums that lack a node and so are lower bounds. A node's
// parameters are left out where it only hands a weight on (Identity and the like), so that a weight
// counts once per operator that uses it.
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
  std::string key;  ///< "Conv", "com.acme.Op"
  std::int64_t nodes = 0, macs = 0, flops = 0, special = 0, int_ops = 0, params = 0, bytes = 0;
  std::int64_t unknown = 0;
  std::bitset<7> incomplete;  ///< by Totals::Figure
};

/// Most MACs first; then other work, bytes, name.
std::vector<Group> by_operator(const Resolved& resolved);

/// Ids of the `count` nodes with most MACs (then other work, then bytes, then file order), most
/// first; those without any work left out.
std::vector<graph::NodeId> top_nodes(const Resolved& resolved, std::size_t count);

/// (2*macs + flops + special + int_ops) / (bytes_read + bytes_written) in FLOP/B; nullopt where a
/// figure is unknown or incomplete, or there are no bytes.
std::optional<double> intensity(const NodeCounts& counts);
std::optional<double> intensity(const Totals& totals);

}  // namespace ridge::analysis
