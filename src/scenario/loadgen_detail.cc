// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <utility>

#include "base/json_writer.h"
#include "scenario/loadgen_logs.h"

namespace ridge::scenario {
namespace {

using S = LoadgenScenario;

/// Writes one key a line. Numbers have the six digits that LoadGen gives them.
class Detail {
 public:
  explicit Detail(std::string& text) : text_(text) {}

  void operator()(std::string_view key, std::string_view value) {
    StringSink sink;
    JsonWriter(sink).value(value);
    write(key, sink.text());
  }
  void operator()(std::string_view key, const char* value) {
    (*this)(key, std::string_view(value));
  }
  void operator()(std::string_view key, bool value) { write(key, value ? "true" : "false"); }
  void operator()(std::string_view key, double value) { write(key, fmt::format("{:g}", value)); }
  void operator()(std::string_view key, std::integral auto value) {
    write(key, fmt::format("{}", value));
  }
  void operator()(std::string_view key, const std::vector<std::uint32_t>& values) {
    write(key, fmt::format("[{}]", fmt::join(values, ",")));
  }

  void interval(std::string_view key, std::string_view value, std::string_view event) {
    event_ = event;
    (*this)(key, value);
    event_ = kPoint;
  }
  void raw(std::string_view key, std::string_view json) { write(key, json); }

 private:
  static constexpr std::string_view kPoint = "POINT_IN_TIME";

  void write(std::string_view key, std::string_view json) {
    fmt::format_to(std::back_inserter(text_),
                   R"(:::MLLOG {{"key": "{}", "value": {}, "time_ms": 0.000000, )"
                   R"("namespace": "mlperf::logging", "event_type": "{}", "metadata": )"
                   R"({{"is_error": false, "is_warning": false, "file": "loadgen_detail.cc", )"
                   R"("line_no": 0, "pid": 0, "tid": 0}}}})"
                   "\n",
                   key, json, event_);
  }

