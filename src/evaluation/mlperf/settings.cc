// SPDX-License-Identifier: Apache-2.0
#include "evaluation/mlperf/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "scenario/loadgen_config.h"

namespace ridge::evaluation {
namespace {

using scenario::ConfigKind;
using scenario::Kind;
using scenario::LoadgenMode;
using scenario::LoadgenScenario;
using scenario::LoadgenSettings;

constexpr std::int64_t kMaxConfigBytes = std::int64_t{1} << 20;

// mlperf.conf of LoadGen 6.0.
constexpr std::uint64_t kSampleSetSeed = 2'085'463'073'848'966'840;
constexpr std::uint64_t kSampleIndexSeed = 2'747'215'439'041'700'203;
constexpr std::uint64_t kScheduleSeed = 16'159'082'839'903'944'936U;

// compliance/TEST01 and TEST04 of github:mlcommons/inference, audit.config. How many samples are
// logged differs by benchmark; this is resnet50's.
constexpr std::uint64_t kAuditSeed = 720'381'539'243'781'796;
constexpr std::uint64_t kAuditedSamples = 1024;
constexpr std::uint64_t kRepeatedSample = 3;

Error no_such_load(std::string message) {
  return usage_error("RIDGE-WB-0130", std::move(message))
      .hint("choose --scenario single-stream, multi-stream, server, offline or accuracy");
}

/// Rejects what a load has here and not in LoadGen. Batches are the system's own affair there, but
/// their outputs are not kept.
Result<void> check_load(const scenario::Scenario& s, Audit audit) {
  if (s.warmup_duration.count > 0 || s.warmup_queries > 0)
    return no_such_load("LoadGen has no warm-up that counts as a phase");
  if (!s.mix.empty()) return no_such_load("LoadGen has one model");
  if (s.batching && audit == Audit::kTest01)
    return no_such_load("outputs of batches that form under load are not kept for TEST01");
  return {};
}

Result<LoadgenScenario> scenario_of(const MlperfSubject& subject) {
  if (!subject.load) return LoadgenScenario::kOffline;
  switch (subject.scenario.kind) {
    case Kind::kSingleStream:
      return LoadgenScenario::kSingleStream;
    case Kind::kMultiStream:
      return LoadgenScenario::kMultiStream;
    case Kind::kOffline:
      return LoadgenScenario::kOffline;
    case Kind::kServer:
      if (std::holds_alternative<scenario::Poisson>(subject.scenario.arrivals))
        return LoadgenScenario::kServer;
      return no_such_load("a server of LoadGen has Poisson arrivals");
    case Kind::kClosedLoop:
      break;
  }
  return no_such_load(fmt::format("LoadGen has no {}", word(subject.scenario.kind)));
}

LoadgenSettings asked(const MlperfRequest& request, const MlperfSubject& subject,
                      LoadgenScenario kind) {
  LoadgenSettings out;
  out.scenario = kind;
  out.mode = subject.load ? LoadgenMode::kPerformance : LoadgenMode::kAccuracy;
  out.qsl_rng_seed = kSampleSetSeed;
  out.sample_index_rng_seed = kSampleIndexSeed;
  out.schedule_rng_seed = kScheduleSeed;
  const scenario::Scenario& s = subject.scenario;
  out.min_duration_ms = static_cast<std::uint64_t>(s.min_duration.count / 1'000'000);
  out.max_duration_ms = request.max_duration_ms;
  out.min_query_count = s.min_queries;
  out.multi_stream_samples_per_query = s.samples_per_query;
  if (s.kind == Kind::kServer) out.server_target_qps = mean_rate(s.arrivals);
  if (request.queries_per_s > 0) {
    out.offline_expected_qps = request.queries_per_s;
    out.single_stream_expected_latency_ns = 1e9 / request.queries_per_s;
    out.multi_stream_expected_latency_ns = 1e9 / request.queries_per_s;
  }
  if (subject.bound) {
    out.server_target_latency_ns = static_cast<std::uint64_t>(subject.bound->latency_ns);
    out.server_target_latency_percentile = subject.bound->percentile;
    out.single_stream_target_latency_percentile = subject.bound->percentile;
    out.multi_stream_target_latency_percentile = subject.bound->percentile;
  }
  return out;
}

/// zoo:resnet50 and models/resnet50.onnx are resnet50.
std::string_view model_name(std::string_view model) {
  if (model.starts_with("zoo:")) return model.substr(4);
  model = model.substr(model.rfind('/') + 1);  // npos + 1 is 0
  return model.substr(0, model.rfind('.'));
}

Result<void> read_config(const std::string& path, ConfigKind kind, std::string_view model,
                         MlperfSettings& out) {
  if (path.empty()) return {};
  HashedText conf = TRY(read_hashed_text(path, kMaxConfigBytes));
  out.hashes[path] = std::move(conf.sha256);
  Result<scenario::ConfigNotes> notes =
      scenario::read_loadgen_config(conf.text, model, kind, out.settings);
  if (!notes.ok()) return std::move(notes).error().in_file(path);
  for (const std::string& key : notes->unknown)
    out.notes.push_back(fmt::format("{}: LoadGen does not know {}", path, key));
  return {};
}

Error not_carried_out(std::string_view key, std::string hint = "remove it from the configuration") {
  return input_error("RIDGE-WB-0131", fmt::format("{} is not carried out here", key))
      .hint(std::move(hint));
}

Result<void> check_settings(const LoadgenSettings& s) {
  if (s.server_coalesce_queries) return not_carried_out("coalesce_queries");
  if (s.server_max_async_queries > 0) return not_carried_out("max_async_queries");
  if (s.use_token_latencies) return not_carried_out("use_token_latencies");
  const double rates[] = {s.server_target_qps, s.offline_expected_qps};
  const bool rated = std::ranges::all_of(rates, [](double r) { return std::isfinite(r) && r > 0; });
  if (!rated || !(s.single_stream_expected_latency_ns > 0) ||
      !(s.multi_stream_expected_latency_ns > 0))
    return not_carried_out("a rate or an expected latency of 0");
  for (const double p :
       {s.single_stream_target_latency_percentile, s.multi_stream_target_latency_percentile,
        s.server_target_latency_percentile})
    if (!(p > 0 && p < 1))
      return not_carried_out(fmt::format("the {:g}th percentile as a target", 100 * p));
  return {};
}

}  // namespace

Result<MlperfSettings> mlperf_settings(const MlperfRequest& request, const MlperfSubject& subject) {
  const LoadgenScenario kind = TRY(scenario_of(subject));
  TRY(check_load(subject.scenario, request.audit));
  MlperfSettings out{.settings = asked(request, subject, kind), .hashes = {}, .notes = {}};
  const std::string_view model = model_name(subject.model);
  TRY(read_config(request.mlperf_conf, ConfigKind::kMlperf, model, out));
  TRY(read_config(request.user_conf, ConfigKind::kUser, model, out));
  const auto in_files = [&](Error error) {
    return std::move(error).in_file(request.user_conf.empty() ? request.mlperf_conf
                                                              : request.user_conf);
  };
  if (Result<void> good = check_settings(out.settings); !good.ok())
    return in_files(std::move(good).error());
  const LoadgenMode mode = subject.load ? LoadgenMode::kPerformance : LoadgenMode::kAccuracy;
  if (out.settings.mode == mode) return out;
  return in_files(not_carried_out(fmt::format("the mode {}", name(out.settings.mode)),
                                  "accuracy mode is --scenario accuracy"));
}

LoadgenSettings audited(const LoadgenSettings& settings, Audit audit, std::uint64_t samples) {
  LoadgenSettings out = settings;
  out.mode = LoadgenMode::kPerformance;
  if (audit == Audit::kTest01) {
    out.accuracy_log_rng_seed = kAuditSeed;
    if (out.accuracy_log_sampling_target == 0)
      out.accuracy_log_sampling_target = std::min(kAuditedSamples, samples);
  }
  if (audit == Audit::kTest04) {
    out.performance_issue_unique = false;
    out.performance_issue_same = true;
    out.performance_issue_same_index = std::min(kRepeatedSample, samples - 1);
  }
  return out;
}

}  // namespace ridge::evaluation
