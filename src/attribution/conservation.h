// Is every node of the model in exactly one place, and every multiply-accumulate in exactly one
// layer?
#pragma once

#include <array>

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "profile/profile.h"

namespace ridge::attribution {

/// How much of a model was placed, and by what. Sums are over the model's nodes.
struct Coverage {
  std::int64_t nodes = 0, placed = 0, without_layer = 0, unplaced = 0;
  std::int64_t macs = 0;           ///< of the model, as far as they are known
  std::int64_t macs_executed = 0;  ///< of nodes that a layer executes
  /// Nodes that a layer executes or absorbs, by profile::Evidence.
  std::array<std::int64_t, static_cast<std::size_t>(profile::Evidence::kGuess) + 1> by_evidence =
      {};
};

/// A bug where a node is executed twice, is both in a layer and without one, or is nowhere; where a
/// node with MACs is absorbed; where a kernel is in no layer or in two; where a layer without
/// members is not marked inserted.
Result<Coverage> check_conservation(const analysis::Resolved& resolved,
                                    const Attribution& attribution);

}  // namespace ridge::attribution
