// SPDX-License-Identifier: Apache-2.0
// Settings of LoadGen from flags and configuration files: what each sets, which goes before, and
// what is refused. That the files are read as LoadGen reads them is tested in scenario/.
#include "evaluation/mlperf/settings.h"

#include <gtest/gtest.h>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using scenario::Kind;
using scenario::LoadgenSettings;

MlperfSubject server() {
  return {.model = "models/resnet50.v1.onnx",
          .scenario = {.kind = Kind::kServer,
                       .arrivals = scenario::Poisson{.rate = 12},
                       .min_duration = Nanos{7'000'000'000},
                       .min_queries = 33},
          .bound = scenario::LatencyBound{.percentile = 0.9, .latency_ns = 15'000'000}};
}

/// Files for one request.
struct SettingsFiles {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  MlperfRequest request{.logs = "out"};

  explicit SettingsFiles(const std::string& user, const std::string& mlperf = "") {
    request.user_conf = folder.path() + "/user.conf";
    EXPECT_TRUE(write_file(request.user_conf, user).ok());
    if (mlperf.empty()) return;
    request.mlperf_conf = folder.path() + "/mlperf.conf";
    EXPECT_TRUE(write_file(request.mlperf_conf, mlperf).ok());
  }
};

TEST(MlperfSettings, FlagsSetThem) {
  const LoadgenSettings s = must(mlperf_settings({.logs = "out"}, server())).settings;
  EXPECT_EQ(s.scenario, scenario::LoadgenScenario::kServer);
  EXPECT_EQ(s.mode, scenario::LoadgenMode::kPerformance);
  EXPECT_EQ(s.server_target_qps, 12);
  EXPECT_EQ(s.server_target_latency_ns, 15'000'000U);
  EXPECT_EQ(s.server_target_latency_percentile, 0.9);
  EXPECT_EQ(s.min_duration_ms, 7000U);
  EXPECT_EQ(s.min_query_count, 33U);
  EXPECT_EQ(s.max_duration_ms, 0U);
  EXPECT_EQ(s.qsl_rng_seed, 2085463073848966840U);  // of mlperf.conf 6.0
  EXPECT_EQ(s.sample_index_rng_seed, 2747215439041700203U);
  EXPECT_EQ(s.schedule_rng_seed, 16159082839903944936U);
}

TEST(MlperfSettings, ConfigurationGoesBeforeFlagsAndUserConfBeforeMlperfConf) {
  const SettingsFiles files(
      "resnet50.v1.Server.target_qps = 250\n*.*.min_duration = 600\n*.*.min_duratio = 1\n",
      "*.*.min_duration = 5\n*.*.qsl_rng_seed = 4\n");
  const MlperfSettings s = must(mlperf_settings(files.request, server()));
  EXPECT_EQ(s.settings.min_duration_ms, 600U);
  EXPECT_EQ(s.settings.qsl_rng_seed, 4U);
  ASSERT_EQ(s.notes.size(), 1U);
  EXPECT_EQ(s.notes[0],
            files.request.user_conf + ": LoadGen does not know line 3: *.*.min_duratio");
}

TEST(MlperfSettings, NamesOfModelsAreThoseOfTheirFiles) {
  const SettingsFiles files("resnet50.Server.target_qps = 250\n");
  MlperfSubject subject = server();
  const auto rate = [&](const char* model) {
    subject.model = model;
    return must(mlperf_settings(files.request, subject)).settings.server_target_qps;
  };
  EXPECT_EQ(rate("zoo:resnet50"), 250);
  EXPECT_EQ(rate("resnet50.onnx"), 250);
  EXPECT_EQ(rate("a/b/resnet50.onnx"), 250);
  EXPECT_EQ(rate("resnet50/a.onnx"), 12);
}

TEST(MlperfSettings, ExpectedRatesAreLatenciesOfStreams) {
  MlperfSubject subject = server();
  subject.scenario.kind = Kind::kSingleStream;
  const LoadgenSettings s =
      must(mlperf_settings({.logs = "out", .queries_per_s = 200}, subject)).settings;
  EXPECT_EQ(s.single_stream_expected_latency_ns, 5e6);
  EXPECT_EQ(s.offline_expected_qps, 200);
}

TEST(MlperfSettings, RefusesWhatLoadgenOrRidgeDoesNotHave) {
  const auto refused = [](const MlperfRequest& request, const MlperfSubject& subject) {
    const auto made = mlperf_settings(request, subject);
    return made.ok() ? std::string() : made.error().message() + " | " + made.error().hint();
  };
  const auto conf = [&](const std::string& line) {
    const SettingsFiles files(line);
    return refused(files.request, server());
  };
  MlperfSubject subject = server();
  subject.scenario.kind = Kind::kClosedLoop;
  const std::string kinds =
      " | choose --scenario single-stream, multi-stream, server, offline or accuracy";
  EXPECT_EQ(refused({.logs = "out"}, subject), "LoadGen has no closed-loop" + kinds);
  subject = server();
  subject.scenario.arrivals = scenario::Constant{1};
  EXPECT_EQ(refused({.logs = "out"}, subject), "a server of LoadGen has Poisson arrivals" + kinds);
  subject = server();
  subject.scenario.warmup_queries = 1;
  EXPECT_EQ(refused({.logs = "out"}, subject),
            "LoadGen has no warm-up that counts as a phase" + kinds);
  subject = server();
  subject.scenario.mix = {0.5};
  EXPECT_EQ(refused({.logs = "out"}, subject), "LoadGen has one model" + kinds);
  subject = server();
  subject.scenario.batching = scenario::Batching{};
  EXPECT_EQ(refused({.logs = "out"}, subject), "");
  EXPECT_EQ(refused({.logs = "out", .audit = Audit::kTest01}, subject),
            "outputs of batches that form under load are not kept for TEST01" + kinds);
  const std::string remove = " is not carried out here | remove it from the configuration";
  EXPECT_EQ(conf("*.Server.coalesce_queries = 1\n"), "coalesce_queries" + remove);
  EXPECT_EQ(conf("*.Server.max_async_queries = 2\n"), "max_async_queries" + remove);
  EXPECT_EQ(conf("*.Server.target_qps = 0\n"), "a rate or an expected latency of 0" + remove);
  EXPECT_EQ(conf("*.Server.target_latency_percentile = 100\n"),
            "the 100th percentile as a target" + remove);
  EXPECT_EQ(conf("*.*.mode = 1\n"),
            "the mode AccuracyOnly is not carried out here | accuracy mode is --scenario accuracy");
}

TEST(MlperfSettings, AuditsAreThoseOfTheirConfiguration) {
  const LoadgenSettings s = must(mlperf_settings({.logs = "out"}, server())).settings;
  const LoadgenSettings first = audited(s, Audit::kTest01, 500);
  EXPECT_EQ(first.accuracy_log_rng_seed, 720381539243781796U);
  EXPECT_EQ(first.accuracy_log_sampling_target, 500U);
  EXPECT_EQ(audited(s, Audit::kTest01, 5000).accuracy_log_sampling_target, 1024U);
  const LoadgenSettings fourth = audited(s, Audit::kTest04, 2);
  EXPECT_TRUE(fourth.performance_issue_same);
  EXPECT_EQ(fourth.performance_issue_same_index, 1U);
  EXPECT_EQ(audited(s, Audit::kTest04, 64).performance_issue_same_index, 3U);
  for (const Audit audit : {Audit::kNone, Audit::kTest01, Audit::kTest04})
    EXPECT_EQ(find_word<Audit>(word(audit)), audit);
}

}  // namespace
}  // namespace ridge::evaluation
