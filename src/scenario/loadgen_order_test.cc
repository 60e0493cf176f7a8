// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_order.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "scenario/testing/loadgen_oracle.h"

namespace ridge::scenario {
namespace {

using Rows = std::vector<std::vector<std::int64_t>>;
using S = LoadgenScenario;
using M = LoadgenMode;

struct OrderCase {
  std::string text;  ///< further settings, in JSON
  LoadgenSettings settings;
  SampleCounts counts;
};

std::string json(const OrderCase& c) {
  const LoadgenSettings& s = c.settings;
  return fmt::format(
      R"({{"total": {}, "performance": {}, "settings": {{"scenario": "{}", "mode": "{}",
      "min_duration_ms": {}, "min_query_count": {}, "qsl_rng_seed": {}, "sample_index_rng_seed": {},
      "schedule_rng_seed": {}{}}}}})",
      c.counts.total, c.counts.performance, name(s.scenario), name(s.mode), s.min_duration_ms,
      s.min_query_count, s.qsl_rng_seed, s.sample_index_rng_seed, s.schedule_rng_seed, c.text);
}

LoadgenSettings settings(S scenario, M mode, std::uint64_t queries) {
  LoadgenSettings out;
  out.scenario = scenario;
  out.mode = mode;
  out.min_duration_ms = 0;
  out.min_query_count = queries;
  out.qsl_rng_seed = 2085463073848966840u;  // of mlperf.conf 6.0
  out.sample_index_rng_seed = 2747215439041700203u;
  out.schedule_rng_seed = 16159082839903944936u;
  out.server_target_qps = 20'000;
  return out;
}

/// All scenarios, modes and ways of issue, with one loadable set and with several.
std::vector<OrderCase> order_cases() {
  std::vector<OrderCase> out;
  const SampleCounts kCounts[] = {{1000, 1000}, {489, 64}, {10, 7}};
  for (const SampleCounts& counts : kCounts)
    for (const S scenario : {S::kSingleStream, S::kMultiStream, S::kServer, S::kOffline}) {
      const std::string rate = scenario == S::kServer ? R"(, "server_target_qps": 20000)" : "";
      for (const M mode : {M::kPerformance, M::kAccuracy})
        out.push_back({rate, settings(scenario, mode, 489), counts});
      LoadgenSettings unique = settings(scenario, M::kPerformance, 20);
      unique.performance_issue_unique = true;
      out.push_back({rate + R"(, "performance_issue_unique": true)", unique, counts});
      LoadgenSettings same = settings(scenario, M::kPerformance, 30);
      same.performance_issue_same = true;
      same.performance_issue_same_index = 3;
      out.push_back(
          {rate + R"(, "performance_issue_same": true, "performance_issue_same_index": 3)", same,
           counts});
      LoadgenSettings equal = settings(scenario, M::kPerformance, 150);
      equal.sample_concatenate_permutation = true;
      out.push_back({rate + R"(, "sample_concatenate_permutation": true)", equal, counts});
    }
  return out;
}

Rows issued(LoadgenOrder& order, std::size_t queries) {
  Rows out;
  while (out.size() < queries && !order.next().empty())
    out.emplace_back(order.samples().begin(), order.samples().end());
  return out;
}

TEST(LoadgenOrderSlow, EqualsThatOfLoadgen) {
  SKIP_WITHOUT_LOADGEN();
  const std::vector<OrderCase> all = order_cases();
  std::string text;
  for (const OrderCase& c : all) text += (text.empty() ? "[" : ", ") + json(c);
  const testing::LoadgenAnswers answers(text + "]");
  std::size_t queries = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    LoadgenOrder order = LoadgenOrder::make(all[i].settings, all[i].counts).value();
    const Rows expected = answers.rows(i, "queries");
    ASSERT_FALSE(expected.empty()) << json(all[i]);
    const std::vector<std::int64_t> first(order.loaded().begin(), order.loaded().end());
    EXPECT_EQ(first, answers.rows(i, "loaded").at(0)) << json(all[i]);
    EXPECT_EQ(issued(order, expected.size()), expected) << json(all[i]);
    if (all[i].settings.mode == M::kAccuracy) {
      EXPECT_TRUE(order.next().empty()) << json(all[i]);
    }
    queries += expected.size();
  }
  EXPECT_GT(queries, 5000U);
}

