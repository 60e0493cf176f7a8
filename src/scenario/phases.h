// SPDX-License-Identifier: Apache-2.0
// What a record of queries shows about how they were run: phases, batches, and if runs still became
// faster.
//
//   begin --- warm-up --- measured --- last scheduled --- drained
//
//   const Phases p = phases_of(load.queries, load.begun_ns, load.measured_ns, load.ended_ns);
//   const BatchCounts b = batch_counts(queries);      // b.mean, b.most, b.counts[4]
//
// A record of 32 bytes has no room for its batch, and needs none: the queries of a batch are those
// with the same moments of issue and end, which two workers do not share to the nanosecond.
//
// Thread rule: pure functions. Cost: one pass; batches and warming sort.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "scenario/query.h"

namespace ridge::scenario {

/// Moments after the begin, in nanoseconds.
struct Phases {
  std::int64_t measured_ns = 0;        ///< end of the warm-up
  std::int64_t last_scheduled_ns = 0;  ///< then the queue drains
  std::int64_t drained_ns = 0;
  std::int64_t warmup_queries = 0;
};

/// `queries`: all, ascending by their due time.
Phases phases_of(std::span<const Query> queries, std::int64_t begun_ns, std::int64_t measured_ns,
                 std::int64_t ended_ns);

/// A session for batches of a size, and by how much memory it made the process grow.
struct BatchSession {
  std::uint32_t size = 0;
  std::int64_t bytes = 0;
};

struct BatchCounts {
  double mean = 0;                               ///< queries of a batch
  std::uint32_t most = 0;                        ///< queries of the largest
  std::map<std::uint32_t, std::int64_t> counts;  ///< batches by their number of queries
  std::vector<BatchSession> sessions;            ///< set by whoever loads them
};

BatchCounts batch_counts(std::span<const Query> queries);

/// Runs at the beginning that took longer than later ones.
struct Warming {
  std::int64_t queries = 0;   ///< so many of the first
  std::int64_t after_ns = 0;  ///< the first that is steady was scheduled so long after the first
};

/// Looks for a warm-up in the durations of runs (stats/warmup.h): latencies would show how the
/// queue fills up. nullopt: steady from the beginning, or too few queries or too unsteady to tell.
std::optional<Warming> warming_of(std::span<const Query> queries);

}  // namespace ridge::scenario
