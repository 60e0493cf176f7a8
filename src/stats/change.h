// By how much one measurement in blocks (processes) differs from another: ratio and difference with
// intervals of any confidence, and what they allow to say.
//
//   const Change c(before, after, Runs::kInTurns);  // before[p][i], after[p][i] ran side by side
//   const Finding f = finding(c.ratio_interval(0.95), {0.99, 1.01});   // kAbove: over 1 % slower
//
// Runs in turns: the median over pairs of ln(second / first), and of second - first, with the
// interval of block_median.h. Drift that both members of a pair share cancels, so this is what to
// do on a shared machine. No pair is left out: leaving out what looks disturbed favours the side
// that is hit less visibly. Swapping the two gives exactly the reciprocal ratio.
//
// Runs apart: the medians of both sides, each with such an interval [l, u], and of their difference
// d the interval d - sqrt((u1 - m1)^2 + (m2 - l2)^2) ... d + sqrt((m1 - l1)^2 + (u2 - m2)^2)
// (method of variance estimates recovery; Zou and Donner 2008, Stat. in Medicine 27:1693). What
// changed on the machine between the two is part of the difference.
//
// What is said of a change is read off its interval and nothing else; where many changes are judged
// together their intervals are widened together (common_confidence).
//
// On recorded noise (bench/aa_power.cc): docs/measuring.md. Errors: NaN and no interval where a
// side is empty; no ratio where a time is not above 0. Times must be finite. Thread rule: plain
// data. Cost: O(n log n) once, an interval O(log n).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "stats/block_median.h"

namespace ridge::stats {

enum class Runs : std::uint8_t { kInTurns, kApart };

/// second - first, of their medians or of pairs.
class Contrast {
 public:
  Contrast() = default;
  explicit Contrast(BlockMedian pairs) : second_(std::move(pairs)) {}
  Contrast(BlockMedian first, BlockMedian second)
      : first_(std::move(first)), second_(std::move(second)) {}
  double value() const { return second_.value() - (first_ ? first_->value() : 0); }
  std::optional<Interval> interval(double confidence) const;
  std::size_t size() const;

 private:
  std::optional<BlockMedian> first_;
  BlockMedian second_;
};

/// Of a median of times, in blocks, on the scale on which Change::ratio_interval() is made: in
/// logarithms where all are above 0, else not below 0.
std::optional<Interval> time_interval(std::span<const std::vector<double>> times,
                                      double confidence);

class Change {
 public:
  /// In turns the i-th run of a block is the partner of the i-th run of the other side's block;
  /// blocks of different sizes (a process that failed has none) have no partners and are left out.
  Change(std::span<const std::vector<double>> first, std::span<const std::vector<double>> second,
         Runs runs);

  double ratio() const;  ///< second / first
  std::optional<Interval> ratio_interval(double confidence) const;
  double difference() const { return plain_.value(); }
  std::optional<Interval> difference_interval(double confidence) const {
    return plain_.interval(confidence);
  }
  /// Pairs, or runs of the side that has fewer.
  std::size_t size() const { return plain_.size(); }

 private:
  Contrast plain_, logarithms_;
};

enum class Finding : std::uint8_t { kNone, kAbove, kBelow };

/// kAbove: the whole interval lies above `indifferent`.
Finding finding(const std::optional<Interval>& interval, const Interval& indifferent);

/// Whether the interval of a ratio leaves a factor of two either way open: nothing can be read off
/// it.
bool tells_nothing(const Interval& ratio);

/// The interval of some figure at a confidence; nested.
using IntervalAt = std::function<std::optional<Interval>(double confidence)>;

/// The least share of wrong answers, 1 - confidence, at which the interval still lies past
/// `indifferent` on either side, to one part in a thousand; 1 where it never does.
double doubt(const IntervalAt& interval, const Interval& indifferent);

/// At which confidence the intervals of many figures with these doubts are to be taken, so that of
/// those that then show a finding on average at most the share `rate` is wrong: 1 - rate x R / m,
/// with R of m found by the step-up rule (Benjamini and Hochberg 1995, JRSS B 57:289; as intervals:
/// Benjamini and Yekutieli 2005, JASA 100:71, section 4). Of one figure it is 1 - rate.
double common_confidence(std::span<const double> doubts, double rate);

}  // namespace ridge::stats
