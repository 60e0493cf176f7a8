// SPDX-License-Identifier: Apache-2.0
#include "report/evaluation/series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "stats/random.h"

namespace ridge::report {
namespace {

using scenario::Load;
using scenario::Query;

/// Queries with random waits and runs; every seventh fails.
Load random_load(std::size_t queries) {
  stats::Random random(queries + 1);
  Load out{.queries = {}, .begun_ns = 1'000'000};
  std::int64_t at = out.begun_ns;
  for (std::size_t i = 0; i < queries; ++i) {
    at += static_cast<std::int64_t>(random.below(2000));
    const std::int64_t issued = at + static_cast<std::int64_t>(random.below(500));
    const std::int64_t done = issued + 1 + static_cast<std::int64_t>(random.below(90'000));
    out.queries.push_back({.scheduled_ns = at,
                           .issued_ns = issued,
                           .done_ns = done,
                           .late_ns = static_cast<std::uint32_t>(random.below(70)),
                           .sample = 0,
                           .failed = i % 7 == 6 ? 1U : 0U});
    out.ended_ns = std::max(out.ended_ns, done);
  }
  return out;
}

TEST(EvaluationSeries, AQuantileHasAsManyQueriesThatAreNotSlowerAsItsShareSays) {
  for (const std::size_t n : {1U, 2U, 9U, 1000U, 20'000U}) {
    const Load load = random_load(n);
    const std::vector<Quantile> all = quantiles(load);
    ASSERT_FALSE(all.empty());
    EXPECT_LE(all.size(), kMaxQuantiles);
    std::int64_t good = 0, slowest = 0;
    for (const Query& q : load.queries)
      if (q.failed == 0) ++good, slowest = std::max(slowest, q.latency_ns());
    EXPECT_EQ(all.back().latency_ns, slowest);
    double last = 0;
    for (const Quantile& quantile : all) {
      EXPECT_GT(quantile.share, last);
      last = quantile.share;
      std::int64_t faster = 0, not_slower = 0;
      for (const Query& q : load.queries)
        if (q.failed == 0) {
          faster += q.latency_ns() < quantile.latency_ns ? 1 : 0;
          not_slower += q.latency_ns() <= quantile.latency_ns ? 1 : 0;
        }
      const double rank = quantile.share * static_cast<double>(good);
      EXPECT_LE(static_cast<double>(faster), rank - 1 + 1e-6);
      EXPECT_GE(static_cast<double>(not_slower), rank - 1e-6);
    }
  }
}

TEST(EvaluationSeries, BinsOfTimeHoldEachQueryOnce) {
  for (const std::size_t n : {1U, 4U, 77U, 5000U}) {
    const Load load = random_load(n);
    const TimeBins time = time_bins(load);
    ASSERT_LE(std::ssize(time.bins), kMaxTimeBins);
    EXPECT_GE(time.width_ns * std::ssize(time.bins), load.ended_ns - load.begun_ns);
    for (std::size_t b = 0; b < time.bins.size(); ++b) {
      // A loop over all queries has to give the same.
      const auto inside = [&](std::int64_t ns) {
        const std::int64_t at = std::min((ns - load.begun_ns) / time.width_ns,
                                         static_cast<std::int64_t>(time.bins.size()) - 1);
        return at == static_cast<std::int64_t>(b);
      };
      std::vector<std::int64_t> latencies;
      std::int64_t failed = 0, completed = 0;
      double wait = 0, run = 0;
      for (const Query& q : load.queries) {
        if (q.failed == 0 && inside(q.done_ns)) ++completed;
        if (!inside(q.scheduled_ns)) continue;
        if (q.failed == 1) {
          ++failed;
          continue;
        }
        latencies.push_back(q.latency_ns());
        wait += static_cast<double>(q.issued_ns - q.scheduled_ns);
        run += static_cast<double>(q.done_ns - q.issued_ns);
      }
      const TimeBin& bin = time.bins[b];
      ASSERT_EQ(bin.queries, std::ssize(latencies));
      EXPECT_EQ(bin.failed, failed);
      EXPECT_EQ(bin.completed, completed);
      if (latencies.empty()) continue;
      std::ranges::nth_element(latencies, latencies.begin() + (std::ssize(latencies) - 1) / 2);
      EXPECT_EQ(bin.median_ns, latencies[(latencies.size() - 1) / 2]);
      EXPECT_EQ(bin.min_ns, *std::ranges::min_element(latencies));
      EXPECT_EQ(bin.max_ns, *std::ranges::max_element(latencies));
      EXPECT_NEAR(bin.mean_wait_ns, wait / static_cast<double>(latencies.size()), 1e-6);
      EXPECT_NEAR(bin.mean_run_ns, run / static_cast<double>(latencies.size()), 1e-6);
    }
    EXPECT_EQ(time.last_scheduled_ns, load.queries.back().scheduled_ns - load.begun_ns);
  }
}

TEST(EvaluationSeries, BinsOfLatenessDoubleFromOneNanosecond) {
  Load load;
  for (const std::uint32_t late : {0U, 1U, 2U, 3U, 4U, 1023U, 1024U, 4'294'967'295U})
    load.queries.push_back({.scheduled_ns = 0, .issued_ns = 0, .done_ns = 1, .late_ns = late});
  const auto bins = lateness_bins(load);
  EXPECT_EQ(bins[0], 2);
  EXPECT_EQ(bins[1], 2);
  EXPECT_EQ(bins[2], 1);
  EXPECT_EQ(bins[9], 1);
  EXPECT_EQ(bins[10], 1);
  EXPECT_EQ(bins[31], 1);
  EXPECT_EQ(std::accumulate(bins.begin(), bins.end(), std::int64_t{0}), 8);
}

TEST(EvaluationSeries, ALoadWithoutAnswersHasNoPoints) {
  Load load{.queries = {}, .begun_ns = 5, .ended_ns = 9};
  EXPECT_TRUE(quantiles(load).empty());
  EXPECT_TRUE(time_bins(load).bins.empty());
  load.queries.push_back({.scheduled_ns = 5, .issued_ns = 5, .done_ns = 7, .failed = 1});
  EXPECT_TRUE(quantiles(load).empty());
  EXPECT_EQ(time_bins(load).bins.at(0).failed, 1);
}

}  // namespace
}  // namespace ridge::report
