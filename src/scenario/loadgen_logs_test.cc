// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_logs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "scenario/testing/loadgen_oracle.h"

namespace ridge::scenario {
namespace {

using S = LoadgenScenario;
using M = LoadgenMode;

LoadgenResult result_of(const LoadgenTest& test) {
  return test.settings.mode == M::kAccuracy ? LoadgenResult()
                                            : loadgen_result(test.settings, test.counts, test.run);
}

/// Text between `before` and `after`, from `from` on.
std::string between(const std::string& line, const std::string& before, const std::string& after) {
  const std::size_t at = line.find(before);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + before.size();
  return line.substr(begin, line.find(after, begin) - begin);
}

/// Keys and values of a detail log, without what its logger says about itself.
std::multimap<std::string, std::string> detail_log(const std::string& text) {
  std::multimap<std::string, std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(":::MLLOG {\"key\": \"")) continue;
    const std::string key = between(line, "\"key\": \"", "\"");
    if (key != "generic_message" && key != "warning_generic_message")
      out.emplace(key, between(line, "\"value\": ", ", \"time_ms\""));
  }
  return out;
}

std::set<std::string> keys(const std::multimap<std::string, std::string>& log) {
  std::set<std::string> out;
  for (const auto& [key, value] : log) out.insert(key);
  return out;
}

/// Words before the first colon of each line of a summary.
std::set<std::string> summary_keys(const std::string& text) {
  std::set<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find(" : ") != std::string::npos || line.find(": ") != std::string::npos)
      if (!line.starts_with("Written by")) out.insert(line.substr(0, line.find(':')));
  return out;
}

LoadgenTest made_test(S scenario, M mode, std::uint64_t queries, const SampleCounts& counts) {
  LoadgenTest test;
  test.settings.scenario = scenario;
  test.settings.mode = mode;
  test.settings.min_duration_ms = 0;
  test.settings.min_query_count = queries;
  test.settings.server_target_qps = 20'000;
  test.counts = counts;
  test.writer = "ridge test";
  test.sut_name = "PySUT";
  test.qsl_name = "PyQSL";
  return test;
}

/// Takes the run that LoadGen traced.
void take(const testing::LoadgenAnswers& answers, std::size_t which, LoadgenTest& test) {
  const auto queries = answers.rows(which, "queries");
  const auto samples = answers.rows(which, "samples");
  LoadgenRun& run = test.run;
  run.queries = queries.size();
  std::size_t at = 0;
  for (const auto& query : queries) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < query.size(); ++i, ++at) {
      const auto& row = samples.at(at);
      run.sample_latencies_ns.push_back(row.at(2) - row.at(0));
      last = std::max(last, row.at(2));
      run.last_scheduled_s = static_cast<double>(row.at(0)) / 1e9;
      run.last_issued_s = static_cast<double>(row.at(1)) / 1e9;
      run.last_done_s = static_cast<double>(row.at(2)) / 1e9;
    }
    if (test.settings.scenario == S::kMultiStream)
      run.query_latencies_ns.push_back(last - samples.at(at - 1).at(0));
  }
  const auto loaded = answers.rows(which, "loaded");
  for (const std::int64_t index : loaded.at(0))
    test.loaded.push_back(static_cast<std::uint32_t>(index));
}

std::vector<LoadgenTest> tests() {
  std::vector<LoadgenTest> out = {made_test(S::kServer, M::kPerformance, 1000, {20, 7}),
                                  made_test(S::kServer, M::kPerformance, 5, {20, 7}),
                                  made_test(S::kSingleStream, M::kPerformance, 500, {20, 7}),
                                  made_test(S::kSingleStream, M::kPerformance, 700, {20, 20}),
                                  made_test(S::kSingleStream, M::kPerformance, 20, {20, 20}),
                                  made_test(S::kMultiStream, M::kPerformance, 700, {20, 20}),
                                  made_test(S::kOffline, M::kPerformance, 300, {20, 20}),
                                  made_test(S::kOffline, M::kAccuracy, 1, {20, 20})};
  out[0].settings.server_target_latency_ns = 20'000;  // some are late
  return out;
}

