// SPDX-License-Identifier: Apache-2.0
// How often intervals of percentiles under load are shown, and how often those that are shown hold
// the percentile; and how often the judge of a bound is wrong.
//
//   const QueueCoverage c = queue_coverage({Service::kExponential, 0.7}, 5000, 400);
//   c.percentiles[4].covered / c.percentiles[4].shown     // p99
//
// Thread rule: pure. Cost: RUNS simulations of the queries and 3,000 before them; with stalls, the
// percentiles themselves come from four million more.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "scenario/percentiles.h"
#include "scenario/testing/simulated_server.h"

namespace ridge::scenario::testing {

inline constexpr std::array kCoveredShares = {0.5, 0.9, 0.95, 0.97, 0.99, 0.999};

struct Covered {
  int shown = 0, covered = 0;
};

struct QueueCoverage {
  std::array<Covered, kCoveredShares.size()> percentiles;
  /// Runs judged wrongly by the 99th percentile: valid for a bound just below it, invalid for one just above it.
  int falsely_valid = 0, falsely_invalid = 0;
};

inline std::array<double, kCoveredShares.size()> known_quantiles(const SimulatedLoad& load) {
  std::array<double, kCoveredShares.size()> out{};
  if (load.stalls == Stalling::kNone) {
    std::ranges::transform(kCoveredShares, out.begin(),
                           [&](double share) { return known_quantile(load, share) * kServiceNs; });
    return out;
  }
  SimulatedServer server(load, 9'999'999);
  server.latencies(100'000);
  std::vector<std::int64_t> long_run = server.latencies(4'000'000);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto rank = static_cast<std::ptrdiff_t>(
        std::ceil(kCoveredShares[i] * static_cast<double>(long_run.size())));
    std::ranges::nth_element(long_run, long_run.begin() + rank);
    out[i] = static_cast<double>(long_run[static_cast<std::size_t>(rank)]);
  }
  return out;
}

inline QueueCoverage queue_coverage(const SimulatedLoad& load, std::size_t queries, int runs,
                                    const IntervalOptions& options = {}) {
  constexpr double kP99 = 0.99;
  const auto known = known_quantiles(load);
  const double p99 = known[4];
  QueueCoverage out;
  for (int run = 0; run < runs; ++run) {
    SimulatedServer server(load, static_cast<std::uint64_t>(run) + 1);
    server.latencies(3'000);
    const Latencies latencies(server.latencies(queries));
    for (std::size_t i = 0; i < known.size(); ++i) {
      const Percentile p = latencies.percentile(kCoveredShares[i], options);
      out.percentiles[i].shown += p.interval ? 1 : 0;
      out.percentiles[i].covered += p.interval && p.interval->contains(known[i]) ? 1 : 0;
    }
    const auto verdict = [&](double factor) {
      return judge(latencies, kP99, static_cast<std::int64_t>(p99 * factor), 0, options);
    };
    out.falsely_valid += verdict(0.999) == Verdict::kValid ? 1 : 0;
    out.falsely_invalid += verdict(1.001) == Verdict::kInvalid ? 1 : 0;
  }
  return out;
}

}  // namespace ridge::scenario::testing
