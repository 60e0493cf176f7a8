// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "scenario/early_stopping.h"

namespace ridge::scenario {
namespace {

using Ascending = std::vector<std::int64_t>;

std::int64_t at_share(const Ascending& ascending, double share) {
  // LoadGen's rank (results.cc): of 1000 latencies the 90th percentile is element 900 from 0, which
  // 900 others precede.
  return ascending[static_cast<std::size_t>(static_cast<double>(ascending.size()) * share)];
}

LatencyFigures latency_figures(const Ascending& ascending, double target) {
  LatencyFigures out;
  if (ascending.empty()) return out;
  out.min_ns = ascending.front();
  out.max_ns = ascending.back();
  out.mean_ns = std::accumulate(ascending.begin(), ascending.end(), std::int64_t{0}) /
                static_cast<std::int64_t>(ascending.size());
  out.target_ns = at_share(ascending, target);
  for (std::size_t i = 0; i < kLoadgenPercentiles.size(); ++i)
    out.percentiles[i] = at_share(ascending, kLoadgenPercentiles[i]);
  return out;
}

Ascending ascending(Ascending values) {
  std::sort(values.begin(), values.end());
  return values;
}

/// Early stopping of the scenarios whose result is a percentile.
void estimate(const Ascending& ascending, std::int64_t queries, double percentile,
              LoadgenResult& out, std::int64_t& latency_ns) {
  const StoppingRule rule{.percentile = percentile};
  const std::int64_t least = min_queries(1, rule);
  const std::optional<std::int64_t> rank = estimate_rank(queries, rule);
  out.early_stopping_met = rank.has_value();
  if (!rank) {
    out.early_stopping_text = fmt::format(
        " * Only processed {} queries.\n * Need to process at least {} queries for early stopping.",
        queries, least);
    return;
  }
  latency_ns = ascending[static_cast<std::size_t>(*rank)];
  out.early_stopping_text = fmt::format(
      " * Processed at least {} queries ({}).\n * Would discard {} highest latency queries.\n"
      " * Early stopping {:.1f}th percentile estimate: {}",
      least, queries, queries - *rank - 1, percentile * 100, latency_ns);
}

/// The 99th percentile, from which MultiStream is inferred.
void estimate_multi_stream(const Ascending& ascending, std::int64_t queries, LoadgenResult& out) {
  const StoppingRule rule{.percentile = 0.99};
  if (const auto rank = estimate_rank(queries, rule)) {
    out.multi_stream_ns = ascending[static_cast<std::size_t>(*rank)];
    out.early_stopping_text +=
        fmt::format("\n * Early stopping 99.0th percentile estimate: {}", out.multi_stream_ns);
    return;
  }
  out.early_stopping_text += fmt::format(
      "\n * Not enough queries processed for 99.0th percentile\n early stopping estimate (would "
      "need to process at\n least {} total queries).",
      min_queries(1, rule));
}

void judge_server(std::int64_t queries, double percentile, LoadgenResult& out) {
  const LateVerdict verdict =
      judge_late(static_cast<std::int64_t>(out.late), queries, {.percentile = percentile});
  out.early_stopping_met = verdict.verdict == Verdict::kValid;
  out.early_stopping_text =
      out.early_stopping_met
          ? " * Run successful."
          : fmt::format(
                " * Run unsuccessful.\n * Processed {} queries.\n * Would need to run at "
                "least {} more queries,\n with the run being successful if every "
                "additional\n query were under latency.",
                queries, verdict.more);
}

void stop_early(const LoadgenEffective& used, const LoadgenRun& run, const Ascending& samples,
                const Ascending& queries, LoadgenResult& out) {
  const auto count = static_cast<std::int64_t>(run.queries);
  const double percentile = used.target_latency_percentile;
  switch (used.scenario) {
    case LoadgenScenario::kSingleStream:
      estimate(samples, count, percentile, out, out.single_stream_ns);
      if (out.early_stopping_met) estimate_multi_stream(samples, count, out);
      return;
    case LoadgenScenario::kMultiStream:
      return estimate(queries, count, percentile, out, out.multi_stream_ns);
    case LoadgenScenario::kServer:
      return judge_server(count, percentile, out);
    case LoadgenScenario::kOffline:
      out.early_stopping_met = true;
      return;
  }
}

void check_duration(const LoadgenEffective& used, const LoadgenRun& run, LoadgenResult& out) {
  const double least = static_cast<double>(used.min_duration_ms) / 1000;
  switch (used.scenario) {
    case LoadgenScenario::kOffline:
      out.duration_met = static_cast<double>(out.samples.max_ns) / 1e9 >= least;
      out.duration_advice =
          "Increase expected QPS so the loadgen pre-generates a larger (coalesced) query.";
      break;
    case LoadgenScenario::kServer:
      out.duration_met = run.last_scheduled_s >= least;
      out.duration_advice = "Increase the target QPS so the loadgen pre-generates more queries.";
      break;
    case LoadgenScenario::kSingleStream:
    case LoadgenScenario::kMultiStream:
      out.duration_met = run.last_issued_s >= least;
      out.duration_advice =
          "Decrease the expected latency so the loadgen pre-generates more queries.";
      break;
  }
  if (out.duration_met) out.duration_advice.clear();
}

void take_rates(const LoadgenEffective& used, const LoadgenRun& run, double samples,
                LoadgenResult& out) {
  switch (used.scenario) {
    case LoadgenScenario::kSingleStream:
      // LoadGen divides by the time of the last issue, so it counts the gaps between queries, one
      // fewer.
      out.rate = (samples - 1) / run.last_issued_s;
      out.rate_without_overhead = 1e9 / static_cast<double>(out.samples.mean_ns);
      return;
    case LoadgenScenario::kServer:
      out.rate = (samples - 1) / run.last_done_s;
      out.scheduled_rate = (samples - 1) / run.last_scheduled_s;
      return;
    case LoadgenScenario::kOffline:
      out.rate = samples / (static_cast<double>(out.samples.max_ns) / 1e9);
      return;
    case LoadgenScenario::kMultiStream:
      return;
  }
}

}  // namespace

LoadgenResult loadgen_result(const LoadgenSettings& settings, const SampleCounts& counts,
                             const LoadgenRun& run) {
  const LoadgenEffective used = effective(settings, counts);
  const Ascending samples = ascending(run.sample_latencies_ns);
  const Ascending queries = ascending(run.query_latencies_ns);
  LoadgenResult out;
  out.samples = latency_figures(samples, used.target_latency_percentile);
  out.queries = latency_figures(queries, used.target_latency_percentile);
  out.queries_met = run.queries >= used.min_query_count && samples.size() >= used.min_sample_count;
  out.bound_met = true;
  if (settings.scenario == LoadgenScenario::kServer) {
    const auto bound = static_cast<std::int64_t>(used.target_latency_ns);
    out.late = static_cast<std::uint64_t>(samples.end() -
                                          std::upper_bound(samples.begin(), samples.end(), bound));
    out.bound_met = out.samples.target_ns <= bound;
    if (!out.bound_met) out.bound_advice = "Reduce target QPS to improve latency.";
  }
  check_duration(used, run, out);
  const std::size_t known =
      settings.scenario == LoadgenScenario::kMultiStream ? queries.size() : samples.size();
  if (known >= run.queries) stop_early(used, run, samples, queries, out);
  take_rates(used, run, static_cast<double>(samples.size()), out);
  out.valid = out.bound_met && out.duration_met && out.queries_met && out.early_stopping_met;
  return out;
}

}  // namespace ridge::scenario
