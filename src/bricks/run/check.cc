// SPDX-License-Identifier: Apache-2.0
#include "bricks/run/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/version.h"
#include "bricks/run/plan.h"
#include "bricks/run/suite.h"
#include "measure/whole_runs.h"

namespace ridge::bricks {
namespace {

/// Processes after which a model that is still too wide is excluded.
constexpr std::size_t kMaxCheckProcesses = 30;

/// Part of a process's runs without a processor from which on another program must have used it.
constexpr double kMaxWaiting = 0.1;

/// For models that are opened a second time: planning has already warned of them.
class NoNotices : public session::Notices {
 public:
  void warn(std::string_view /*file*/, std::string_view /*text*/) override {}
  void failed(const Error& /*error*/) override {}
  void status(std::string_view /*line*/) override {}
};

/// A model that is measured whole.
struct WholeTimes {
  std::string name;
  analysis::Resolved resolved;
  measure::Request request;
  ProcessTimes times = {};
  double seconds = 0;
  std::size_t waited = 0;  // processes in which another program used its processor
  std::optional<Error> error = {};

  bool narrow(const SuiteGoal& goal) const { return relative_half_width(estimate()) <= goal.width; }
  bool wanted(const SuiteGoal& goal) const {
    return !error &&
           (times.size() < goal.processes || (times.size() < kMaxCheckProcesses && !narrow(goal)));
  }
  stats::Estimate estimate() const {
    ProcessTimes limited = times;
    limit_outliers(limited);
    const Term term{&limited, 1};
    return sum_of({&term, 1});
  }
};

class Checking {
 public:
  Checking(const CheckRequest& request, const session::Environment& environment)
      : request_(request), environment_(environment) {}

  Result<BricksChecked> run() {
    std::optional<TemporaryFolder> temporary;
    std::string folder = request_.folder;
    if (folder.empty()) {
      temporary.emplace(TRY(TemporaryFolder::make()));
      folder = temporary->path() + "/bricks";
    }
    const PlannedBricks planned = TRY(plan_bricks(
        {.models = request_.models, .folder = folder, .granularity = request_.granularity},
        environment_));
    out_.failed = planned.failed;
    out_.plan = planned.plan;
    if (environment_.stopped() || planned.planned.empty()) return std::move(out_);
    BricksSuite suite = TRY(BricksSuite::open({.folder = folder,
                                               .store = request_.store,
                                               .spec = request_.models[0].spec,
                                               .goal = request_.goal},
                                              environment_));
    out_.check.measured_before = suite.times().at(0).processes() > 0;
    TRY(open_models(planned, suite));
    TRY(take_turns(suite));
    collect(planned, suite);
    return std::move(out_);
  }

 private:
  Result<void> open_models(const PlannedBricks& planned, const BricksSuite& suite) {
    NoNotices none;
    const session::Environment silent{.host = environment_.host,
                                      .notices = none,
                                      .library_folders = environment_.library_folders,
                                      .cache_folder = environment_.cache_folder,
                                      .tvm_folder = environment_.tvm_folder,
                                      .stop = environment_.stop};
    for (const session::ModelSpec& m : request_.models) {
      const session::Point point = session::points_of(m.spec).at(0);
      const std::string name = name_with_sizes(m.model, point.bindings);
      if (std::ranges::find(planned.planned, name) == planned.planned.end()) continue;
      const session::Workbench bench = TRY(session::make_workbench(m.model, m.spec, silent));
      measure::Request request = TRY(bench.request(point));
      request.runtime = suite.point().whole;
      analysis::Resolved resolved = TRY(bench.resolve(point));
      wholes_.push_back({name, std::move(resolved), std::move(request)});
    }
    return {};
  }

