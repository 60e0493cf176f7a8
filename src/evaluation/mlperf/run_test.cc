// SPDX-License-Identifier: Apache-2.0
// Runs of tests: which load the generator gets, and what is made of its record.
#include "evaluation/mlperf/run.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "attribution/testing.h"
#include "evaluation/mlperf/settings.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using scenario::Kind;
using scenario::LoadgenSettings;
using S = scenario::LoadgenScenario;

/// Sets of one input of four bytes a sample.
runtime::Samples plain_samples(std::uint32_t sets, std::int64_t batch) {
  runtime::Samples out;
  out.memory = must(ipc::SharedMemory::make(sets * 64));
  for (std::uint32_t i = 0; i < sets; ++i)
    out.sets.push_back(
        {{"x", onnx::DataType::kFloat, {batch, 1}, 64 * i, 4 * batch, RIDGE_TENSOR, {}}});
  return out;
}

LoadgenSettings settings(S scenario) {
  LoadgenSettings out;
  out.scenario = scenario;
  out.min_duration_ms = 40;
  out.min_query_count = 100;
  out.server_target_qps = 5000;
  out.single_stream_expected_latency_ns = 1e6;
  out.multi_stream_expected_latency_ns = 1e6;
  return out;
}

MlperfRun mlperf_run_of(const LoadgenSettings& s, std::uint32_t sets = 20,
                        std::uint64_t batch = 1) {
  const runtime::Samples samples = plain_samples(sets, static_cast<std::int64_t>(batch));
  return must(MlperfRun::make(s, {.samples = &samples, .batch = batch}, {.workers = 1}));
}

/// Queries one after the other, which each take a millisecond.
scenario::Load load_of(std::int64_t queries) {
  scenario::Load out{.begun_ns = 1000};
  for (std::int64_t i = 0; i < queries; ++i)
    out.queries.push_back({.scheduled_ns = 1000 + i * 1'000'000,
                           .issued_ns = 1100 + i * 1'000'000,
                           .done_ns = 1000 + (i + 1) * 1'000'000});
  out.ended_ns = out.queries.empty() ? 1000 : out.queries.back().done_ns;
  return out;
}

TEST(MlperfRun, ServersIssueTheirWholeList) {
  const MlperfRun run = mlperf_run_of(settings(S::kServer));
  EXPECT_EQ(run.scenario.kind, Kind::kServer);
  EXPECT_EQ(run.scenario.min_queries, run.schedule.queries);
  EXPECT_EQ(run.scenario.max_queries, run.schedule.queries);
  const auto& replay = std::get<scenario::Replay>(run.scenario.arrivals);
  EXPECT_EQ(replay.times_ns, run.schedule.times_ns);
  LoadgenSettings few = settings(S::kServer);
  few.max_query_count = 7;
  EXPECT_EQ(mlperf_run_of(few).scenario.max_queries, 7U);
}

TEST(MlperfRun, StreamsEndByTheirDurationWithinTheList) {
  const MlperfRun run = mlperf_run_of(settings(S::kSingleStream));
  EXPECT_EQ(run.scenario.min_queries, 100U);
  EXPECT_EQ(run.scenario.max_queries, run.schedule.queries);
  EXPECT_EQ(run.scenario.min_duration.count, 40'000'000);
  EXPECT_EQ(run.scenario.last, scenario::Last::kBeyond);
}

TEST(MlperfRun, OfflineQueriesAreCutIntoBatchesAndTheLastCountsAsFarAsItIsAsked) {
  LoadgenSettings s = settings(S::kOffline);
  s.min_query_count = 101;
  const MlperfRun run = mlperf_run_of(s, 5, 4);
  EXPECT_EQ(run.scenario.min_queries, 26U);
  scenario::LoadgenTest test = run.test(load_of(26));
  EXPECT_EQ(test.run.queries, 1U);
  EXPECT_EQ(test.run.sample_latencies_ns.size(), 101U);
  EXPECT_EQ(test.run.last_scheduled_s, 25e-3);
  EXPECT_EQ(test.run.last_done_s, 26e-3);
  EXPECT_EQ(test.end_reason, "Ending naturally: Minimum query count and test duration met.");
  EXPECT_EQ(test.generated_samples_per_query, 101U);
}