// Values that do not depend on when the run took place are compared as well: values of the
// settings, and the results, computed again from the traced latencies. Rates are left out, for
// which LoadGen has another origin of time than the trace.
TEST(LoadgenLogsSlow, HaveTheKeysAndResultsOfLoadgen) {
  SKIP_WITHOUT_LOADGEN();
  std::vector<LoadgenTest> all = tests();
  std::string cases;
  for (const LoadgenTest& t : all)
    cases += fmt::format(
        R"({}{{"total": {}, "performance": {}, "settings": {{"scenario": "{}", "mode": "{}",
        "min_duration_ms": 0, "min_query_count": {}, "server_target_qps": 20000,
        "server_target_latency_ns": {}}}}})",
        cases.empty() ? "[" : ", ", t.counts.total, t.counts.performance, name(t.settings.scenario),
        name(t.settings.mode), t.settings.min_query_count, t.settings.server_target_latency_ns);
  const testing::LoadgenAnswers answers(cases + "]");
  std::size_t compared = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    take(answers, i, all[i]);
    StringSink ours, summary;
    write_loadgen_detail(all[i], result_of(all[i]), ours);
    write_loadgen_summary(all[i], result_of(all[i]), summary);
    const auto expected = detail_log(answers.text(i, "detail")), got = detail_log(ours.text());
    ASSERT_EQ(keys(got), keys(expected)) << i;
    EXPECT_EQ(summary_keys(summary.text()), summary_keys(answers.text(i, "summary"))) << i;
    for (const auto& [key, value] : expected) {
      const bool same = key.starts_with("requested_") || key.starts_with("effective_") ||
                        key.starts_with("early_") || key.starts_with("qsl_") ||
                        key == "loaded_qsl_set" || key == "num_errors" ||
                        (key.starts_with("result_") && key.find("per_sec") == std::string::npos &&
                         key.find("qps_with_") == std::string::npos);
      if (!same) continue;
      EXPECT_EQ(got.find(key)->second, value) << i << ' ' << key;
      ++compared;
    }
  }
  EXPECT_GT(compared, 400U);
}

TEST(LoadgenLogsSlow, AccuracyLogsAreEqual) {
  SKIP_WITHOUT_LOADGEN();
  const testing::LoadgenAnswers answers(
      R"([{"total": 4, "performance": 4, "settings": {"scenario": "Offline",
      "mode": "AccuracyOnly", "min_duration_ms": 0}}])");
  StringSink sink;
  AccuracyLog log(sink);
  const std::byte output[] = {std::byte{1}, std::byte{2}, std::byte{255}};
  std::uint64_t sequence = 0;
  const auto queries = answers.rows(0, "queries");
  for (const std::int64_t index : queries.at(0))
    log.add(sequence++, static_cast<std::uint64_t>(index), output);
  log.end();
  EXPECT_EQ(sink.text(), answers.text(0, "accuracy"));
}

TEST(LoadgenLogs, SayWhoWroteThem) {
  LoadgenTest test = made_test(S::kOffline, M::kPerformance, 10, {1, 1});
  test.sut_name = "a\"b\n";
  StringSink detail_log, summary;
  write_loadgen_detail(test, result_of(test), detail_log);
  write_loadgen_summary(test, result_of(test), summary);
  EXPECT_NE(detail_log.text().find("\"6.0.17 (its rules; written by ridge test)\""),
            std::string::npos);
  EXPECT_NE(detail_log.text().find(R"("value": "a\"b\n")"), std::string::npos);
  EXPECT_NE(summary.text().find("This is not an MLPerf result."), std::string::npos);
  EXPECT_NE(summary.text().find("SUT name : a\"b\\x0a\n"), std::string::npos);
}

TEST(LoadgenLogs, OfflineRunsDoNotStopEarly) {
  for (const S scenario : {S::kSingleStream, S::kMultiStream, S::kServer, S::kOffline}) {
    const LoadgenTest test = made_test(scenario, M::kPerformance, 10, {1, 1});
    StringSink summary;
    write_loadgen_summary(test, result_of(test), summary);
    EXPECT_EQ(summary.text().find("Early Stopping Result:") == std::string::npos,
              scenario == S::kOffline);
  }
}

TEST(LoadgenLogs, AnEmptyRunIsInvalid) {
  for (const S scenario : {S::kSingleStream, S::kMultiStream, S::kServer, S::kOffline}) {
    const LoadgenTest test = made_test(scenario, M::kPerformance, 10, {1, 1});
    EXPECT_FALSE(loadgen_result(test.settings, test.counts, test.run).valid);
  }
}

}  // namespace
}  // namespace ridge::scenario
