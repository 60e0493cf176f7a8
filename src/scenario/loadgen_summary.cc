// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "scenario/loadgen_logs.h"

namespace ridge::scenario {
namespace {

using S = LoadgenScenario;

/// Appends lines to a text.
class SummaryLines {
 public:
  explicit SummaryLines(std::string& text) : text_(text) {}
  template <typename... Args>
  void operator()(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

 private:
  std::string& text_;
};

void title(SummaryLines& line, std::string_view words) {
  line("================================================");
  line("{}", words);
  line("================================================");
}

void main_figure(const LoadgenEffective& used, const LoadgenResult& r, SummaryLines& line) {
  switch (used.scenario) {
    case S::kSingleStream:
    case S::kMultiStream:
      line("{:.1f}th percentile latency (ns) : {}", used.target_latency_percentile * 100,
           used.scenario == S::kMultiStream ? r.queries.target_ns : r.samples.target_ns);
      return;
    case S::kServer:
      line("Completed samples per second    : {:.2f}", r.rate);
      return;
    case S::kOffline:
      line("Samples per second: {:g}", r.rate);
      return;
  }
}

void summarize_validity(const LoadgenEffective& used, const LoadgenResult& r, SummaryLines& line) {
  const auto yes = [](bool met) { return met ? "Yes" : "NO"; };
  line("Result is : {}", r.valid ? "VALID" : "INVALID");
  if (used.scenario == S::kServer)
    line("  Performance constraints satisfied : {}", yes(r.bound_met));
  line("  Min duration satisfied : {}", yes(r.duration_met));
  line("  Min queries satisfied : {}", yes(r.queries_met));
  line("  Early stopping satisfied: {}", yes(r.early_stopping_met));
  if (!r.valid) line("Recommendations:");
  if (!r.bound_met) line(" * {}", r.bound_advice);
  if (!r.duration_met) line(" * {}", r.duration_advice);
  if (!r.queries_met)
    line(
        " * The test exited early, before enough queries were issued.\n"
        "   See the detailed log for why this may have occurred.");
  if (used.scenario == S::kOffline) return;
  line("Early Stopping Result:");
  line("{}", r.early_stopping_text);
}

void further_figures(const LoadgenEffective& used, const LoadgenResult& r, SummaryLines& line) {
  line("");
  title(line, "Additional Stats");
  if (used.scenario == S::kSingleStream) {
    line("QPS w/ loadgen overhead         : {:.2f}", r.rate);
    line("QPS w/o loadgen overhead        : {:.2f}", r.rate_without_overhead);
    line("");
  } else if (used.scenario == S::kServer) {
    line("Scheduled samples per second : {:.2f}", r.scheduled_rate);
  } else if (used.scenario == S::kMultiStream) {
    line("Per-query latency:  ");
  }
  const LatencyFigures& f = used.scenario == S::kMultiStream ? r.queries : r.samples;
  line("Min latency (ns)                : {}", f.min_ns);
  line("Max latency (ns)                : {}", f.max_ns);
  line("Mean latency (ns)               : {}", f.mean_ns);
  for (std::size_t i = 0; i < f.percentiles.size(); ++i)
    line("{:.2f} percentile latency (ns)   : {}", kLoadgenPercentiles[i] * 100, f.percentiles[i]);
}

void parameters(const LoadgenSettings& s, const LoadgenEffective& used, SummaryLines& line) {
  line("");
  title(line, "Test Parameters Used");
  line("samples_per_query : {}", used.samples_per_query);
  line("target_qps : {:g}", used.target_qps);
  line("target_latency (ns): {}", used.target_latency_ns);
  line("max_async_queries : {}", used.max_async_queries);
  line("min_duration (ms): {}", used.min_duration_ms);
  line("max_duration (ms): {}", used.max_duration_ms);
  line("min_query_count : {}", used.min_query_count);
  line("max_query_count : {}", used.max_query_count);
  line("qsl_rng_seed : {}", s.qsl_rng_seed);
  line("sample_index_rng_seed : {}", s.sample_index_rng_seed);
  line("schedule_rng_seed : {}", s.schedule_rng_seed);
  line("accuracy_log_rng_seed : {}", s.accuracy_log_rng_seed);
  line("accuracy_log_probability : {:g}", s.accuracy_log_probability);
  line("accuracy_log_sampling_target : {}", s.accuracy_log_sampling_target);
  line("print_timestamps : {:d}", s.print_timestamps);
  line("performance_issue_unique : {:d}", s.performance_issue_unique);
  line("performance_issue_same : {:d}", s.performance_issue_same);
  line("performance_issue_same_index : {}", s.performance_issue_same_index);
  line("performance_sample_count : {}", used.performance_sample_count);
  line("accuracy_sample_count : {}", used.accuracy_sample_count);
  if (s.sample_concatenate_permutation)
    line(
        "WARNING: sample_concatenate_permutation was set to true. \n"
        "Generated samples per query might be different as the one in the setting.\n"
        "Check the generated_samples_per_query line in the detailed log for the real\n"
        "samples_per_query value");
}

void problems(std::uint64_t count, std::string_view what, SummaryLines& line) {
  if (count == 0)
    line("\nNo {}s encountered during test.", what);
  else if (count == 1)
    line("\n1 {} encountered. See detailed log.", what);
  else
    line("\n{} {}s encountered. See detailed log.", count, what);
}

}  // namespace

void write_loadgen_summary(const LoadgenTest& test, const LoadgenResult& r, Sink& sink) {
  std::string text;
  SummaryLines line(text);
  if (test.settings.mode != LoadgenMode::kAccuracy) {
    const LoadgenEffective used = effective(test.settings, test.counts);
    title(line, "MLPerf-style Results Summary");
    line("Written by {} by the rules of LoadGen 6.0.17. This is not an MLPerf result.",
         printable(test.writer));
    line("SUT name : {}", printable(test.sut_name));
    line("Scenario : {}", name(used.scenario));
    line("Mode     : {}", name(used.mode));
    main_figure(used, r, line);
    summarize_validity(used, r, line);
    further_figures(used, r, line);
    parameters(test.settings, used, line);
  }
  problems(test.warnings, "warning", line);
  problems(test.errors, "error", line);
  sink.write(text);
}

}  // namespace ridge::scenario
