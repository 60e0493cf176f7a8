// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ridge::scenario {
namespace {

using S = LoadgenScenario;

Error too_many(double samples) {
  return input_error("RIDGE-SCEN-0031",
                     fmt::format("the test has more than {} samples", kMaxScheduled))
      .evidence(fmt::format("by its settings about {:.3g}", samples))
      .hint("lower min_duration, target_qps or min_query_count, or raise the expected latency");
}

/// When the generation of queries ends.
struct End {
  std::int64_t duration_ns = 0;
  std::uint64_t queries = 0;  ///< at least
  std::uint64_t set = 0;      ///< equal issue goes on to the end of a set
};

std::uint64_t up_to_sets(std::uint64_t queries, std::uint64_t set) {
  return (queries + set - 1) / set * set;
}

End end_of(const LoadgenSettings& settings, const LoadgenEffective& used, std::uint64_t loaded) {
  constexpr std::uint64_t kMaxMs = std::uint64_t{1} << 40;
  constexpr std::int64_t kNanosPerMs = 1'000'000;
  End out{.queries = used.min_query_count};
  if (settings.mode == LoadgenMode::kAccuracy || settings.performance_issue_unique) {
    out.queries = loaded / used.samples_per_query;
    if (used.scenario == S::kOffline) out.queries = 1;
    return out;
  }
  const std::int64_t times = used.scenario == S::kServer ? 1 : 2;
  out.duration_ns =
      times * static_cast<std::int64_t>(std::min(used.target_duration_ms, kMaxMs)) * kNanosPerMs;
  if (settings.sample_concatenate_permutation && used.scenario != S::kOffline) {
    out.set = loaded;
    out.queries = up_to_sets(out.queries, out.set);
  }
  return out;
}

/// Queries that the settings ask for, about as many as the list will have.
double expected_queries(const LoadgenEffective& used, const End& end) {
  const double seconds = static_cast<double>(end.duration_ns) / 1e9;
  return std::max(static_cast<double>(end.queries), seconds * used.target_qps);
}

}  // namespace

Result<LoadgenSchedule> loadgen_schedule(const LoadgenSettings& settings,
                                         const SampleCounts& counts) {
  const LoadgenEffective used = effective(settings, counts);
  constexpr auto kMax = static_cast<double>(kMaxScheduled);
  const auto per_query = static_cast<double>(used.samples_per_query);
  const bool all = settings.mode == LoadgenMode::kAccuracy;
  const double least = per_query * static_cast<double>(used.min_query_count);
  if (!all && (per_query > kMax || least > kMax)) return too_many(std::max(per_query, least));
  if (per_query > kMax) return too_many(per_query);
  LoadgenOrder order = TRY(LoadgenOrder::make(settings, counts));
  LoadgenArrivals arrivals(settings, used);
  LoadgenSchedule out;
  out.loaded.assign(order.loaded().begin(), order.loaded().end());
  End end = end_of(settings, used, out.loaded.size());
  const double expected = per_query * expected_queries(used, end);
  if (!all && expected > kMax) return too_many(expected);
  const bool server = used.scenario == S::kServer;
  std::int64_t before = 0, now = arrivals.next();
  while (all || before < end.duration_ns || out.queries < end.queries) {
    const std::span<const std::uint32_t> query = order.next();
    if (query.empty()) break;
    if (out.samples.size() + query.size() > kMaxScheduled || now == kNever)
      return too_many(static_cast<double>(out.samples.size() + query.size()));
    if (out.queries++ == 0) out.samples_per_query = query.size();
    out.samples.insert(out.samples.end(), query.begin(), query.end());
    if (server) out.times_ns.push_back(now);
    before = std::exchange(now, arrivals.next());
    if (end.set > 0 && out.queries >= end.queries && before < end.duration_ns)
      end.queries += end.set;
  }
  out.duration_ns = now;
  return out;
}

}  // namespace ridge::scenario
