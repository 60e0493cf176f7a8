// SPDX-License-Identifier: Apache-2.0
// What models cost: their bytes, and how long it takes to make them ready from each level. Measured
// elsewhere, and input of replays and of policies. Described in describe_costs.h, read by
// costs_file.h. Thread rule: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace ridge::sharing {

/// Sizes and times beyond these are refused: their products fit 128 bits with room.
inline constexpr std::int64_t kMostModelBytes = std::int64_t{1} << 40;
inline constexpr std::int64_t kLongestCostNs = std::int64_t{1} << 50;  // 13 days

struct ModelCosts {
  std::string name;
  Bytes bytes{0};             ///< in memory, prepared
  std::uint64_t objects = 1;  ///< tensors: what has to be handed out one by one at that granularity
  Nanos own_load{0};          ///< until ready in a process that shares nothing
  Nanos prepared_load{0};     ///< until ready from a prepared file on disk
  Nanos lease{0};             ///< until ready from memory
  Nanos run{0};               ///< one run; how long a request keeps its lease
};

/// Cost of sharing itself, for TrIMS's rho (policy/admission.h).
struct SharingCosts {
  double bytes_per_s = 0;  ///< bandwidth of reading a model from disk
  Nanos export_cost{0};    ///< cost of handing out an object, in the daemon
  Nanos open_cost{0};      ///< cost of opening an object, in the client
};

struct CostTable {
  Nanos ask{0};  ///< until a client knows that nothing is shared and it must load by itself
  std::optional<SharingCosts> sharing;
  std::vector<ModelCosts> models;
};

/// Five networks with one thread, page cache warm: the figures of docs/share.md.
CostTable example_costs();

/// RIDGE-SHARE-0203, input class: no model.
Result<void> check(const CostTable& costs);

}  // namespace ridge::sharing