TEST(LoadgenOrderSlow, ArrivesWhenLoadgenDoes) {
  SKIP_WITHOUT_LOADGEN();
  const LoadgenSettings s = settings(S::kServer, M::kPerformance, 2000);
  const OrderCase server{R"(, "server_target_qps": 20000)", s, {100, 100}};
  const testing::LoadgenAnswers answers("[" + json(server) + "]");
  const std::vector<std::int64_t> expected = answers.rows(0, "scheduled").at(0);
  ASSERT_EQ(expected.size(), 2000U);
  LoadgenArrivals arrivals(s, effective(s, server.counts));
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(arrivals.next(), expected[i]) << i;
}

TEST(LoadgenOrder, AccuracyModeRunsEverySampleOnce) {
  LoadgenOrder order = LoadgenOrder::make(settings(S::kServer, M::kAccuracy, 1), {100, 30}).value();
  EXPECT_EQ(order.loaded().size(), 30U);
  std::set<std::int64_t> seen;
  const Rows rows = issued(order, 1000);
  for (const auto& row : rows) seen.insert(row.at(0));
  EXPECT_EQ(rows.size(), 100U);
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_EQ(order.loaded().size(), 10U);
}

TEST(LoadgenOrder, EqualIssueRunsEverySampleAsOften) {
  LoadgenSettings s = settings(S::kServer, M::kPerformance, 90);
  s.sample_concatenate_permutation = true;
  LoadgenOrder order = LoadgenOrder::make(s, {30, 30}).value();
  std::vector<int> counts(30);
  for (const auto& row : issued(order, 150)) ++counts[static_cast<std::size_t>(row.at(0))];
  EXPECT_EQ(counts, std::vector<int>(30, 5));
}

TEST(LoadgenOrder, RefusesSetsThatCannotBe) {
  const auto refused = [](const LoadgenSettings& s, const SampleCounts& counts) {
    return LoadgenOrder::make(s, counts).error().text();
  };
  const LoadgenSettings s = settings(S::kServer, M::kPerformance, 9);
  EXPECT_EQ(refused(s, {0, 1}),
            "error: the number of samples is 0\n  hint: choose 1 to 1073741824\n"
            "  [RIDGE-SCEN-0030]\n");
  EXPECT_EQ(refused(s, {5, 0}),
            "error: the number of samples loaded at a time is 0\n"
            "  hint: choose 1 to 1073741824\n  [RIDGE-SCEN-0030]\n");
  LoadgenSettings offline = settings(S::kOffline, M::kPerformance, 9);
  offline.offline_expected_qps = 1e300;
  offline.min_duration_ms = 1000;
  EXPECT_NE(refused(offline, {5, 5}).find("samples of a query is 1000000000000000000"),
            std::string::npos);
  LoadgenSettings same = s;
  same.performance_issue_same = true;
  same.performance_issue_same_index = 5;
  EXPECT_NE(refused(same, {5, 5}).find("the index of the sample to repeat is 5"),
            std::string::npos);
}

TEST(LoadgenSettings, FollowFromTheScenario) {
  LoadgenSettings s = settings(S::kOffline, M::kPerformance, 100);
  s.min_duration_ms = 60'000;
  s.offline_expected_qps = 10;
  const LoadgenEffective offline = effective(s, {50, 20});
  EXPECT_EQ(offline.samples_per_query, 660U);
  EXPECT_EQ(offline.min_query_count, 1U);
  EXPECT_EQ(offline.min_sample_count, 660U);
  EXPECT_EQ(offline.performance_sample_count, 20U);
  s.scenario = S::kSingleStream;
  s.sample_concatenate_permutation = true;
  s.single_stream_expected_latency_ns = 1e8;
  EXPECT_EQ(effective(s, {50, 20}).min_query_count, 1220U);  // 2 x 60 s x 10, and one set
}

}  // namespace
}  // namespace ridge::scenario
