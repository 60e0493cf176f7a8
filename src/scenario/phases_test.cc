// SPDX-License-Identifier: Apache-2.0
// Phases, batches and warm-ups of records that are made here.
#include "scenario/phases.h"

#include <gtest/gtest.h>

#include <vector>

#include "scenario/evaluation.h"
#include "stats/random.h"

namespace ridge::scenario {
namespace {

Query query(std::int64_t scheduled, std::int64_t issued, std::int64_t done) {
  return {.scheduled_ns = scheduled, .issued_ns = issued, .done_ns = done};
}

TEST(Phases, AreCountedFromTheBegin) {
  std::vector<Query> queries = {query(110, 111, 150), query(160, 161, 200), query(180, 200, 260)};
  queries[0].warmup = 1;
  const Phases p = phases_of(queries, 100, 155, 260);
  EXPECT_EQ(p.measured_ns, 55);
  EXPECT_EQ(p.last_scheduled_ns, 80);
  EXPECT_EQ(p.drained_ns, 160);
  EXPECT_EQ(p.warmup_queries, 1);
}

TEST(BatchCounts, AreOfQueriesThatWereIssuedAndDoneTogether) {
  const std::vector<Query> queries = {query(1, 10, 20), query(2, 10, 20), query(3, 10, 25),
                                      query(4, 30, 40), query(5, 10, 20), query(6, 30, 40)};
  const BatchCounts b = batch_counts(queries);
  EXPECT_EQ(b.counts, (std::map<std::uint32_t, std::int64_t>{{1, 1}, {2, 1}, {3, 1}}));
  EXPECT_EQ(b.most, 3U);
  EXPECT_DOUBLE_EQ(b.mean, 2);
  EXPECT_EQ(batch_counts({}).most, 0U);
}

/// Runs of 100 us with 1 % of noise, the first of them longer.
std::vector<Query> runs(std::size_t count, std::size_t slow, double times) {
  stats::Random random(5);
  std::vector<Query> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::int64_t>(i) * 1'000'000;
    const double ns = (i < slow ? times : 1) * (100'000 + 1000 * random.uniform());
    out.push_back(query(at, at, at + static_cast<std::int64_t>(ns)));
  }
  return out;
}

TEST(Warming, IsSeenInRunsThatBecomeFaster) {
  const std::optional<Warming> w = warming_of(runs(2000, 200, 1.3));
  ASSERT_TRUE(w);
  EXPECT_NEAR(static_cast<double>(w->queries), 200, 20);
  EXPECT_NEAR(static_cast<double>(w->after_ns), 200e6, 20e6);
}

TEST(Warming, IsNotSeenInSteadyRunsNorInAQueueThatFillsUp) {
  EXPECT_FALSE(warming_of(runs(2000, 0, 1)));
  EXPECT_FALSE(warming_of(runs(10, 2, 3)));
  EXPECT_FALSE(warming_of(runs(2000, 200, 0.8)));  // slower later
  std::vector<Query> queue = runs(2000, 0, 1);
  for (std::size_t i = 0; i < 200; ++i) queue[i].scheduled_ns -= 1'000'000;
  EXPECT_FALSE(warming_of(queue));
}

TEST(FiguresOf, LeaveOutTheWarmUp) {
  std::vector<Query> queries = runs(1000, 300, 50);
  for (std::size_t i = 0; i < 300; ++i) queries[i].warmup = 1;
  const Load load{.queries = queries,
                  .begun_ns = 0,
                  .ended_ns = 1'000'000'000,
                  .measured_ns = 300'000'000,
                  .abandoned = 0,
                  .canceled = false,
                  .failure = {}};
  const Figures f = figures_of({}, load, {});
  EXPECT_EQ(f.queries, 700);
  EXPECT_DOUBLE_EQ(f.duration_s, 0.7);
  EXPECT_DOUBLE_EQ(f.completed.per_s, 1000);
  EXPECT_LT(f.latency.percentiles.back().value_ns, 102'000);
  EXPECT_EQ(f.phases.warmup_queries, 300);
  EXPECT_EQ(f.phases.measured_ns, 300'000'000);
  EXPECT_EQ(f.warming.queries, 0);
}

}  // namespace
}  // namespace ridge::scenario
