// SPDX-License-Identifier: Apache-2.0
#include "scenario/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/text.h"
#include "stats/normal.h"

namespace ridge::scenario {
namespace {

constexpr std::size_t kParts = 10;
/// Completed in a part of the time, at least, for an interval.
constexpr double kMinInPart = 2;
/// Share of the median latency up to which the generator's lateness does not matter.
constexpr double kLatenessShare = 0.01;

double seconds_of(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

/// Completions per second: the parts' counts are nearly independent where a part has many.
Rate rate_of(const Load& load) {
  const double duration = seconds_of(load.ended_ns - load.begun_ns);
  if (!(duration > 0)) return {};
  std::array<double, kParts> counts{};
  double all = 0;
  for (const Query& q : load.queries) {
    if (q.failed == 1) continue;
    const double at = seconds_of(q.done_ns - load.begun_ns) / duration;
    counts[std::min(kParts - 1, static_cast<std::size_t>(std::max(0.0, at) * kParts))] += 1;
    all += 1;
  }
  Rate out{.per_s = all / duration, .interval = {}};
  const double mean = all / kParts;
  if (mean < kMinInPart) return out;
  double squares = 0;
  for (const double c : counts) squares += (c - mean) * (c - mean);
  const double error = std::sqrt(squares / (kParts * (kParts - 1)));
  const double half = stats::student_quantile(0.975, kParts - 1) * error;
  const double scale = kParts / duration;
  out.interval = {std::max(0.0, mean - half) * scale, (mean + half) * scale};
  return out;
}

/// Queries that were due per second, those that were not issued included: a schedule that is drawn
/// has more or fewer of them than its rate says.
double offered_rate(const Load& load) {
  if (load.queries.empty()) return 0;
  const std::int64_t last = load.queries.back().scheduled_ns;
  const double spanned = seconds_of(last - load.begun_ns);
  if (!(spanned > 0)) return 0;
  // Those that were not issued were due after the last: until then the schedule was as here.
  return static_cast<double>(load.queries.size()) / spanned;
}

Lateness lateness_of(const std::vector<Query>& queries) {
  std::vector<std::int64_t> late;
  for (const Query& q : queries) late.push_back(q.late_ns);
  std::ranges::sort(late);
  if (late.empty()) return {};
  const auto at = [&](double share) {
    return late[std::min(late.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(late.size())))];
  };
  const auto beyond = late.end() - std::ranges::upper_bound(late, Lateness::kLateNs);
  return {at(0.5), at(0.99), late.back(),
          static_cast<double>(beyond) / static_cast<double>(late.size())};
}

void check_bound(const Figures& figures, const LatencyBound& bound, Validity& out) {
  const auto found =
      std::ranges::find(figures.latency.percentiles, bound.percentile, &Percentile::share);
  if (found == figures.latency.percentiles.end() || !figures.verdict ||
      *figures.verdict == Verdict::kValid)
    return;
  const std::int64_t answered = figures.queries - figures.failed;
  const std::string name = percentile_name(bound.percentile);
  const std::string limit = duration(bound.latency_ns);
  if (*figures.verdict == Verdict::kInvalid) {
    out.state = State::kInvalid;
    if (answered > 0 && found->value_ns > bound.latency_ns)
      out.reasons.push_back(fmt::format("{} of the latency is {}, beyond its bound of {}", name,
                                        duration(found->value_ns), limit));
    return;
  }
  if (out.state == State::kValid) out.state = State::kUndecided;
  if (found->interval)
    out.reasons.push_back(
        fmt::format("{} of the latency is {} to {}, which does not show if it is within {}", name,
                    duration(found->interval->lo), duration(found->interval->hi), limit));
  else
    out.reasons.push_back(fmt::format("{} queries are too few for an interval of {}: {} are needed",
                                      answered, name, found->needed));
}

/// True if the generator's lateness matters to the latencies, which include it. Only a server has a
/// schedule to be late for.
bool is_late(const Scenario& scenario, const Figures& figures) {
  const double tolerated =
      std::max(static_cast<double>(Lateness::kLateNs),
               kLatenessShare * static_cast<double>(figures.latency.percentiles.at(0).value_ns));
  return scenario.kind == Kind::kServer && static_cast<double>(figures.lateness.p99_ns) > tolerated;
}

/// Without the warm-up.
Load measured_part(const Load& load) {
  Load out = selected(load, [](const Query& q) { return q.warmup == 0; });
  out.begun_ns = std::max(load.begun_ns, load.measured_ns);
  return out;
}

Figures figures_of_all(const Scenario& scenario, const Load& load,
                       const std::optional<LatencyBound>& bound) {
  Figures out;
  out.queries = std::ssize(load.queries);
  out.duration_s = seconds_of(load.ended_ns - load.begun_ns);
  std::vector<std::int64_t> latencies;
  for (const Query& q : load.queries)
    if (q.failed == 0) latencies.push_back(q.latency_ns());
  out.failed = out.queries - std::ssize(latencies);
  out.abandoned = static_cast<std::int64_t>(load.abandoned);
  if (scenario.kind == Kind::kServer) out.scheduled_per_s = offered_rate(load);
  out.completed = rate_of(load);
  out.samples = scaled(out.completed, scenario.samples_per_query);
  out.lateness = lateness_of(load.queries);
  if (scenario.batching) out.batches = batch_counts(load.queries);
  if (!scenario.batching && scenario.mix.empty())
    out.warming = warming_of(load.queries).value_or(Warming());
  const Latencies all(std::move(latencies));
  out.latency = {all.mean_ns(), all.trimmed_mean_ns(), {}};
  const IntervalOptions options{.dependence = dependence_of(scenario)};
  for (const double share : kPercentiles)
    out.latency.percentiles.push_back(all.percentile(share, options));
  if (!bound) return out;
  out.within = share_within(all, bound->percentile, bound->latency_ns, options);
  const std::int64_t unanswered = out.failed + out.abandoned;
  out.verdict = judge(all, bound->percentile, bound->latency_ns, unanswered, options);
  if (std::ranges::find(kPercentiles, bound->percentile) == kPercentiles.end())
    out.latency.percentiles.push_back(all.percentile(bound->percentile, options));
  return out;
}

}  // namespace

Load selected(const Load& load, const std::function<bool(const Query&)>& selects) {
  Load out{.queries = {},
           .begun_ns = load.begun_ns,
           .ended_ns = load.ended_ns,
           .measured_ns = load.measured_ns,
           .abandoned = load.abandoned,
           .canceled = load.canceled,
           .failure = load.failure};
  std::ranges::copy_if(load.queries, std::back_inserter(out.queries), selects);
  return out;
}

Rate scaled(Rate rate, double by) {
  rate.per_s *= by;
  if (rate.interval) rate.interval = {rate.interval->lo * by, rate.interval->hi * by};
  return rate;
}

Dependence dependence_of(const Scenario& scenario) {
  return scenario.kind == Kind::kServer ? Dependence::kQueued : Dependence::kConsecutive;
}

std::string percentile_name(double share) { return fmt::format("p{:g}", share * 100); }

Figures figures_of(const Scenario& scenario, const Load& load,
                   const std::optional<LatencyBound>& bound) {
  const bool warm = std::ranges::any_of(load.queries, [](const Query& q) { return q.warmup == 1; });
  Figures out = warm ? figures_of_all(scenario, measured_part(load), bound)
                     : figures_of_all(scenario, load, bound);
  out.phases = phases_of(load.queries, load.begun_ns, load.measured_ns, load.ended_ns);
  return out;
}

Validity validity_of(const Scenario& scenario, const Load& load, const Figures& figures,
                     const std::optional<LatencyBound>& bound) {
  Validity out;
  const auto invalid = [&](std::string reason) {
    out.state = State::kInvalid;
    out.reasons.push_back(std::move(reason));
  };
  if (!load.failure.empty()) invalid(load.failure);
  if (load.canceled) invalid("it was interrupted");
  if (load.abandoned > 0)
    invalid(fmt::format("{} were due and not issued within {}",
                        counted(static_cast<std::int64_t>(load.abandoned), "query"),
                        duration(scenario.max_duration.count)));
  if (figures.failed > 0)
    invalid(fmt::format("{} of {} failed", figures.failed, counted(figures.queries, "query")));
  if (static_cast<std::uint64_t>(figures.queries) < scenario.min_queries && load.abandoned == 0)
    invalid(fmt::format("it has {} of at least {}", counted(figures.queries, "query"),
                        scenario.min_queries));
  if (static_cast<std::uint64_t>(figures.queries) >= scenario.max_queries &&
      figures.duration_s < seconds_of(scenario.min_duration.count))
    invalid(fmt::format("it ended after {:.4g} s of {}, with the most queries that are recorded",
                        figures.duration_s, duration(scenario.min_duration.count)));
  if (bound) check_bound(figures, *bound, out);
  if (!is_late(scenario, figures)) return out;
  const std::string late = fmt::format(
      "one query in a hundred was issued {} or more after its due time: the machine was busy",
      duration(figures.lateness.p99_ns));
  // Latencies include the lateness, so without it they meet a bound that they meet with it.
  if (bound && out.state == State::kValid)
    out.reasons.push_back(late + ", and the bound is met all the same");
  else
    invalid(late);
  return out;
}

}  // namespace ridge::scenario
