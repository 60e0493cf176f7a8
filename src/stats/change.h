// By how much one measurement in blocks (processes) differs from another: ratio and difference of
// the medians, each with an interval, and how sure it is that either lies past a limit.
//
//   const Change c = stats::change(before, after, Blocks::kPaired);
//   if (ratio_doubt(c, Side::kAbove, 1.05) < 0.05) ...   // more than 5 % slower
//
// Intervals: percentiles of resampled medians, blocks drawn first (block_pool.h). Blocks that ran
// in turns, the i-th of one beside the i-th of the other, are drawn together, so that what the
// machine did to both cancels.
// Doubt: the one-sided probability under a normal distribution with the spread of the resamples
// (Efron and Tibshirani, 1993, section 12.4), of the logarithm where it is a ratio. It says how far
// beyond the outermost resample a limit lies, which counting resamples cannot, and that decides
// when many questions are asked at once (discoveries). k blocks spread too little when drawn from
// themselves; the spread is widened by sqrt(k / (k - 1)) (the same, section 5.3).
//
// Errors: NaN where a side is empty, or the ratio of what is not above 0. Thread rule: pure.
// Cost: 2 x resamples x n.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace ridge::stats {

enum class Blocks : std::uint8_t { kIndependent, kPaired };
enum class Side : std::uint8_t { kAbove, kBelow };

struct Change {
  Estimate ratio;       ///< second / first
  double log_spread;    ///< standard error of the ratio's logarithm
  Estimate difference;  ///< second - first
  double spread;        ///< standard error of the difference
  std::size_t smaller;  ///< samples of the side that has fewer
};

/// kPaired wants as many blocks on both sides (of other numbers they are independent); a pair with
/// an empty side is left out.
Change change(std::span<const std::vector<double>> first,
              std::span<const std::vector<double>> second, Blocks blocks,
              const BootstrapOptions& options = {});

/// How probable a ratio at least this far on that side of `limit` is where the true one is `limit`:
/// small is sure. 1 where nothing is known.
double ratio_doubt(const Change& change, Side side, double limit);
/// The same of the difference.
double difference_doubt(const Change& change, Side side, double limit);

/// Which of many questions can be answered yes, so that on average at most `rate` of the answers
/// are wrong: the step-up rule of Benjamini and Hochberg (1995, JRSS B 57:289) over their doubts.
std::vector<bool> discoveries(std::span<const double> doubts, double rate);

}  // namespace ridge::stats
