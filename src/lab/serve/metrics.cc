// SPDX-License-Identifier: Apache-2.0
// Figures for Prometheus (OpenMetrics 1.0).
#include <fmt/format.h>

#include <map>

#include "base/version.h"
#include "lab/serve/agent_age.h"
#include "lab/serve/service.h"
#include "session/run_recorder.h"
#include "store/run_filter.h"

namespace ridge::lab::serve {
namespace {

constexpr double kNanosPerSecond = 1e9;

std::string gauge(std::string_view name, std::string_view meaning, std::int64_t value) {
  return fmt::format("# TYPE {0} gauge\n# HELP {0} {1}\n{0} {2}\n", name, meaning, value);
}

/// "ridge_agents{state="idle"} 3" for each word of T.
template <typename T>
std::string gauge_by_state(std::string_view name, std::string_view meaning,
                           const std::map<T, std::int64_t>& counts) {
  std::string out = fmt::format("# TYPE {0} gauge\n# HELP {0} {1}\n", name, meaning);
  for (const auto& w : Words<T>::list) {
    const auto count = counts.find(static_cast<T>(w.value));
    out += fmt::format("{}{{state=\"{}\"}} {}\n", name, w.text,
                       count == counts.end() ? 0 : count->second);
  }
  return out;
}

Result<std::string> experiment_metrics(Service& service) {
  std::map<store::ExperimentState, std::int64_t> experiments;
  std::map<store::PointState, std::int64_t> points;
  std::map<store::AgentState, std::int64_t> agents;
  const std::int64_t now_s = session::seconds_now();
  std::int64_t silent = 0;
  const auto read = [&](const store::Store& store) -> Result<void> {
    for (const store::ExperimentRow& row : TRY(store.experiments())) {
      ++experiments[row.head.state];
      points[store::PointState::kMeasured] += row.counts.measured;
      points[store::PointState::kFailed] += row.counts.failed;
      points[store::PointState::kWaiting] += row.counts.waiting;
    }
    for (const store::AgentRow& row : TRY(store.agents())) {
      ++agents[row.agent.state];
      silent += is_silent(row.agent, now_s) ? 1 : 0;
    }
    return {};
  };
  TRY(service.stores.with(read));
  return gauge_by_state("ridge_experiments", "experiments that the store has", experiments) +
         gauge_by_state("ridge_experiment_points", "points of experiments", points) +
         gauge_by_state("ridge_agents", "agents, each as it was last heard of", agents) +
         gauge("ridge_agents_silent", "agents whose next sign of life is overdue", silent);
}

}  // namespace

void RequestCounts::add(unsigned status, std::chrono::nanoseconds took) {
  ++by_class_[std::min<std::size_t>(status / 100, by_class_.size() - 1)];
  const double seconds = static_cast<double>(took.count()) / kNanosPerSecond;
  std::size_t cell = 0;
  while (cell < kBounds.size() && seconds > kBounds[cell]) ++cell;
  ++by_time_[cell];
  total_ns_ += static_cast<std::uint64_t>(took.count());
}

std::string RequestCounts::text() const {
  std::string out =
      "# TYPE ridge_serve_requests counter\n# HELP ridge_serve_requests answers by the class of "
      "their status\n";
  for (std::size_t i = 2; i < by_class_.size(); ++i)
    out +=
        fmt::format("ridge_serve_requests_total{{status=\"{}xx\"}} {}\n", i, by_class_[i].load());
  out +=
      "# TYPE ridge_serve_request_seconds histogram\n# UNIT ridge_serve_request_seconds seconds\n"
      "# HELP ridge_serve_request_seconds time of the handler of a request\n";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i <= kBounds.size(); ++i) {
    sum += by_time_[i].load();
    out += fmt::format("ridge_serve_request_seconds_bucket{{le=\"{}\"}} {}\n",
                       i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf", sum);
  }
  return out + fmt::format(
                   "ridge_serve_request_seconds_count {}\n"
                   "ridge_serve_request_seconds_sum {}\n",
                   sum, static_cast<double>(total_ns_.load()) / kNanosPerSecond);
}

Result<Answer> show_metrics(Service& service, const Call&) {
  constexpr store::Window kNone{.limit = 0, .offset = 0};
  const auto [runs,
              evaluations] = TRY(service.stores.with([&](const store::Store& store)
                                                         -> Result<std::array<std::int64_t, 2>> {
    return std::array{TRY(store.runs({}, kNone)).total, TRY(store.evaluations({}, kNone)).total};
  }));
  Answer out;
  out.body = fmt::format(
                 "# TYPE ridge_build info\n# HELP ridge_build the program\n"
                 "ridge_build_info{{version=\"{}\"}} 1\n",
                 version()) +
             gauge("ridge_store_runs", "runs that the store has", runs) +
             gauge("ridge_store_evaluations", "evaluations that the store has", evaluations) +
             TRY(experiment_metrics(service)) + service.counts.text() +
             (service.pusher ? service.pusher->metrics() : "") + "# EOF\n";
  return out;
}

}  // namespace ridge::lab::serve
