// SPDX-License-Identifier: Apache-2.0
// Steady-state detection in a series of timings: number of leading samples to drop, and the shape
// of the series.
//
//   const Warmup w = stats::detect_warmup(times);
//   if (w.verdict != SteadyState::kNone) use(times.subspan(w.drop));
//
// After Barrett et al., "Virtual Machine Warmup Blows Hot and Cold", OOPSLA 2017 (arXiv
// 1602.00602), section 4: isolated outliers are clipped, change points in the mean split the series
// into segments, trailing segments that differ from the last one by less than a tolerance are
// joined to it, and the joined segment must be long enough. A leading run of outliers (a slow first
// iteration) is dropped as well, though it is too short for a segment. The caller gets the number
// of dropped samples and the verdict. Units: any; only ratios matter. Thread rule: pure. Cost:
// O(n^2); about 2 ms for 1,000 samples.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ridge::stats {

enum class SteadyState {
  kFlat,      ///< steady from the first sample
  kWarmup,    ///< slower at first
  kSlowdown,  ///< faster at first
  kNone,      ///< still changing in the last part of the series, or too short to tell
};

/// "flat", "warm-up", "slowdown", "no steady state".
std::string_view name(SteadyState verdict);

struct WarmupOptions {
  /// Relative tolerance within which segment levels are the same speed.
  double tolerance = 0.02;
  /// Minimum share of the series that the steady part must cover.
  double steady_share = 0.25;
  /// Weight of the penalty per change point, in units of noise variance x log n; higher finds fewer
  /// changes.
  double penalty = 4.0;
};

struct Warmup {
  SteadyState verdict = SteadyState::kNone;
  std::size_t drop = 0;  ///< leading samples that are not steady; 0 if the verdict is kNone
};

/// Returns kNone for fewer than 4 samples.
Warmup detect_warmup(std::span<const double> series, const WarmupOptions& options = {});

/// Returns the first index of every segment after the first, ascending: the exact optimum of
/// squared error around segment means plus `penalty` per change, by optimal partitioning (Jackson
/// et al. 2005, IEEE Signal Processing Letters 12:105). Segments have at least two samples.
std::vector<std::size_t> change_points(std::span<const double> series, double penalty);

}  // namespace ridge::stats
