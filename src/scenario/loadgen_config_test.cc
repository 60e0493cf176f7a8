// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_config.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "scenario/testing/loadgen_oracle.h"
#include "stats/random.h"

namespace ridge::scenario {
namespace {

LoadgenSettings read_config(std::string_view text,
                            LoadgenScenario scenario = LoadgenScenario::kServer,
                            ConfigKind kind = ConfigKind::kUser) {
  LoadgenSettings s;
  s.scenario = scenario;
  const auto notes = read_loadgen_config(text, "resnet50", kind, s);
  EXPECT_TRUE(notes.ok()) << (notes.ok() ? "" : notes.error().text());
  return s;
}

std::string config_fault(std::string_view text) {
  LoadgenSettings s;
  const auto notes = read_loadgen_config(text, "resnet50", ConfigKind::kUser, s);
  EXPECT_EQ(s, LoadgenSettings());
  return notes.ok() ? "read" : notes.error().text();
}

constexpr std::string_view kMixed = R"(# comment
*.*.min_duration = 1000
*.*.min_query_count = 0x10
resnet50.*.min_query_count = 011
bert.Server.target_qps = 7
*.Server.target_qps = 10.5
resnet50.Server.target_qps = 20.25
resnet50.Server.target_latency = 15
*.Server.target_latency_percentile = 99.9

*.SingleStream.target_latency = 2.5
*.MultiStream.target_latency = 12
*.MultiStream.samples_per_query = 4
*.Offline.target_qps = 1e3
*.Server.coalesce_queries = 1
*.Server.max_async_queries = 9
*.*.use_token_latencies = 1
*.Server.ttft_latency = 450
*.Server.tpot_latency = 40
*.*.performance_issue_same = 2
*.*.performance_issue_same_index = 3
*.*.performance_sample_count_override = 1024
*.*.accuracy_log_rng_seed = 18446744073709551615
*.*.accuracy_log_sampling_target = 5
*.*.qsl_rng_seed = 5
*.*.sample_concatenate_permutation = 1
*.*.mode = 2
*.*.max_duration = 5000
*.*.max_duration = 6000
)";

TEST(LoadgenConfig, TheMostSpecificLineCounts) {
  const LoadgenSettings s = read_config(kMixed);
  EXPECT_EQ(s.server_target_qps, 20.25);
  EXPECT_EQ(s.min_query_count, 9U);  // octal
  EXPECT_EQ(s.server_target_latency_ns, 15'000'000U);
  EXPECT_EQ(s.max_duration_ms, 6000U);
  EXPECT_EQ(s.qsl_rng_seed, 0U);
  EXPECT_EQ(read_config(kMixed, LoadgenScenario::kServer, ConfigKind::kMlperf).qsl_rng_seed, 5U);
  EXPECT_EQ(read_config("*.Server.min_duration = 5\nresnet50.*.min_duration = 6\n").min_duration_ms,
            5U);
}

TEST(LoadgenConfig, ListsKeysThatAreUnknown) {
  LoadgenSettings s;
  const auto notes = read_loadgen_config("*.*.min_durations = 1\nbert.*.typo = 2\na.b.c = 1\n",
                                         "resnet50", ConfigKind::kUser, s);
  ASSERT_TRUE(notes.ok());
  EXPECT_EQ(notes->unknown, std::vector<std::string>{"line 1: *.*.min_durations"});
}

TEST(LoadgenConfig, NamesTheLineAtFault) {
  EXPECT_EQ(config_fault("\n*.*.min_duration=5\n"), "read");  // LoadGen: a key without '='
  EXPECT_EQ(config_fault("min_duration = 5\n"),
            "error: line 1: 'min_duration' is not of the form model.scenario.key\n"
            "  [RIDGE-SCEN-0040]\n");
  EXPECT_EQ(config_fault("# x\n*.*.min_duration : 5\n"),
            "error: line 2: ':' where '=' belongs\n  hint: put spaces around '='\n"
            "  [RIDGE-SCEN-0040]\n");
  EXPECT_EQ(config_fault("*.*.min_duration = ten\n"),
            "error: line 1: 'ten' is no number\n  [RIDGE-SCEN-0040]\n");
  EXPECT_EQ(config_fault("*.*.min_duration = 6e5\n"),
            "error: line 1: min_duration is 600000, an integer from 0 is needed\n"
            "  [RIDGE-SCEN-0040]\n");
  EXPECT_EQ(config_fault("*.*.min_duration = inf\n"),
            "error: line 1: 'inf' is no number\n  [RIDGE-SCEN-0040]\n");
  EXPECT_EQ(config_fault(std::string(5000, 'x')),
            "error: line 1: the line has 5000 bytes, the limit is 4096\n  [RIDGE-SCEN-0040]\n");
}

TEST(LoadgenConfig, SurvivesChangedBytes) {
  stats::Random random(3);
  for (int round = 0; round < 5'000; ++round) {
    std::string text(kMixed);
    for (std::size_t i = 0; i <= random.below(4); ++i)
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    LoadgenSettings s;
    const auto notes = read_loadgen_config(text, "resnet50", ConfigKind::kMlperf, s);
    EXPECT_TRUE(notes.ok() || s == LoadgenSettings());
  }
}

std::map<std::string, double> settings_fields(const LoadgenSettings& s) {
  const auto d = [](auto value) { return static_cast<double>(value); };
  return {{"single_stream_expected_latency_ns", s.single_stream_expected_latency_ns},
          {"multi_stream_expected_latency_ns", s.multi_stream_expected_latency_ns},
          {"multi_stream_samples_per_query", d(s.multi_stream_samples_per_query)},
          {"server_target_qps", s.server_target_qps},
          {"server_target_latency_ns", d(s.server_target_latency_ns)},
          {"server_target_latency_percentile", s.server_target_latency_percentile},
          {"server_coalesce_queries", d(s.server_coalesce_queries)},
          {"server_max_async_queries", d(s.server_max_async_queries)},
          {"offline_expected_qps", s.offline_expected_qps},
          {"sample_concatenate_permutation", d(s.sample_concatenate_permutation)},
          {"min_duration_ms", d(s.min_duration_ms)},
          {"max_duration_ms", d(s.max_duration_ms)},
          {"min_query_count", d(s.min_query_count)},
          {"max_query_count", d(s.max_query_count)},
          {"qsl_rng_seed", d(s.qsl_rng_seed)},
          {"accuracy_log_rng_seed", d(s.accuracy_log_rng_seed)},
          {"accuracy_log_sampling_target", d(s.accuracy_log_sampling_target)},
          {"performance_issue_same", d(s.performance_issue_same)},
          {"performance_issue_same_index", d(s.performance_issue_same_index)},
          {"performance_sample_count_override", d(s.performance_sample_count_override)},
          {"use_token_latencies", d(s.use_token_latencies)},
          {"ttft_latency", d(s.server_ttft_latency)},
          {"tpot_latency", d(s.server_tpot_latency)}};
}

TEST(LoadgenConfigSlow, ReadsWhatLoadgenReads) {
  SKIP_WITHOUT_LOADGEN();
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  const std::string path = folder.path() + "/user.conf";
  ASSERT_TRUE(write_file(path, kMixed).ok());
  constexpr LoadgenScenario kScenarios[] = {LoadgenScenario::kSingleStream,
                                            LoadgenScenario::kMultiStream, LoadgenScenario::kServer,
                                            LoadgenScenario::kOffline};
  std::string cases;
  for (const LoadgenScenario scenario : kScenarios)
    cases += fmt::format(R"({}{{"settings": {{"scenario": "{}"}}, "config": ["{}", "resnet50"]}})",
                         cases.empty() ? "[" : ", ", name(scenario), path);
  const testing::LoadgenAnswers answers(cases + "]");
  for (std::size_t i = 0; i < std::size(kScenarios); ++i) {
    std::istringstream in(answers.text(i, "settings"));
    const std::map<std::string, double> ours = settings_fields(read_config(kMixed, kScenarios[i]));
    std::size_t compared = 0;
    std::string field;
    for (double value = 0; in >> field >> value;) {
      const auto at = ours.find(field);
      if (at == ours.end()) continue;
      EXPECT_DOUBLE_EQ(at->second, value) << field << ' ' << name(kScenarios[i]);
      ++compared;
    }
    EXPECT_EQ(compared, ours.size());
  }
}

}  // namespace
}  // namespace ridge::scenario
