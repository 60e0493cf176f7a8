// SPDX-License-Identifier: Apache-2.0
#include "evaluation/load/peak.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "scenario/early_stopping.h"

namespace ridge::evaluation {
namespace {

using scenario::Scenario;

/// Load before a search for the largest rate: one query after the other.
constexpr Nanos kTrial{1'000'000'000};
constexpr std::uint64_t kTrialQueries = 10;
/// Share of the rate of queries one after the other with which a search begins.
constexpr double kFirstLoad = 0.5;
/// Most queries of a probe, in units of the first number.
constexpr std::int64_t kProlonged = 16;
/// Longest probes that the budget has room for.
constexpr double kProbesInBudget = 8;

/// Loads of one search, of which a probe may be prolonged by the next.
class Prober {
 public:
  Prober(LoadRunner& runner, const PeakRequest& request) : runner_(runner), request_(request) {}

  Result<scenario::ProbeResult> run(const scenario::Probe& probe) {
    Scenario s = at_rate(request_.scenario, probe.rate);
    if (!probe.prolonged) {
      latencies_.clear();
      unanswered_ = 0;
    }
    s.min_queries = static_cast<std::uint64_t>(
        std::max<std::int64_t>(1, probe.queries - std::ssize(latencies_)));
    s.min_duration = Nanos{0};
    s.max_duration = Scenario().max_duration;
    s.seed = request_.scenario.seed + ++probes_;
    const scenario::Load load = TRY(runner_.run(s));
    unanswered_ += static_cast<std::int64_t>(load.abandoned);
    for (const scenario::Query& q : load.queries) {
      if (q.failed == 1)
        ++unanswered_;
      else if (q.warmup == 0)
        latencies_.push_back(q.latency_ns());
    }
    const double seconds = static_cast<double>(load.ended_ns - load.begun_ns) * 1e-9;
    return scenario::probe_result(scenario::Latencies(latencies_), request_.bound.percentile,
                                  request_.bound.latency_ns, seconds, unanswered_,
                                  {.dependence = scenario::dependence_of(request_.scenario)});
  }

 private:
  LoadRunner& runner_;
  const PeakRequest& request_;
  std::vector<std::int64_t> latencies_;  // of the last probe
  std::int64_t unanswered_ = 0;
  std::uint64_t probes_ = 0;
};

}  // namespace

Result<std::optional<scenario::Peak>> find_peak(LoadRunner& runner, const PeakRequest& request) {
  Scenario alone = request.scenario;
  alone.kind = scenario::Kind::kSingleStream;
  alone.workers = 1;
  alone.batching.reset();
  alone.min_duration = kTrial;
  alone.max_duration = Scenario().max_duration;
  alone.min_queries = kTrialQueries;
  const scenario::Load trial = TRY(runner.run(alone));
  if (!trial.failure.empty() || trial.queries.empty()) return std::optional<scenario::Peak>();
  const double service_ns = scenario::figures_of(alone, trial, {}).latency.mean_ns;
  const scenario::StoppingRule rule{.percentile = request.bound.percentile};
  const std::int64_t queries = scenario::min_queries(1, rule);
  const double first_rate = kFirstLoad * request.scenario.workers * 1e9 / service_ns;
  // A short search needs many probes more than long ones.
  const auto in_budget =
      static_cast<std::int64_t>(std::min(1e9, first_rate * request.budget_s / kProbesInBudget));
  // A short probe shows what is far beyond the bound; that the bound is kept takes a longer one.
  const std::int64_t needed =
      std::max(queries, scenario::Latencies({}).percentile(request.bound.percentile).needed);
  scenario::PeakSearch search = TRY(scenario::PeakSearch::make(
      {.first_rate = first_rate,
       .share = request.bound.percentile,
       .queries = queries,
       .max_queries = std::clamp(in_budget, needed, std::max(kProlonged * queries, 2 * needed)),
       .budget_s = request.budget_s}));
  Prober prober(runner, request);
  while (const std::optional<scenario::Probe> probe = search.next()) {
    if (runner.stopped()) break;
    search.report(TRY(prober.run(*probe)));
  }
  return std::optional(search.result());
}

Scenario at_rate(Scenario scenario, double rate) {
  std::visit(
      [&]<typename Process>(Process& process) {
        if constexpr (std::is_same_v<Process, scenario::Bursty>) {
          const double times = rate / process.mean_rate();
          process.quiet_rate *= times;
          process.burst_rate *= times;
        } else if constexpr (requires { process.rate; }) {
          process.rate = rate;
        }
      },
      scenario.arrivals);
  return scenario;
}

}  // namespace ridge::evaluation
