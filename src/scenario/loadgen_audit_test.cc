// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_audit.h"

#include <gtest/gtest.h>

#include <string>

#include "scenario/loadgen_logs.h"
#include "scenario/testing/loadgen_oracle.h"

namespace ridge::scenario {
namespace {

LoadgenSettings audited(LoadgenScenario scenario) {
  LoadgenSettings s;
  s.scenario = scenario;
  s.min_duration_ms = 0;
  s.min_query_count = 400;
  s.accuracy_log_rng_seed = 720381539243781796u;
  s.server_target_qps = 20'000;
  return s;
}

TEST(LoadgenAuditSlow, LogsTheSamplesThatLoadgenLogs) {
  SKIP_WITHOUT_LOADGEN();
  std::vector<LoadgenSettings> all;
  for (const auto scenario : {LoadgenScenario::kServer, LoadgenScenario::kOffline,
                              LoadgenScenario::kMultiStream, LoadgenScenario::kSingleStream}) {
    all.push_back(audited(scenario));
    all.back().accuracy_log_probability = 0.125;
    all.push_back(audited(scenario));
    all.back().accuracy_log_sampling_target = 100;
  }
  std::string cases;
  for (const LoadgenSettings& s : all)
    cases += fmt::format(
        R"({}{{"total": 30, "performance": 20, "settings": {{"scenario": "{}",
        "mode": "PerformanceOnly", "min_duration_ms": 0, "min_query_count": 400,
        "server_target_qps": 20000, "accuracy_log_rng_seed": {}, "accuracy_log_probability": {},
        "accuracy_log_sampling_target": {}}}}})",
        cases.empty() ? "[" : ", ", name(s.scenario), s.accuracy_log_rng_seed,
        s.accuracy_log_probability, s.accuracy_log_sampling_target);
  const testing::LoadgenAnswers answers(cases + "]");
  for (std::size_t i = 0; i < all.size(); ++i) {
    LoggedSamples logged(all[i], {30, 20});
    StringSink sink;
    AccuracyLog log(sink);
    std::uint64_t sequence = 0;
    const std::byte output[] = {std::byte{1}, std::byte{2}, std::byte{255}};
    const auto queries = answers.rows(i, "queries");
    for (const auto& query : queries)
      for (const std::int64_t sample : query) {
        if (logged.next()) log.add(sequence, static_cast<std::uint64_t>(sample), output);
        ++sequence;
      }
    log.end();
    EXPECT_GT(sink.text().size(), 500U) << i;
    EXPECT_EQ(sink.text(), answers.text(i, "accuracy")) << i;
  }
}

TEST(LoadgenAudit, AccuracyModeLogsAll) {
  LoadgenSettings s;
  s.mode = LoadgenMode::kAccuracy;
  LoggedSamples all(s, {1, 1});
  LoggedSamples none(LoadgenSettings(), {1, 1});
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(all.next());
    EXPECT_FALSE(none.next());
  }
}

}  // namespace
}  // namespace ridge::scenario
