// SPDX-License-Identifier: Apache-2.0
#include "scenario/early_stopping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ridge::scenario {
namespace {

/// P(at most k of n), summed term by term.
double summed(std::int64_t k, std::int64_t n, double share) {
  long double term = std::pow(static_cast<long double>(share), static_cast<long double>(n));
  long double sum = 0;
  for (std::int64_t i = 0; i <= std::min(k, n); ++i) {
    sum += term;
    term *= static_cast<long double>(n - i) / static_cast<long double>(i + 1) *
            (1 - static_cast<long double>(share)) / static_cast<long double>(share);
  }
  return static_cast<double>(std::min(sum, 1.0L));
}

// The rules of MLPerf inference, appendix on early stopping.
TEST(EarlyStopping, HasThePublishedMinima) {
  const struct {
    double percentile;
    std::int64_t none_late, one_late;
  } kTable[] = {
      {0.90, 44, 64}, {0.95, 90, 130}, {0.97, 152, 219}, {0.99, 459, 662}, {0.999, 4603, 6636}};
  for (const auto& row : kTable) {
    EXPECT_EQ(min_queries(0, {.percentile = row.percentile}), row.none_late) << row.percentile;
    EXPECT_EQ(min_queries(1, {.percentile = row.percentile}), row.one_late) << row.percentile;
  }
}

TEST(EarlyStopping, EqualsASummedBinomial) {
  for (const double share : {0.05, 0.5, 0.9, 0.99, 0.999})
    for (const std::int64_t n : {1, 2, 7, 64, 663, 5000})
      for (const std::int64_t k : {0, 1, 2, 5, 50, 400, 2500})
        EXPECT_NEAR(at_most_late(k, n, share), summed(k, n, share), 1e-11)
            << k << " of " << n << " at " << share;
}

TEST(EarlyStopping, MinimaAreTheFirstThatPass) {
  for (const double percentile : {0.5, 0.9, 0.99})
    for (const double confidence : {0.9, 0.99})
      for (const std::int64_t late : {0, 1, 2, 3, 10, 31}) {
        std::int64_t n = late + 1;
        while (!(summed(late, n, percentile) < 1 - confidence)) ++n;
        EXPECT_EQ(min_queries(late, {percentile, confidence}), n) << percentile << ' ' << late;
        EXPECT_EQ(max_late(n, {percentile, confidence}), late);
        EXPECT_EQ(max_late(n - 1, {percentile, confidence}).value_or(-1), late - 1);
      }
}

TEST(EarlyStopping, ToleranceLowersTheShare) {
  EXPECT_EQ(min_queries(3, {.percentile = 0.95, .tolerance = 0.05}),
            min_queries(3, {.percentile = 0.90}));
}

// LoadGen counts up the late queries until n is below the minimum for one more.
TEST(EarlyStopping, EstimatesTheLatencyThatLoadGenDoes) {
  const StoppingRule rule{.percentile = 0.9};
  for (const std::int64_t n : {1, 63, 64, 65, 100, 1000, 5003}) {
    std::int64_t late = 1;
    if (n < min_queries(1, rule)) {
      EXPECT_FALSE(estimate_rank(n, rule)) << n;
      continue;
    }
    while (n >= min_queries(late + 1, rule)) ++late;
    EXPECT_EQ(estimate_rank(n, rule), n - late) << n;
  }
  EXPECT_EQ(estimate_rank(64, rule), 63);
}

TEST(EarlyStopping, JudgesAServer) {
  const StoppingRule rule{.percentile = 0.99};
  EXPECT_EQ(judge_late(1, 662, rule).verdict, Verdict::kValid);
  const LateVerdict short_of_one = judge_late(1, 661, rule);
  EXPECT_EQ(short_of_one.verdict, Verdict::kUndecided);
  EXPECT_EQ(short_of_one.more, 1);
  EXPECT_EQ(judge_late(0, 0, rule).verdict, Verdict::kUndecided);
  EXPECT_EQ(judge_late(0, 0, rule).more, 459);
  for (std::int64_t late = 0; late <= 1000; ++late) {
    const bool improbable = late > 0 && 1 - summed(late - 1, 1000, 0.99) < 0.01;
    EXPECT_EQ(judge_late(late, 1000, rule).verdict == Verdict::kInvalid, improbable) << late;
  }
}

TEST(EarlyStopping, IsFastForManyQueries) {
  // Near n (1 - p) - z sqrt(n p (1 - p)), z = 2.326.
  const auto late = max_late(100'000'000, {.percentile = 0.99});
  ASSERT_TRUE(late);
  EXPECT_NEAR(static_cast<double>(*late), 1e6 - 2.326 * std::sqrt(1e8 * 0.0099), 5);
}

}  // namespace
}  // namespace ridge::scenario
