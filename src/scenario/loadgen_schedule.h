// SPDX-License-Identifier: Apache-2.0
// All queries that LoadGen 6.0.17 generates before a test, by GenerateQueries of loadgen.cc.
//
//   const LoadgenSchedule s = TRY(loadgen_schedule(settings, {total, performance}));
//   s.queries, s.samples[q * s.samples_per_query + i], s.times_ns[q]
//
// A test of LoadGen is a list that is made before it: as many queries as the rate that is expected
// asks for within the least duration (twice as long where the system decides how fast they follow
// each other), and no fewer than the least number. The test ends within the list, or runs out of
// it.
//
// Offline there is one query of all samples. In accuracy mode all loadable sets follow each other,
// and queries of MultiStream have the samples by which LoadGen pads them.
//
// Errors: as LoadgenOrder; RIDGE-SCEN-0031, input class: more than kMaxScheduled samples,
// which the settings say before any is listed.
// Thread rule: pure. Memory: 4 bytes a sample and, for the server, 8 a query.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "scenario/loadgen_order.h"

namespace ridge::scenario {

inline constexpr std::uint64_t kMaxScheduled = std::uint64_t{1} << 24;

struct LoadgenSchedule {
  std::uint64_t queries = 0;
  std::uint64_t samples_per_query = 1;  ///< in accuracy mode the samples of the first set
  std::vector<std::uint32_t> samples;   ///< samples of all queries, in order
  std::vector<std::int64_t> times_ns;   ///< Server: when queries are due; else empty
  std::int64_t duration_ns = 0;         ///< scheduled time of the query after the last
  std::vector<std::uint32_t> loaded;    ///< the first set, as LoadgenOrder::loaded

  std::span<const std::uint32_t> query(std::uint64_t q) const {
    return std::span(samples).subspan(static_cast<std::size_t>(q * samples_per_query),
                                      static_cast<std::size_t>(samples_per_query));
  }
};

Result<LoadgenSchedule> loadgen_schedule(const LoadgenSettings& settings,
                                         const SampleCounts& counts);

}  // namespace ridge::scenario
