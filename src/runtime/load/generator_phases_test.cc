// SPDX-License-Identifier: Apache-2.0
// Loads whose queries run in batches, go to several models, or warm up: batches against a
// simulation of their queue over the durations as they were.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/load/generator.h"
#include "runtime/testing/expect.h"
#include "scenario/describe.h"
#include "scenario/testing/batch_queue.h"

namespace ridge::runtime {
namespace {

using scenario::Batching;
using scenario::Query;
using scenario::Scenario;

/// Takes a time for each batch and each sample in it, and notes the batches.
class FakeBatches final : public LoadTarget {
 public:
  std::int64_t batch_ns = 0, sample_ns = 0;
  std::uint64_t fail_at = 0;
  bool input_errors = false;
  std::atomic<std::uint64_t> runs = 0;
  std::mutex mutex;
  std::vector<std::vector<std::uint32_t>> batches;
  std::vector<std::uint32_t> sizes;

  Result<std::unique_ptr<WorkerTarget>> open_worker() override {
    return std::unique_ptr<WorkerTarget>(std::make_unique<FakeWorker>(*this));
  }
  bool canceled() const override { return false; }

 private:
  struct FakeWorker final : WorkerTarget {
    explicit FakeWorker(FakeBatches& to) : of(to) {}
    Result<void> run(std::uint32_t prepared) override { return run_batch({&prepared, 1}, 1); }
    Result<void> keep(std::uint64_t) override { return {}; }
    Result<void> run_batch(std::span<const std::uint32_t> prepared_inputs,
                           std::uint32_t size) override {
      {
        const std::scoped_lock lock(of.mutex);
        of.batches.emplace_back(prepared_inputs.begin(), prepared_inputs.end());
        of.sizes.push_back(size);
      }
      const Nanos end = steady_clock().now() + Nanos{of.batch_ns + of.sample_ns * size};
      while (steady_clock().now() < end) {
      }
      if (++of.runs != of.fail_at) return {};
      if (of.input_errors) return input_error("TEST-0001", "bad sample");
      return environment_error("TEST-0002", "out of order");
    }
    FakeBatches& of;
  };
};

struct GeneratedPhases {
  std::vector<Query> queries;
  LoadResult result;
};

Scenario brief_phase(scenario::Kind kind, std::uint64_t queries,
                     std::optional<Batching> batching = {}) {
  return {.kind = kind,
          .arrivals = scenario::Poisson{.rate = 20'000},
          .batching = std::move(batching),
          .warmup_runs = 0,
          .min_duration = Nanos{0},
          .min_queries = queries};
}

GeneratedPhases generate_phases(const Scenario& scenario, FakeBatches& target,
                                std::vector<std::uint32_t> samples = {8}) {
  QueryLog log = expect_ok(QueryLog::make(scenario.min_queries + 1000, scenario.workers));
  Generator generator(scenario, target, std::move(samples), log, steady_clock());
  EXPECT_TRUE(generator.start().ok());
  while (!generator.wait_for(Nanos{10'000'000})) {
  }
  return {expect_ok(log.queries()), generator.result()};
}

/// Numbers of queries in batches, in the order in which these were issued.
std::vector<std::uint32_t> counts_of(const std::vector<Query>& queries) {
  std::map<std::int64_t, std::uint32_t> counts;
  for (const Query& q : queries) ++counts[q.issued_ns];
  std::vector<std::uint32_t> out;
  for (const auto& [issued, count] : counts) out.push_back(count);
  return out;
}

TEST(GeneratorBatches, AreThoseOfASimulationOverTheSameDurations) {
  const std::vector<Batching> all = {
      {.most = 8, .wait = Nanos{200'000}, .sizes = {}},
      {.most = 6, .wait = Nanos{0}, .sizes = {1, 6}},
      {.most = 8, .wait = Nanos{50'000}, .sizes = {4, 8}},
  };
  for (const Batching& batching : all) {
    FakeBatches target;
    target.batch_ns = 60'000;
    target.sample_ns = 10'000;
    const GeneratedPhases g =
        generate_phases(brief_phase(scenario::Kind::kServer, 1000, batching), target);
    ASSERT_EQ(g.queries.size(), 1000U);
    std::vector<std::int64_t> arrivals, done, issued;
    std::map<std::int64_t, std::int64_t> ran;
    for (const Query& q : g.queries) {
      arrivals.push_back(q.scheduled_ns);
      ran[q.issued_ns] = q.done_ns;
    }
    const std::vector<scenario::testing::ServedBatch> expected =
        scenario::testing::serve_in_batches(
            arrivals, batching, 1,
            [&](std::size_t batch, std::uint32_t, std::int64_t at) {
              if (batch >= ran.size()) return at;
              return std::next(ran.begin(), static_cast<std::ptrdiff_t>(batch))->second;
            },
            g.result.begun_ns);
    std::vector<std::uint32_t> counts;
    for (const auto& batch : expected) counts.push_back(batch.queries);
    ASSERT_EQ(counts_of(g.queries), counts);
    for (const Query& q : g.queries) {
      const auto at =
          std::ranges::find(expected, q.done_ns, &scenario::testing::ServedBatch::done_ns);
      ASSERT_NE(at, expected.end());
      ASSERT_EQ(std::int64_t{q.late_ns}, q.issued_ns - at->at_ns);
    }
    // Queries are taken in the order of their schedule, and what is padded is below the least size.
    std::vector<std::uint32_t> samples, recorded;
    for (const auto& batch : target.batches)
      samples.insert(samples.end(), batch.begin(), batch.end());
    for (const Query& q : g.queries) recorded.push_back(q.sample);
    EXPECT_EQ(samples, recorded);
    for (std::size_t i = 0; i < counts.size(); ++i)
      EXPECT_EQ(target.sizes[i], std::max(counts[i], scenario::sizes_of(batching).front()));
  }
}

TEST(GeneratorBatches, OfAnOfflineLoadAreFull) {
  FakeBatches target;
  const GeneratedPhases g =
      generate_phases(brief_phase(scenario::Kind::kOffline, 30,
                                  Batching{.most = 8, .wait = Nanos{60'000'000}, .sizes = {}}),
                      target);
  EXPECT_EQ(g.queries.size(), 30U);
  EXPECT_EQ(counts_of(g.queries), (std::vector<std::uint32_t>{8, 8, 8, 4, 2}));
}

TEST(GeneratorBatches, OfAClosedLoopAreOfClientsThatHaveTheirAnswers) {
  for (const std::uint32_t workers : {1U, 2U}) {
    Scenario s = brief_phase(scenario::Kind::kClosedLoop, 400,
                             Batching{.most = 4, .wait = Nanos{100'000}, .sizes = {}});
    s.clients = 6;
    s.workers = workers;
    FakeBatches target;
    target.batch_ns = 50'000;
    const GeneratedPhases g = generate_phases(s, target);
    EXPECT_EQ(g.queries.size(), 400U);
    // Never more queries in the system than clients.
    std::map<std::int64_t, int> changes;
    for (const Query& q : g.queries) {
      ++changes[q.scheduled_ns];
      --changes[q.done_ns];
    }
    int inside = 0;
    for (const auto& [at, change] : changes) ASSERT_LE(inside += change, 6) << at;
    for (const std::uint32_t count : counts_of(g.queries)) EXPECT_LE(count, 4U);
    if (workers == 1) {
      EXPECT_EQ(counts_of(g.queries)[0], 4U);
      EXPECT_EQ(counts_of(g.queries)[1], 4U);  // two that waited, and two of the first
    }
  }
}

TEST(GeneratorBatches, ClientsMayBeMoreThanWorkersWithoutBatches) {
  Scenario s = brief_phase(scenario::Kind::kClosedLoop, 300);
  s.clients = 3;
  FakeBatches target;
  target.sample_ns = 20'000;
  const GeneratedPhases g = generate_phases(s, target);
  ASSERT_EQ(g.queries.size(), 300U);
  // One worker and three clients: each query has waited for the two before it.
  std::vector<std::int64_t> done;
  for (const Query& q : g.queries) done.push_back(q.done_ns);
  std::ranges::sort(done);
  for (std::size_t i = 3; i < g.queries.size(); ++i)
    ASSERT_EQ(g.queries[i].scheduled_ns, done[i - 3]);
}

TEST(GeneratorBatches, ThatFailMarkTheirQueriesOrEndTheLoadWithWhatIsDone) {
  const Scenario s = brief_phase(scenario::Kind::kOffline, 40,
                                 Batching{.most = 4, .wait = Nanos{0}, .sizes = {4}});
  FakeBatches rejected;
  rejected.fail_at = 3;
  rejected.input_errors = true;
  const GeneratedPhases a = generate_phases(s, rejected);
  EXPECT_EQ(a.queries.size(), 40U);
  EXPECT_EQ(std::ranges::count_if(a.queries, [](const Query& q) { return q.failed == 1; }), 4);
  FakeBatches broken;
  broken.fail_at = 3;
  const GeneratedPhases b = generate_phases(s, broken);
  EXPECT_EQ(b.queries.size(), 8U);
  EXPECT_EQ(b.result.failure->code(), "TEST-0002");
}

TEST(GeneratorBatches, OfAServerThatIsTooSlowAreAbandonedWithTheRest) {
  Scenario s =
      brief_phase(scenario::Kind::kServer, 1, Batching{.most = 4, .wait = Nanos{0}, .sizes = {}});
  s.arrivals = scenario::Constant{.rate = 10'000};
  s.min_duration = s.max_duration = Nanos{100'000'000};  // 1000 queries
  FakeBatches slow;
  slow.batch_ns = 4'000'000;
  const GeneratedPhases g = generate_phases(s, slow);
  EXPECT_GT(g.result.abandoned, 0U);
  EXPECT_EQ(g.queries.size() + g.result.abandoned, 1000U);
}

TEST(GeneratorMix, GivesEachModelItsShareAndItsOwnSamples) {
  Scenario s = brief_phase(scenario::Kind::kClosedLoop, 20'000);
  s.mix = {0.3, 0.1};
  FakeBatches target;
  const GeneratedPhases g = generate_phases(s, target, {5, 3, 2});
  std::vector<int> counts(10);
  for (const Query& q : g.queries) ++counts.at(q.sample);
  // Four standard errors of a count of 20,000 x share.
  for (int sample = 0; sample < 10; ++sample) {
    const double share = sample < 5 ? 0.6 / 5 : sample < 8 ? 0.3 / 3 : 0.1 / 2;
    const double mean = 20'000 * share;
    EXPECT_NEAR(counts[static_cast<std::size_t>(sample)], mean, 4 * std::sqrt(mean)) << sample;
  }
}

TEST(GeneratorMix, TakesNeighborsFromTheSameModel) {
  Scenario s = brief_phase(scenario::Kind::kMultiStream, 50);
  s.samples_per_query = 3;
  s.order = scenario::Order::kInTurn;
  s.mix = {0.5};
  FakeBatches target;
  generate_phases(s, target, {4, 2});
  for (std::size_t i = 0; i < target.batches.size(); i += 3) {
    const bool second = target.batches[i][0] >= 4;
    for (std::size_t j = i; j < i + 3; ++j) EXPECT_EQ(target.batches[j][0] >= 4, second);
  }
}

TEST(GeneratorPhases, QueriesOfTheWarmUpAreOfTheScheduleAndMarked) {
  Scenario s = brief_phase(scenario::Kind::kServer, 500);
  s.warmup_duration = Nanos{10'000'000};
  FakeBatches target;
  const GeneratedPhases g = generate_phases(s, target);
  EXPECT_EQ(g.result.measured_ns, g.result.begun_ns + 10'000'000);
  const auto arrivals = expect_ok(scenario::make_arrivals(s.arrivals, s.seed));
  std::size_t measured = 0;
  for (const Query& q : g.queries) {
    ASSERT_EQ(q.scheduled_ns - g.result.begun_ns, arrivals->next());
    ASSERT_EQ(q.warmup == 1, q.scheduled_ns < g.result.measured_ns);
    measured += q.warmup == 0 ? 1 : 0;
  }
  EXPECT_EQ(measured, 500U);
}

TEST(GeneratorPhases, MayBeANumberOfQueriesInEveryScenario) {
  for (const scenario::Kind kind : {scenario::Kind::kSingleStream, scenario::Kind::kOffline,
                                    scenario::Kind::kServer, scenario::Kind::kClosedLoop}) {
    for (const bool batches : {false, true}) {
      Scenario s = brief_phase(kind, 200);
      if (kind == scenario::Kind::kClosedLoop) s.workers = 2;
      if (batches && kind == scenario::Kind::kSingleStream) continue;
      if (batches) s.batching = Batching{.most = 4, .wait = Nanos{100'000}, .sizes = {}};
      s.warmup_queries = 50;
      FakeBatches target;
      const GeneratedPhases g = generate_phases(s, target);
      EXPECT_EQ(std::ranges::count_if(g.queries, [](const Query& q) { return q.warmup == 1; }), 50);
      EXPECT_EQ(g.queries.size(), 250U) << word(kind);
      EXPECT_GT(g.result.measured_ns, g.result.begun_ns);
      if (kind == scenario::Kind::kOffline) {
        for (const Query& q : g.queries)
          EXPECT_EQ(q.scheduled_ns, q.warmup == 1 ? g.result.begun_ns : g.result.measured_ns);
      }
    }
  }
}

}  // namespace
}  // namespace ridge::runtime
