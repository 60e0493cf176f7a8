// SPDX-License-Identifier: Apache-2.0
// Comparison of two evaluations of the same samples, sample by sample.
//
//   const PairedShares p = TRY(compare_shares(correct_before, correct_after));
//   p.difference.value;      // share right after, minus before
//   p.p_value;               // McNemar's exact test
//   p.lost                   // samples that were right and are wrong
//
// Shares: of n samples, b are right only before and c only after; the others say nothing about a
// difference. McNemar's exact test (1947, Psychometrika 12:153, with the binomial distribution in
// place of its approximation): the probability, if each of the b + c is equally likely to be
// either, of a split at least as uneven, twice the smaller tail, at most 1. The interval of (c - b)
// / n is the score interval of Tango (1998, Statistics in Medicine 17:891): the differences from
// which the sample lies at most z standard errors away, with the standard error that the data are
// most likely to have under that difference. It is the paired counterpart of Wilson's.
//
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accuracy/figure.h"
#include "base/result.h"

namespace ridge::accuracy {

struct PairedCounts {
  std::int64_t both = 0, only_first = 0, only_second = 0, neither = 0;

  std::int64_t samples() const { return both + only_first + only_second + neither; }
};

/// Two-sided p-value of two counts of at least 0; 1 if they are equal.
double mcnemar_exact(std::int64_t only_first, std::int64_t only_second);

/// Tango's interval of (only_second - only_first) / samples; nullopt without samples.
std::optional<stats::Interval> tango_interval(const PairedCounts& counts, double confidence);

struct PairedShares {
  PairedCounts counts;
  Figure difference;  ///< second - first, with Tango's interval
  double p_value = 1;
  bool significant = false;               ///< for whoever judges it together with other tests
  std::vector<std::size_t> lost, gained;  ///< samples, in rising order
};

/// `first` and `second`: not 0 for each sample that was right. Input error: sizes that differ.
Result<PairedShares> compare_shares(std::span<const std::uint8_t> first,
                                    std::span<const std::uint8_t> second, double confidence = 0.95);

}  // namespace ridge::accuracy
