// SPDX-License-Identifier: Apache-2.0
// Early stopping: from how many queries on a percentile of the latency is known to be within a
// bound, and a percentile that is on the safe side for the number of queries there is. The rule is
// MLPerf's, from LoadGen 6.0.17 (early_stopping.cc, results.cc), for any percentile.
//
//   min_queries(1, {.percentile = 0.99});                      // 662
//   estimate_rank(n, {.percentile = 0.90});                    // ascending[*rank] is the estimate
//   judge_late(late, n, {.percentile = 0.99});                 // valid, invalid or undecided
//
// Queries are taken to be independent: each is late with the same probability, so that the late
// ones of n are binomial. Under load, late queries come in groups and the rule is too optimistic;
// percentiles.h has intervals that account for it. Thread rule: pure. Cost: O(log n) evaluations of
// a binomial tail, microseconds.
#pragma once

#include <cstdint>
#include <optional>

namespace ridge::scenario {

struct StoppingRule {
  double percentile = 0.99;  ///< share of the queries to be within the bound, 0 < percentile < 1
  double confidence = 0.99;  ///< 0 < confidence < 1
  double tolerance = 0;      ///< below percentile: what the share may fall short by
};

/// P(at most `late` of `queries` are late), each with probability 1 - share; 0 < share < 1.
/// Relative error about 1e-12 (beta.h).
double at_most_late(std::int64_t late, std::int64_t queries, double share);

/// The fewest queries, `late` of which may be late: the least n for which as few late ones have a
/// probability below 1 - confidence if the share of queries within the bound is
/// percentile - tolerance.
std::int64_t min_queries(std::int64_t late, const StoppingRule& rule);

/// The most late queries that `queries` may have; nullopt if they are too few even without any.
std::optional<std::int64_t> max_late(std::int64_t queries, const StoppingRule& rule);

/// Index, from 0 in ascending order, of the latency that is a safe estimate of the percentile: all
/// above it may be late, and it as well. nullopt below min_queries(1, rule).
std::optional<std::int64_t> estimate_rank(std::int64_t queries, const StoppingRule& rule);

enum class Verdict : std::uint8_t { kValid, kInvalid, kUndecided };

struct LateVerdict {
  Verdict verdict = Verdict::kUndecided;
  /// Queries that would make it valid if none of them were late; 0 if it is valid.
  std::int64_t more = 0;
};

/// Valid: min_queries(late) or more. Invalid: as many late ones have a probability below
/// 1 - confidence if the percentile is within the bound. LoadGen itself knows no undecided: what is
/// not valid is unsuccessful.
LateVerdict judge_late(std::int64_t late, std::int64_t queries, const StoppingRule& rule);

}  // namespace ridge::scenario