  std::string& text_;
  std::string_view event_ = kPoint;
};

void heading(const LoadgenTest& test, Detail& log) {
  log("loadgen_version", fmt::format("6.0.17 (its rules; written by {})", test.writer));
  for (const char* key :
       {"loadgen_build_date_local", "loadgen_build_date_utc", "loadgen_git_commit_date",
        "loadgen_git_log_message", "loadgen_git_status_message"})
    log(key, "");
  log.raw("loadgen_file_sha1", "{}");
  log("test_datetime", test.date_time);
  log("sut_name", test.sut_name);
  log("get_sut_name_duration_ns", 0);
  log("qsl_name", test.qsl_name);
  log("qsl_reported_total_count", test.counts.total);
  log("qsl_reported_performance_count", test.counts.performance);
}

void requested_scenario(const LoadgenSettings& s, Detail& log) {
  switch (s.scenario) {
    case S::kSingleStream:
      log("requested_single_stream_expected_latency_ns", s.single_stream_expected_latency_ns);
      log("requested_single_stream_target_latency_percentile",
          s.single_stream_target_latency_percentile);
      return;
    case S::kMultiStream:
      log("requested_multi_stream_expected_latency_ns", s.multi_stream_expected_latency_ns);
      log("requested_multi_stream_target_latency_percentile",
          s.multi_stream_target_latency_percentile);
      log("requested_multi_stream_samples_per_query", s.multi_stream_samples_per_query);
      return;
    case S::kServer:
      log("requested_server_target_qps", s.server_target_qps);
      log("requested_server_target_latency_ns", s.server_target_latency_ns);
      log("requested_server_target_latency_percentile", s.server_target_latency_percentile);
      log("requested_server_coalesce_queries", s.server_coalesce_queries);
      log("requested_server_find_peak_qps_decimals_of_precision", 1);
      log("requested_server_find_peak_qps_boundary_step_size", 1);
      log("requested_server_max_async_queries", s.server_max_async_queries);
      log("requested_server_num_issue_query_threads", 0);
      return;
    case S::kOffline:
      log("requested_offline_expected_qps", s.offline_expected_qps);
      return;
  }
}

/// Settings that are used as they were asked for.
void common(std::string_view prefix, const LoadgenSettings& s, Detail& log) {
  const auto put = [&](std::string_view key, auto value) {
    log(fmt::format("{}_{}", prefix, key), value);
  };
  put("qsl_rng_seed", s.qsl_rng_seed);
  put("sample_index_rng_seed", s.sample_index_rng_seed);
  put("schedule_rng_seed", s.schedule_rng_seed);
  put("accuracy_log_rng_seed", s.accuracy_log_rng_seed);
  put("accuracy_log_probability", s.accuracy_log_probability);
  put("accuracy_log_sampling_target", s.accuracy_log_sampling_target);
  put("print_timestamps", s.print_timestamps);
  put("performance_issue_unique", s.performance_issue_unique);
  put("performance_issue_same", s.performance_issue_same);
  put("performance_issue_same_index", s.performance_issue_same_index);
}

void requested(const LoadgenSettings& s, Detail& log) {
  log("requested_scenario", name(s.scenario));
  log("requested_test_mode", name(s.mode));
  requested_scenario(s, log);
  log("requested_min_duration_ms", s.min_duration_ms);
  log("requested_max_duration_ms", s.max_duration_ms);
  log("requested_min_query_count", s.min_query_count);
  log("requested_max_query_count", s.max_query_count);
  common("requested", s, log);
  log("requested_performance_sample_count_override", s.performance_sample_count_override);
  log("requested_accuracy_sample_count_override", s.accuracy_sample_count_override);
  log("requested_sample_concatenate_permutation", s.sample_concatenate_permutation);
}

void in_use(const LoadgenSettings& s, const LoadgenEffective& used, Detail& log) {
  log("effective_scenario", name(used.scenario));
  log("effective_test_mode", name(used.mode));
  log("effective_samples_per_query", used.samples_per_query);
  log("effective_target_qps", used.target_qps);
  log("effective_target_latency_ns", used.target_latency_ns);
  log("effective_target_latency_percentile", used.target_latency_percentile);
  log("effective_max_async_queries", used.max_async_queries);
  log("effective_target_duration_ms", used.target_duration_ms);
  log("effective_min_duration_ms", used.min_duration_ms);
  log("effective_max_duration_ms", used.max_duration_ms);
  log("effective_min_query_count", used.min_query_count);
  log("effective_max_query_count", used.max_query_count);
  log("effective_min_sample_count", used.min_sample_count);
  common("effective", s, log);
  log("effective_performance_sample_count", used.performance_sample_count);
  log("effective_accuracy_sample_count", used.accuracy_sample_count);
  log("effective_sample_concatenate_permutation", s.sample_concatenate_permutation);
}

void progress(const LoadgenTest& test, Detail& log) {
  const bool accuracy = test.settings.mode == LoadgenMode::kAccuracy;
  log("generic_message", accuracy ? "Starting accuracy mode" : "Starting performance mode");
  log("loaded_qsl_set", test.loaded);
  log("generated_query_count", test.generated_queries);
  log("generated_samples_per_query", test.generated_samples_per_query);
  log("generated_query_duration", test.generated_ns);
  if (!test.end_reason.empty()) log("generic_message", test.end_reason);
  for (const char* key :
       {"logger_swap_request_slots_retry_count", "logger_swap_request_slots_retry_retry_count",
        "logger_swap_request_slots_retry_reencounter_count",
        "logger_start_reading_entries_retry_count", "logger_tls_total_log_cas_fail_count",
        "logger_tls_total_swap_buffers_slot_retry_count"})
    log(key, 0);
  log.interval("power_begin", test.began, "INTERVAL_START");
  log.interval("power_end", test.ended, "INTERVAL_END");
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void write_validity(const LoadgenResult& r, S scenario, Detail& log) {
  log("result_validity", r.valid ? "VALID" : "INVALID");
  if (scenario == S::kServer) log("result_perf_constraints_met", r.bound_met);
  log("result_min_duration_met", r.duration_met);
  log("result_min_queries_met", r.queries_met);
  log("early_stopping_met", r.early_stopping_met);
  if (!r.valid) {
    std::string reason;
    if (!r.bound_met) reason += r.bound_advice + " ";
    if (!r.duration_met) reason += r.duration_advice + " ";
    if (!r.queries_met) reason += "The test exited early, before enough queries were issued.";
    log("result_invalid_reason", reason);
  }
  log("early_stopping_result", one_line(r.early_stopping_text));
}

void latencies(const LatencyFigures& f, std::string_view of, Detail& log) {
  // LoadGen names figures of queries in two ways (results.cc): result_min_query_latency_ns, but
  // result_50.00_percentile_per_query_latency_ns.
  log(fmt::format("result_min_{}latency_ns", of), f.min_ns);
  log(fmt::format("result_max_{}latency_ns", of), f.max_ns);
  log(fmt::format("result_mean_{}latency_ns", of), f.mean_ns);
  for (std::size_t i = 0; i < f.percentiles.size(); ++i)
    log(fmt::format("result_{:.2f}_percentile_{}latency_ns", kLoadgenPercentiles[i] * 100,
                    of.empty() ? "" : "per_query_"),
        f.percentiles[i]);
}

void write_figures(const LoadgenResult& r, S scenario, Detail& log) {
  switch (scenario) {
    case S::kSingleStream:
      // LoadGen infers MultiStream from a run of SingleStream too, so both estimates are written.
      log("result_qps_with_loadgen_overhead", r.rate);
      log("result_qps_without_loadgen_overhead", r.rate_without_overhead);
      log("early_stopping_latency_ss", r.single_stream_ns);
      log("early_stopping_latency_ms", r.multi_stream_ns);
      break;
    case S::kMultiStream:
      latencies(r.queries, "query_", log);
      log("early_stopping_latency_ms", r.multi_stream_ns);
      break;
    case S::kServer:
      log("result_scheduled_samples_per_sec", r.scheduled_rate);
      log("result_completed_samples_per_sec", r.rate);
      break;
    case S::kOffline:
      log("result_samples_per_second", r.rate);
      break;
  }
  latencies(r.samples, "", log);
}

}  // namespace

void write_loadgen_detail(const LoadgenTest& test, const LoadgenResult& r, Sink& sink) {
  std::string text;
  Detail log(text);
  heading(test, log);
  requested(test.settings, log);
  in_use(test.settings, effective(test.settings, test.counts), log);
  progress(test, log);
  if (test.settings.mode != LoadgenMode::kAccuracy) {
    write_validity(r, test.settings.scenario, log);
    log("result_query_count", test.run.queries);
    if (test.settings.scenario == S::kServer) log("result_overlatency_query_count", r.late);
    write_figures(r, test.settings.scenario, log);
    log("num_errors", test.errors);
  }
  sink.write(text);
}

}  // namespace ridge::scenario
