// SPDX-License-Identifier: Apache-2.0
// The load generator with targets of known durations: what it schedules, what it records, and how it
// ends. Times are compared with each other, never with limits of their own.
#include "runtime/load/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using scenario::Order;
using scenario::Query;
using scenario::Scenario;

/// Workers that note what they run, take some time, and fail as asked.
class FakeLoadTarget final : public LoadTarget {
 public:
  std::int64_t service_ns = 0;
  std::uint32_t input_error_every = 0;  ///< 0: never
  std::uint64_t environment_error_at = 0;
  std::atomic<bool> cancel = false;
  std::uint64_t cancel_at = 0;
  std::atomic<std::uint64_t> runs = 0;
  std::mutex mutex;
  std::vector<std::uint32_t> prepared_inputs;
  std::vector<std::uint64_t> kept;

  Result<std::unique_ptr<WorkerTarget>> open_worker() override {
    return std::unique_ptr<WorkerTarget>(std::make_unique<FakeWorker>(*this));
  }
  bool canceled() const override { return cancel; }

 private:
  struct FakeWorker final : WorkerTarget {
    explicit FakeWorker(FakeLoadTarget& to) : of(to) {}
    Result<void> run(std::uint32_t prepared) override {
      const std::uint64_t run = ++of.runs;
      {
        const std::scoped_lock lock(of.mutex);
        of.prepared_inputs.push_back(prepared);
      }
      const Nanos end = steady_clock().now() + Nanos{of.service_ns};
      while (steady_clock().now() < end) {
      }
      if (run == of.cancel_at) of.cancel = true;
      if (run == of.environment_error_at) return environment_error("TEST-0001", "out of order");
      if (of.input_error_every > 0 && run % of.input_error_every == 0)
        return input_error("TEST-0002", "bad sample");
      return {};
    }
    Result<void> keep(std::uint64_t run) override {
      const std::scoped_lock lock(of.mutex);
      of.kept.push_back(run);
      return {};
    }
    FakeLoadTarget& of;
  };
};

struct GeneratedLoad {
  std::vector<Query> queries;
  LoadResult result;
};