TEST(MlperfRun, QueriesOfSeveralSamplesHaveALatencyOfEachAndOfAll) {
  const MlperfRun run = mlperf_run_of(settings(S::kMultiStream));
  EXPECT_EQ(run.scenario.samples_per_query, 8U);
  const scenario::LoadgenTest test = run.test(load_of(100));
  EXPECT_EQ(test.run.queries, 100U);
  EXPECT_EQ(test.run.sample_latencies_ns, std::vector<std::int64_t>(800, 1'000'000));
  EXPECT_EQ(test.run.query_latencies_ns, std::vector<std::int64_t>(100, 1'000'000));
  EXPECT_EQ(mlperf_run_of(settings(S::kMultiStream), 10, 4).scenario.samples_per_query, 2U);
}

TEST(MlperfRun, SaysHowATestEnded) {
  LoadgenSettings s = settings(S::kSingleStream);
  s.single_stream_expected_latency_ns = 4e6;  // a list of 20, then of 100, is too short
  s.min_duration_ms = 1000;
  const MlperfRun run = mlperf_run_of(s);
  const auto listed = static_cast<std::int64_t>(run.schedule.queries);
  const scenario::LoadgenTest short_list = run.test(load_of(listed));
  EXPECT_EQ(short_list.errors, 1U);
  EXPECT_EQ(
      short_list.end_reason,
      "Ending early: Ran out of generated queries to issue before the minimum query count and "
      "test duration were reached.");
  scenario::Load failed = load_of(3);
  failed.queries[1].failed = 1;
  failed.failure = "it crashed";
  EXPECT_EQ(run.test(failed).errors, 2U);
  EXPECT_EQ(run.test(failed).end_reason, "Ending early: it crashed");
}

TEST(MlperfRun, KeepsTheRunsOfSamplesThatAreLogged) {
  LoadgenSettings s = settings(S::kOffline);
  s.accuracy_log_sampling_target = 30;
  const MlperfRun run = mlperf_run_of(s, 5, 4);
  ASSERT_GT(run.logged.size(), 10U);
  ASSERT_LT(run.logged.size(), 60U);
  std::set<std::uint64_t> runs;
  for (const std::uint64_t at : run.logged) runs.insert(at / 4);
  EXPECT_EQ(run.scenario.kept, std::vector<std::uint64_t>(runs.begin(), runs.end()));
  EXPECT_TRUE(mlperf_run_of(settings(S::kOffline)).scenario.kept.empty());
}

TEST(MlperfRun, AuditsRepeatOneSample) {
  for (const S scenario : {S::kServer, S::kSingleStream, S::kOffline}) {
    const MlperfRun plain = mlperf_run_of(settings(scenario));
    const MlperfRun run = mlperf_run_of(audited(settings(scenario), Audit::kTest04, 20));
    const std::set<std::uint32_t> samples(run.scenario.listed.begin(), run.scenario.listed.end());
    EXPECT_EQ(samples, (std::set{plain.schedule.loaded.at(3)}));
    EXPECT_EQ(run.scenario.listed.size(), plain.scenario.listed.size());
  }
}

TEST(MlperfRun, AccuracyModeHasEverySampleOnce) {
  LoadgenSettings s = settings(S::kOffline);
  s.mode = scenario::LoadgenMode::kAccuracy;
  const MlperfRun run = mlperf_run_of(s, 5, 4);
  EXPECT_EQ(run.schedule.samples.size(), 20U);
  EXPECT_EQ(
      std::set<std::uint32_t>(run.schedule.samples.begin(), run.schedule.samples.end()).size(),
      20U);
}

}  // namespace
}  // namespace ridge::evaluation
