// SPDX-License-Identifier: Apache-2.0
// What `ridge share replay` prints: a row for each trace, memory and policy, with the bound that no
// policy passes. Plain data; described in describe_replay.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace ridge::sharing {

/// Order statistics of times until ready, of rank ceil(n p); 0 without any.
struct ReadyTimes {
  Nanos p50{0}, p99{0};
};

/// A trace against one budget and one policy.
struct Simulation {
  std::uint64_t requests = 0;
  std::uint64_t hits = 0;         ///< ready in memory
  std::uint64_t joined = 0;       ///< joined a load in progress
  std::uint64_t disk_loads = 0;   ///< loaded from a prepared file
  std::uint64_t misses = 0;       ///< missed every level: loaded by itself
  std::uint64_t unadmitted = 0;   ///< part of the latter two: memory had no room
  std::uint64_t evictions = 0;    ///< idle models that left for others
  std::uint64_t expirations = 0;  ///< idle models that left by their time
  std::uint64_t prewarms = 0;     ///< loads without a request
  ReadyTimes ready;               ///< from the request until its model is ready
  ReadyTimes cold;                ///< times of those that were no hits
  Nanos duration{0};              ///< from the first request to the end of the last run
  Bytes peak{0};                  ///< memory in use, at most
  double byte_seconds = 0;        ///< memory in use over time, summed
  /// Time of all requests, waiting and running, where each process loads by itself, over the same
  /// here.
  double speedup = 0;
  /// Speed-up where every request misses every level: TrIMS's worst case.
  double all_miss_speedup = 0;
};

/// Hits that a policy can have that loads on demand, with loads that take no time and memory that
/// nobody leases: more than any policy here.
struct HitBounds {
  std::uint64_t at_most = 0;
  std::optional<std::uint64_t> at_least;  ///< reached by a schedule; absent: not looked for
  bool exact = false;                     ///< both are the optimum, by trying everything
};

/// Subject of a row, without its policy.
struct ReplayCase {
  std::string trace;          ///< file, or distribution
  std::uint32_t clients = 0;  ///< clients of a closed loop; 0: requests at the times of the trace
  double share = 1;           ///< share of the models that may be asked for
  std::uint32_t models = 0;   ///< models that are asked for
  Bytes memory{0};
};

struct ReplayRow {
  ReplayCase of;
  std::string policy;
  Simulation result;
  HitBounds bound;  ///< bound of every policy

  double hit_share() const { return share_of(result.hits); }
  double bound_share() const { return share_of(bound.at_most); }

 private:
  double share_of(std::uint64_t hits) const {
    const auto all = static_cast<double>(result.requests);
    return all > 0 ? static_cast<double>(hits) / all : 0;
  }
};

struct Replay {
  std::string ridge;  ///< version
  std::uint64_t seed = 1;
  std::string arrivals;                 ///< arrivals of drawn requests; "": recorded
  std::string costs;                    ///< file, or "built-in examples"
  std::string admission;                ///< "all" or "rho"
  std::vector<std::string> not_shared;  ///< models that rho keeps apart
  std::vector<ReplayRow> rows;
};

}  // namespace ridge::sharing
