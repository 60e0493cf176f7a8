// Is a difference real: the ratio of two measurements with an interval, and the verdict it allows.
//
//   const Ratio r = stats::paired_ratio(before, after);  // before[i], after[i] ran back to back
//   if (verdict(r, 0.01) == Verdict::kFaster) ...
//
// A ratio is second / first, so below 1 the second is faster. Samples must be finite and above 0.
// Too few samples (none, or unequal counts where pairs are wanted) give NaN throughout. Thread
// rule: pure. Cost: as bootstrap.h.
#pragma once

#include <span>
#include <string_view>

#include "stats/bootstrap.h"

namespace ridge::stats {

struct Ratio {
  double value = 0;
  Interval ci;
  std::size_t samples = 0;  ///< pairs, or the smaller sample
};

/// Median of the ratios of pairs, which stand in the order in which they ran. Drift that both
/// members of a pair share cancels, so this is the figure to use on a shared machine. What is left
/// of it makes neighbouring pairs alike, which the interval knows (series_median.h). No pair is
/// left out: leaving out what looks disturbed favours whichever side is hit less visibly. It is
/// taken over logarithms: swapping the two gives exactly the reciprocal value.
/// On recorded noise (bench/aa_power.cc): docs/measuring.md.
Ratio paired_ratio(std::span<const double> first, std::span<const double> second,
                   double confidence = 0.95);

/// Ratio of the medians of two independent samples, each resampled on its own; percentile interval.
Ratio ratio_of_medians(std::span<const double> first, std::span<const double> second,
                       const BootstrapOptions& options = {});

enum class Verdict {
  kFaster,   ///< the whole interval is below 1 - threshold
  kSlower,   ///< the whole interval is above 1 + threshold
  kSame,     ///< the whole interval is within the threshold around 1
  kUnclear,  ///< the interval allows more than one of these
};

/// "faster", "slower", "same", "unclear".
std::string_view name(Verdict verdict);

/// `threshold`: the relative difference that matters in practice, e.g. 0.01.
Verdict verdict(const Ratio& ratio, double threshold);

}  // namespace ridge::stats
