// SPDX-License-Identifier: Apache-2.0
// The list of queries that LoadGen generates: its length and duration as LoadGen logs them, and its
// samples as far as LoadGen issues them.
#include "scenario/loadgen_schedule.h"

#include <gtest/gtest.h>

#include <string>

#include "base/testing/limited_memory.h"
#include "base/testing/sanitized.h"
#include "scenario/testing/loadgen_oracle.h"

namespace ridge::scenario {
namespace {

using S = LoadgenScenario;
using M = LoadgenMode;

struct ScheduleCase {
  LoadgenSettings settings;
  SampleCounts counts;

  std::string json() const {
    const LoadgenSettings& s = settings;
    return fmt::format(
        R"({{"total": {}, "performance": {}, "settings": {{"scenario": "{}", "mode": "{}",
        "min_duration_ms": {}, "min_query_count": {}, "qsl_rng_seed": 1,
        "sample_index_rng_seed": 2, "schedule_rng_seed": 3, "server_target_qps": {},
        "offline_expected_qps": {}, "single_stream_expected_latency_ns": {},
        "multi_stream_expected_latency_ns": {}, "sample_concatenate_permutation": {},
        "performance_issue_unique": {}}}}})",
        counts.total, counts.performance, name(s.scenario), name(s.mode), s.min_duration_ms,
        s.min_query_count, s.server_target_qps, s.offline_expected_qps,
        static_cast<std::uint64_t>(s.single_stream_expected_latency_ns),
        static_cast<std::uint64_t>(s.multi_stream_expected_latency_ns),
        s.sample_concatenate_permutation, s.performance_issue_unique);
  }
};

ScheduleCase of(S scenario) {
  ScheduleCase out;
  LoadgenSettings& s = out.settings;
  s.scenario = scenario;
  s.qsl_rng_seed = 1;
  s.sample_index_rng_seed = 2;
  s.schedule_rng_seed = 3;
  s.min_duration_ms = 50;
  s.min_query_count = 100;
  s.server_target_qps = 20'000;
  s.offline_expected_qps = 20'000;
  s.single_stream_expected_latency_ns = 300'000;
  s.multi_stream_expected_latency_ns = 300'000;
  out.counts = {70, 64};
  return out;
}

/// Lists that end by their duration, by their number, at the end of a set, and with the data.
std::vector<ScheduleCase> schedule_cases() {
  std::vector<ScheduleCase> out;
  for (const S scenario : {S::kServer, S::kSingleStream, S::kMultiStream, S::kOffline}) {
    out.push_back(of(scenario));
    out.push_back(of(scenario));
    out.back().settings.min_query_count = 3001;
    out.push_back(of(scenario));
    out.back().settings.sample_concatenate_permutation = true;
    out.push_back(of(scenario));
    out.back().settings.performance_issue_unique = true;
    out.push_back(of(scenario));
    out.back().settings.mode = M::kAccuracy;
    out.back().counts = {64, 64};
  }
  return out;
}

std::string logged(const std::string& detail, const std::string& key) {
  const std::string before = "\"key\": \"" + key + "\", \"value\": ";
  const std::size_t at = detail.find(before);
  if (at == std::string::npos) return "none";
  return detail.substr(at + before.size(),
                       detail.find(',', at + before.size()) - at - before.size());
}

TEST(LoadgenScheduleSlow, IsTheListThatLoadgenGenerates) {
  SKIP_WITHOUT_LOADGEN();
  const std::vector<ScheduleCase> all = schedule_cases();
  std::string text;
  for (const ScheduleCase& c : all) text += (text.empty() ? "[" : ", ") + c.json();
  const testing::LoadgenAnswers answers(text + "]");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const LoadgenSchedule s = loadgen_schedule(all[i].settings, all[i].counts).value();
    const std::string detail = answers.text(i, "detail");
    EXPECT_EQ(std::to_string(s.queries), logged(detail, "generated_query_count")) << i;
    EXPECT_EQ(std::to_string(s.samples_per_query), logged(detail, "generated_samples_per_query"))
        << i;
    EXPECT_EQ(std::to_string(s.duration_ns), logged(detail, "generated_query_duration")) << i;
    const auto issued = answers.rows(i, "queries");
    ASSERT_LE(issued.size(), s.queries) << i;
    for (std::size_t q = 0; q < issued.size(); ++q) {
      const auto query = s.query(q);
      ASSERT_EQ(std::vector<std::int64_t>(query.begin(), query.end()), issued[q]) << i << ' ' << q;
    }
    if (all[i].settings.scenario == S::kServer) {
      EXPECT_EQ(s.times_ns, answers.rows(i, "scheduled").at(0)) << i;
    }
  }
}

TEST(LoadgenSchedule, RefusesTestsLargerThanMemory) {
  ScheduleCase c = of(S::kServer);
  c.settings.min_query_count = std::uint64_t{1} << 29;
  EXPECT_EQ(loadgen_schedule(c.settings, c.counts).error().text(),
            "error: the test has more than 16777216 samples\n"
            "  by its settings about 5.37e+08\n"
            "  hint: lower min_duration, target_qps or min_query_count, or raise the expected "
            "latency\n  [RIDGE-SCEN-0031]\n");
}

TEST(LoadgenSchedule, RefusesThemBeforeItListsThem) {
  if (kSanitized) GTEST_SKIP() << "sanitizers map memory of their own";
  std::vector<ScheduleCase> huge;
  for (const S scenario : {S::kSingleStream, S::kMultiStream, S::kServer, S::kOffline}) {
    huge.push_back(of(scenario));
    huge.back().settings.min_query_count = std::uint64_t{1} << 27;
    huge.push_back(of(scenario));
    huge.back().settings.min_query_count = std::uint64_t{1} << 27;
    huge.back().settings.sample_concatenate_permutation = true;
    huge.push_back(of(scenario));
    huge.back().settings.min_duration_ms = std::uint64_t{1} << 33;
    huge.back().settings.server_target_qps = huge.back().settings.offline_expected_qps = 1e6;
  }
  huge.push_back(of(S::kMultiStream));
  huge.back().settings.multi_stream_samples_per_query = std::uint64_t{1} << 26;
  for (std::size_t i = 0; i < huge.size(); ++i)
    EXPECT_TRUE(ridge::testing::holds_within(std::int64_t{24} << 20, [&] {
      const auto made = loadgen_schedule(huge[i].settings, huge[i].counts);
      return !made.ok() && made.error().code() == "RIDGE-SCEN-0031";
    })) << i;
}

}  // namespace
}  // namespace ridge::scenario
