// SPDX-License-Identifier: Apache-2.0
// Comparison of two measurements in blocks (processes): ratio and difference with intervals of any
// confidence, and their significance.
//
//   const Change c(before, after, Runs::kInTurns);  // before[p][i], after[p][i] ran side by side
//   const Finding f = finding(c.ratio_interval(0.95), {0.99, 1.01});   // kAbove: over 1 % slower
//
// Runs in turns: the median over pairs of ln(second / first), and of second - first, with the
// interval of block_median.h. Drift common to both members of a pair cancels, which makes this the
// right design on a shared machine. No pair is discarded: discarding pairs that look disturbed
// would favor the side whose disturbances are less visible. Swapping the sides gives exactly the
// reciprocal ratio.
//
// Runs apart: medians m1, m2 of the two sides, each with its interval [l, u]; their difference d =
// m2 - m1 has the interval d - sqrt((u1 - m1)^2 + (m2 - l2)^2) ... d + sqrt((m1 - l1)^2 + (u2 -
// m2)^2) (method of variance estimates recovery; Zou and Donner 2008, Stat. in Medicine 27:1693).
// Changes of the machine between the two measurements are part of the difference.
//
// Significance depends on the interval alone; if many changes are tested together, their intervals
// are widened together (common_confidence).
//
// Behavior on recorded noise (bench/aa_power.cc): docs/measuring.md. Errors: NaN and no interval if
// a side is empty; no ratio if a time is not above 0. Times must be finite. Thread rule: plain
// data. Cost: O(n log n) once, O(log n) per interval.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "stats/block_median.h"

namespace ridge::stats {

enum class Runs : std::uint8_t { kInTurns, kApart };

/// Difference second - first: of the two medians, or the median over pairs.
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

/// Interval of a median of times in blocks, computed on the same scale as Change::ratio_interval():
/// on logarithms if all times are above 0, otherwise clamped to 0 from below.
std::optional<Interval> time_interval(std::span<const std::vector<double>> times,
                                      double confidence);

class Change {
 public:
  /// In turns, run i of a block is paired with run i of the same block of the other side; blocks
  /// whose sizes differ (a failed process has no runs) are skipped.
  Change(std::span<const std::vector<double>> first, std::span<const std::vector<double>> second,
         Runs runs);

  double ratio() const;  ///< second / first
  std::optional<Interval> ratio_interval(double confidence) const;
  double difference() const { return plain_.value(); }
  std::optional<Interval> difference_interval(double confidence) const {
    return plain_.interval(confidence);
  }
  /// Number of pairs, or of runs of the side that has fewer.
  std::size_t size() const { return plain_.size(); }

 private:
  Contrast plain_, logarithms_;
};

enum class Finding : std::uint8_t { kNone, kAbove, kBelow };

/// Returns kAbove if the whole interval lies above `indifferent`, kBelow if below, else kNone.
Finding finding(const std::optional<Interval>& interval, const Interval& indifferent);

/// True if the interval of a ratio is wider than a factor of two in each direction (hi > 4 lo): it
/// supports no conclusion.
bool tells_nothing(const Interval& ratio);

/// Interval of a figure as a function of the confidence; must be nested.
using IntervalAt = std::function<std::optional<Interval>(double confidence)>;

/// Smallest error rate, 1 - confidence, at which the interval still lies entirely above or below
/// `indifferent`, to one part in a thousand and not below 1e-9; 1 if there is none. Comparable to a
/// p-value.
double doubt(const IntervalAt& interval, const Interval& indifferent);

/// Confidence for the intervals of many figures with these doubts, chosen such that among the
/// figures that then show a finding the expected share of wrong ones is at most `rate`: 1 - rate x
/// R / m, with R of m from the step-up rule (Benjamini and Hochberg 1995, JRSS B 57:289; as
/// intervals: Benjamini and Yekutieli 2005, JASA 100:71, section 4). For one figure it is 1 - rate.
double common_confidence(std::span<const double> doubts, double rate);

}  // namespace ridge::stats
