// SPDX-License-Identifier: Apache-2.0
// What the handlers of requests share, and the handlers themselves; routes.h says which is for
// what. Thread rule: any thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "lab/serve/exchange.h"
#include "lab/serve/jobs.h"
#include "lab/serve/kept_answers.h"
#include "lab/serve/push/trace_pusher.h"
#include "lab/serve/stores.h"
#include "lab/serve/trial/trials.h"

namespace ridge::lab::serve {

/// Counts of requests, for /metrics.
class RequestCounts {
 public:
  /// Upper bounds of the histogram's cells, in seconds; one more is without a bound.
  static constexpr std::array kBounds = {0.001, 0.005, 0.02, 0.1, 0.5, 2.0};

  void add(unsigned status, std::chrono::nanoseconds took);
  /// OpenMetrics.
  std::string text() const;

 private:
  std::array<std::atomic<std::uint64_t>, 6> by_class_{};  ///< status / 100
  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> by_time_{};
  std::atomic<std::uint64_t> total_ns_{0};
};

struct Service {
  explicit Service(std::string store) : stores(std::move(store)) {}

  StorePool stores;
  KeptAnswers kept;
  std::string registry;          ///< its folder
  std::optional<Jobs> jobs;      ///< none: clients start nothing
  std::optional<Trials> trials;  ///< with jobs
  RequestCounts counts;
  std::optional<TracePusher> pusher;  ///< none: traces are pushed nowhere
};

/// Arguments of a handler: the request, and the number in its path.
struct Call {
  const Request& request;
  std::int64_t id = 0;
};

using Handle = Result<Answer> (*)(Service& service, const Call& call);

// The API (api.cc, experiments.cc, metrics.cc, openapi.cc).
Result<Answer> list_runs(Service& service, const Call& call);
Result<Answer> show_run(Service& service, const Call& call);
Result<Answer> list_evaluations(Service& service, const Call& call);
Result<Answer> show_evaluation(Service& service, const Call& call);
Result<Answer> compare_runs(Service& service, const Call& call);
Result<Answer> show_grid(Service& service, const Call& call);
Result<Answer> list_hosts(Service& service, const Call& call);
Result<Answer> list_models(Service& service, const Call& call);
Result<Answer> list_experiments(Service& service, const Call& call);
Result<Answer> show_experiment(Service& service, const Call& call);
Result<Answer> list_agents(Service& service, const Call& call);
Result<Answer> start_job(Service& service, const Call& call);
Result<Answer> list_jobs(Service& service, const Call& call);
Result<Answer> show_job(Service& service, const Call& call);
Result<Answer> cancel_job(Service& service, const Call& call);
Result<Answer> watch_job(Service& service, const Call& call);
Result<Answer> start_trial(Service& service, const Call& call);
Result<Answer> show_trial(Service& service, const Call& call);
Result<Answer> cancel_trial(Service& service, const Call& call);
Result<Answer> show_metrics(Service& service, const Call& call);
Result<Answer> show_openapi(Service& service, const Call& call);

// The pages (pages/).
Result<Answer> runs_page(Service& service, const Call& call);
Result<Answer> run_page(Service& service, const Call& call);
Result<Answer> evaluations_page(Service& service, const Call& call);
Result<Answer> evaluation_page(Service& service, const Call& call);
Result<Answer> compare_page(Service& service, const Call& call);
Result<Answer> grid_page(Service& service, const Call& call);
Result<Answer> hosts_page(Service& service, const Call& call);
Result<Answer> experiments_page(Service& service, const Call& call);
Result<Answer> experiment_page(Service& service, const Call& call);
Result<Answer> models_page(Service& service, const Call& call);
Result<Answer> jobs_page(Service& service, const Call& call);
Result<Answer> job_page(Service& service, const Call& call);
Result<Answer> try_page(Service& service, const Call& call);
Result<Answer> trial_page(Service& service, const Call& call);
Result<Answer> style_sheet(Service& service, const Call& call);
Result<Answer> report_script(Service& service, const Call& call);
Result<Answer> page_script(Service& service, const Call& call);

}  // namespace ridge::lab::serve