Scenario brief_load(scenario::Kind kind, std::uint64_t queries) {
  return {.kind = kind,
          .arrivals = scenario::Poisson{.rate = 20'000},
          .warmup_runs = 0,
          .min_duration = Nanos{0},
          .min_queries = queries};
}

GeneratedLoad generate_load(const Scenario& scenario, FakeLoadTarget& target,
                            std::uint32_t prepared_inputs = 8) {
  QueryLog log = expect_ok(QueryLog::make(scenario.min_queries, scenario.workers));
  Generator generator(scenario, target, {prepared_inputs}, log, steady_clock());
  EXPECT_TRUE(generator.start().ok());
  while (!generator.wait_for(Nanos{10'000'000})) {
  }
  return {expect_ok(log.queries()), generator.result()};
}

TEST(Generator, SingleStreamIssuesAQueryWhenTheOneBeforeItIsDone) {
  FakeLoadTarget target;
  const GeneratedLoad g = generate_load(brief_load(scenario::Kind::kSingleStream, 500), target);
  ASSERT_EQ(g.queries.size(), 500U);
  EXPECT_EQ(g.queries[0].scheduled_ns, g.result.begun_ns);
  for (std::size_t i = 1; i < g.queries.size(); ++i)
    ASSERT_EQ(g.queries[i].scheduled_ns, g.queries[i - 1].done_ns);
  for (const Query& q : g.queries)
    ASSERT_TRUE(q.scheduled_ns <= q.issued_ns && q.issued_ns <= q.done_ns);
  EXPECT_EQ(g.result.ended_ns, g.queries.back().done_ns);
  EXPECT_EQ(g.result.abandoned, 0U);
}

TEST(Generator, ServerKeepsTheScheduleHoweverLongQueriesTake) {
  Scenario s = brief_load(scenario::Kind::kServer, 2000);
  FakeLoadTarget quick, slow;
  slow.service_ns = 100'000;  // twice the gap between queries
  const GeneratedLoad a = generate_load(s, quick), b = generate_load(s, slow);
  ASSERT_EQ(a.queries.size(), 2000U);
  ASSERT_EQ(b.queries.size(), 2000U);
  const auto arrivals = expect_ok(scenario::make_arrivals(s.arrivals, s.seed));
  for (std::size_t i = 0; i < a.queries.size(); ++i) {
    const std::int64_t due_ns = arrivals->next();
    ASSERT_EQ(a.queries[i].scheduled_ns - a.result.begun_ns, due_ns);
    ASSERT_EQ(b.queries[i].scheduled_ns - b.result.begun_ns, due_ns);
  }
  // A queue builds up, and each query has waited for all before it: Lindley's recursion over the
  // durations as they were.
  std::int64_t free = b.result.begun_ns;
  for (const Query& q : b.queries) {
    ASSERT_GE(q.issued_ns, std::max(q.scheduled_ns, free));
    free = q.done_ns;
  }
  EXPECT_GT(b.queries.back().latency_ns(), 1000 * slow.service_ns / 4);
}

TEST(Generator, LatenessIsOfTheGeneratorAndNotOfTheQueue) {
  Scenario s = brief_load(scenario::Kind::kServer, 300);
  FakeLoadTarget slow;
  slow.service_ns = 100'000;
  const GeneratedLoad g = generate_load(s, slow);
  std::int64_t free = g.result.begun_ns;
  for (const Query& q : g.queries) {
    ASSERT_EQ(std::int64_t{q.late_ns}, q.issued_ns - std::max(q.scheduled_ns, free));
    free = q.done_ns;
  }
}

TEST(Generator, WorkersRunAtTheSameTimeAndTakeEachQueryOnce) {
  Scenario s = brief_load(scenario::Kind::kServer, 3000);
  s.workers = 3;
  s.order = Order::kInTurn;
  FakeLoadTarget target;
  target.service_ns = 20'000;
  const GeneratedLoad g = generate_load(s, target, 3000);
  ASSERT_EQ(g.queries.size(), 3000U);
  std::set<std::uint32_t> samples;
  for (const Query& q : g.queries) samples.insert(q.sample);
  EXPECT_EQ(samples.size(), 3000U);
  bool overlap = false;
  for (std::size_t i = 1; i < g.queries.size(); ++i)
    overlap |= g.queries[i].issued_ns < g.queries[i - 1].done_ns;
  EXPECT_TRUE(overlap);
}

TEST(Generator, QueriesOfSeveralSamplesRunNeighbors) {
  Scenario s = brief_load(scenario::Kind::kMultiStream, 4);
  s.samples_per_query = 3;
  s.order = Order::kInTurn;
  FakeLoadTarget target;
  const GeneratedLoad g = generate_load(s, target, 8);
  EXPECT_EQ(target.prepared_inputs,
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(g.queries[3].sample, 1U);
}

TEST(Generator, SamplesAreDrawnFromAllAndAgainTheSame) {
  Scenario s = brief_load(scenario::Kind::kSingleStream, 4000);
  FakeLoadTarget a, b;
  generate_load(s, a);
  generate_load(s, b);
  EXPECT_EQ(a.prepared_inputs, b.prepared_inputs);
  for (std::uint32_t prepared = 0; prepared < 8; ++prepared) {
    const auto count = std::ranges::count(a.prepared_inputs, prepared);
    EXPECT_TRUE(count > 400 && count < 600) << prepared << ": " << count;
  }
  s.seed = 2;
  FakeLoadTarget c;
  generate_load(s, c);
  EXPECT_NE(a.prepared_inputs, c.prepared_inputs);
}

TEST(Generator, TakesTheSamplesThatAreListedAndKeepsTheOutputsAskedFor) {
  Scenario s = brief_load(scenario::Kind::kMultiStream, 4);
  s.samples_per_query = 2;
  s.order = Order::kListed;
  s.listed = {6, 0, 3, 7};
  s.max_queries = 4;
  s.kept = {1, 4, 7};
  FakeLoadTarget target;
  const GeneratedLoad g = generate_load(s, target, 8);
  EXPECT_EQ(target.prepared_inputs, (std::vector<std::uint32_t>{6, 7, 0, 1, 3, 4, 7, 0}));
  EXPECT_EQ(target.kept, s.kept);
  s.max_queries = 5;
  EXPECT_EQ(scenario::check(s).error().text(),
            "error: samples of 4 queries are listed, there may be 5\n  [RIDGE-SCEN-0101]\n");
}

TEST(Generator, OfflineCountsFromItsBeginning) {
  Scenario s = brief_load(scenario::Kind::kOffline, 100);
  s.order = Order::kInTurn;
  FakeLoadTarget target;
  const GeneratedLoad g = generate_load(s, target);
  ASSERT_EQ(g.queries.size(), 100U);
  for (const Query& q : g.queries) EXPECT_EQ(q.scheduled_ns, g.result.begun_ns);
}

TEST(Generator, LastsAsLongAsAsked) {
  Scenario s = brief_load(scenario::Kind::kClosedLoop, 1);
  s.workers = 2;
  s.min_duration = Nanos{50'000'000};
  FakeLoadTarget target;
  target.service_ns = 100'000;
  const GeneratedLoad g = generate_load(s, target);
  EXPECT_GE(g.result.ended_ns - g.result.begun_ns, 50'000'000);
  for (const Query& q : g.queries) EXPECT_LT(q.scheduled_ns - g.result.begun_ns, 50'000'000);
}

TEST(Generator, IssuesTheFirstQueryBeyondTheLeastDurationWhereAsked) {
  Scenario s = brief_load(scenario::Kind::kSingleStream, 1);
  s.min_duration = Nanos{20'000'000};
  s.last = scenario::Last::kBeyond;
  FakeLoadTarget target;
  target.service_ns = 100'000;
  const GeneratedLoad g = generate_load(s, target);
  ASSERT_GT(g.queries.size(), 2U);
  EXPECT_GE(g.queries.back().scheduled_ns - g.result.begun_ns, 20'000'000);
  EXPECT_LT(g.queries[g.queries.size() - 2].scheduled_ns - g.result.begun_ns, 20'000'000);
}

TEST(Generator, CountsQueriesThatItCouldNotIssueInTime) {
  Scenario s = brief_load(scenario::Kind::kServer, 1);
  s.arrivals = scenario::Constant{.rate = 10'000};
  s.min_duration = s.max_duration = Nanos{100'000'000};  // 1000 queries
  FakeLoadTarget slow;
  slow.service_ns = 1'000'000;  // a tenth of them can be served
  const GeneratedLoad g = generate_load(s, slow);
  EXPECT_GT(g.result.abandoned, 0U);
  EXPECT_EQ(g.queries.size() + g.result.abandoned, 1000U);
}

TEST(Generator, MarksQueriesWhoseInputWasRejectedAndGoesOn) {
  FakeLoadTarget target;
  target.input_error_every = 10;
  const GeneratedLoad g = generate_load(brief_load(scenario::Kind::kSingleStream, 100), target);
  EXPECT_EQ(std::ranges::count_if(g.queries, [](const Query& q) { return q.failed == 1; }), 10);
  EXPECT_FALSE(g.result.failure);
}

TEST(Generator, EndsWithTheErrorOfARunAndKeepsWhatIsDone) {
  FakeLoadTarget target;
  target.environment_error_at = 42;
  const GeneratedLoad g = generate_load(brief_load(scenario::Kind::kSingleStream, 100), target);
  EXPECT_EQ(g.queries.size(), 41U);
  ASSERT_TRUE(g.result.failure);
  EXPECT_EQ(g.result.failure->code(), "TEST-0001");
}

TEST(Generator, EndsWhereItIsCanceledAndKeepsWhatIsDone) {
  FakeLoadTarget target;
  target.cancel_at = 42;
  const GeneratedLoad g = generate_load(brief_load(scenario::Kind::kSingleStream, 100), target);
  EXPECT_TRUE(g.result.canceled);
  EXPECT_GE(g.queries.size(), 41U);
  EXPECT_LE(g.queries.size(), 42U);
}

}  // namespace
}  // namespace ridge::runtime
