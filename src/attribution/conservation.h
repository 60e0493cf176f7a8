// Conservation check: every node of the model is in exactly one place, every multiply-accumulate in
// exactly one layer.
#pragma once

#include <array>

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "profile/profile.h"

namespace ridge::attribution {

/// Statistics on the placement of a model's nodes, summed over all nodes.
struct Coverage {
  std::int64_t nodes = 0, placed = 0, without_layer = 0, unplaced = 0;
  std::int64_t macs = 0;           ///< MACs of the model; unknown ones count as 0
  std::int64_t macs_executed = 0;  ///< MACs of nodes that a layer executes
  /// Number of nodes that a layer executes or absorbs, by profile::Evidence.
  std::array<std::int64_t, static_cast<std::size_t>(profile::Evidence::kGuess) + 1> by_evidence =
      {};
};

/// Errors: a bug if a node is executed twice, is both in a layer and without one, is nowhere, or
/// has a part but no executing layer; if a node with MACs is absorbed; if a kernel is in two layers
/// or not in the layer recorded for it; if a layer without members is not marked inserted.
Result<Coverage> check_conservation(const analysis::Resolved& resolved,
                                    const Attribution& attribution);

}  // namespace ridge::attribution
