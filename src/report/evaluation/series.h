// SPDX-License-Identifier: Apache-2.0
// Reductions of a load to a bounded number of points that charts draw, however many queries it has.
//
//   for (const Quantile& q : quantiles(load)) q.share, q.latency_ns;
//   const TimeBins bins = time_bins(load);
//   for (const TimeBin& b : bins.bins) b.median_ns, b.mean_wait_ns;
//
// Failed queries have no latency and are left out, except that time bins count them. Thread rule:
// pure functions. Cost: O(n log n) in the queries.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scenario/evaluation.h"

namespace ridge::report {

/// A latency as recorded, and the share of the queries that is not slower.
struct Quantile {
  double share = 0;
  std::int64_t latency_ns = 0;
};
inline constexpr std::size_t kMaxQuantiles = 160;
/// Order statistics at shares that are equally far apart on the scale -log10(1 - share), so that
/// the slow end has as many points as the rest; the last is the slowest query. Shares ascend.
std::vector<Quantile> quantiles(const scenario::Load& load);

/// Queries that were scheduled in a part of the time, except `completed`.
struct TimeBin {
  std::int64_t queries = 0;  ///< without failed ones
  std::int64_t failed = 0;
  std::int64_t completed = 0;                          ///< queries done in this part
  std::int64_t min_ns = 0, median_ns = 0, max_ns = 0;  ///< latencies
  double mean_wait_ns = 0, mean_run_ns = 0;            ///< scheduled to issued, and issued to done
};

struct TimeBins {
  std::int64_t width_ns = 1;
  std::int64_t last_scheduled_ns = 0;  ///< after the beginning: from there on the load drains
  std::vector<TimeBin> bins;           ///< from the beginning to the end of the load
};
inline constexpr std::int64_t kMaxTimeBins = 200;
/// Equal parts of the load's time: five queries each on average, and at most kMaxTimeBins.
TimeBins time_bins(const scenario::Load& load);

/// Queries by how late the generator issued them: bin 0 counts those below 2 ns, bin i those from
/// 2^i ns up to 2^(i+1) ns.
std::array<std::int64_t, 32> lateness_bins(const scenario::Load& load);

}  // namespace ridge::report