  /// One process of the suite, then one of each model, and again.
  Result<void> take_turns(BricksSuite& suite) {
    // Bricks and models take turns so that drift of the machine meets both: measured one after the
    // other, a clock that falls by 3 % would look like a bias of the estimate.
    for (std::uint32_t turn = 1; turn <= request_.goal.max_processes; ++turn) {
      if (environment_.stopped()) return {};
      bool any = false;
      if (!suite.to_measure().empty()) {
        TRY(suite.measure(0));
        any = true;
      }
      for (WholeTimes& whole : wholes_) {
        if (environment_.stopped()) return {};
        if (!whole.wanted(request_.goal)) continue;
        any = true;
        measure(whole, turn);
      }
      if (!any) return {};
    }
    return {};
  }

  void measure(WholeTimes& whole, std::uint32_t turn) {
    if (environment_.progress != nullptr)
      environment_.progress->show(fmt::format("turn {}: {}", turn, whole.name), 0, 0);
    const Result<measure::WholeRuns> runs = measure::whole_runs(whole.resolved, whole.request, {});
    environment_.hide_progress();
    if (runs.ok()) {
      whole.times.push_back(
          {.process = turn, .ns = runs->median_ns, .runs = static_cast<std::uint32_t>(runs->runs)});
      whole.seconds += runs->load_s + runs->run_s;
      whole.waited += runs->waiting_share > kMaxWaiting ? 1 : 0;
    } else if (!environment_.stopped()) {
      whole.error = runs.error();
      environment_.notices.failed(runs.error());
      out_.failed.push_back(whole.name);
    }
  }

  void collect(const PlannedBricks& planned, const BricksSuite& suite) {
    Check& check = out_.check;
    check = {.ridge = std::string(version()),
             .runtime = planned.plan.runtime,
             .runtime_version = planned.plan.runtime_version,
             .host = planned.plan.host,
             .threads = planned.plan.threads,
             .width = request_.goal.width,
             .models = {},
             .times = {.plan_s = planned.seconds,
                       .load_s = suite.cost().load_s,
                       .run_s = suite.cost().run_s,
                       .bricks_round_s = suite.round_s()},
             .without_estimate = {},
             .measured_before = check.measured_before};
    warn_of_waiting();
    const std::vector<ModelProgress> estimates = suite.progress();
    out_.estimates = estimates;
    out_.times = suite.times().at(0);
    for (const WholeTimes& whole : wholes_) {
      const auto estimate = std::ranges::find(estimates, whole.name, &ModelProgress::name);
      if (whole.times.empty()) continue;
      if (estimate == estimates.end() || estimate->unmeasured > 0) {
        check.without_estimate.push_back(whole.name);
        continue;
      }
      if (!estimate->reached) out_.too_wide.push_back(whole.name);
      check.models.push_back({.name = whole.name,
                              .measured = whole.estimate(),
                              .estimate = estimate->estimate,
                              .processes = whole.times.size(),
                              .seconds = whole.seconds,
                              .narrow = whole.narrow(request_.goal),
                              .measured_width = relative_half_width(whole.estimate()),
                              .estimate_width = estimate->half_width,
                              .estimate_narrow = estimate->reached});
      check.times.models_round_s += whole.estimate().value * 1e-9;
    }
  }

  void warn_of_waiting() const {
    std::size_t waited = 0, all = 0;
    for (const WholeTimes& whole : wholes_) {
      waited += whole.waited;
      all += whole.times.size();
    }
    if (waited > 0)
      environment_.notices.warn(
          "", fmt::format("in {} of {} another program used the processor of the runtime, so "
                          "measured latencies are too long: run no second measurement beside it",
                          waited, counted(static_cast<std::int64_t>(all), "measured process")));
  }

  const CheckRequest& request_;
  const session::Environment& environment_;
  std::vector<WholeTimes> wholes_;
  BricksChecked out_;
};

}  // namespace

Result<BricksChecked> check_bricks(const CheckRequest& request,
                                   const session::Environment& environment) {
  return Checking(request, environment).run();
}

}  // namespace ridge::bricks
