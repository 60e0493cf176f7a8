// SPDX-License-Identifier: Apache-2.0
#include "session/bench.h"

#include <fmt/format.h>

#include <numeric>
#include <random>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "profile/summary.h"
#include "session/bench_budget.h"
#include "session/finish.h"

namespace ridge::session {
namespace {

using profile::Profile;

std::vector<int> thread_counts(const Matrix& matrix) {
  std::vector<int> out;
  for (const Cell& cell : matrix.cells) out.push_back(cell.point.threads);
  return out;
}

/// Measures the waiting cells.
class Bench {
 public:
  Bench(Matrix& matrix, const Runtimes& runtimes, RunRecorder& recorder)
      : matrix_(matrix),
        runtimes_(runtimes),
        recorder_(recorder),
        environment_(matrix.benches.front().environment),
        roofs_(environment_, thread_counts(matrix), matrix.benches.front().spec.refresh_roofs) {}

  Result<void> run(const BenchPlan& plan) {
    TRY(fail_invalid_cells());
    const std::int64_t waiting = matrix_.count(CellState::kWaiting);
    std::optional<BenchBudget> budget;
    if (plan.budget_s)
      budget.emplace(*plan.budget_s, waiting, matrix_.benches.front().spec.processes);
    const Nanos start = steady_clock().now();
    std::int64_t number = 0;
    for (const std::size_t i : shuffled(matrix_.cells.size(), plan.seed)) {
      Cell& cell = matrix_.cells[i];
      if (cell.state != CellState::kWaiting) continue;
      if (environment_.stopped()) break;
      const Nanos before = steady_clock().now();
      const BenchPoint point = budget_point(cell);
      const double given = assign_time(cell, budget, point, seconds(before - start));
      if (given == 0) {
        budget->skip();
        cell.min_s = budget->min_s(point);
        continue;
      }
      TRY(measure(cell, fmt::format("{} of {}", ++number, waiting)));
      // Roofs are measured once, so their time is not part of this point's overhead.
      const Nanos wall = steady_clock().now() - before - roofs_.take_cost();
      if (!budget) continue;
      if (cell.state == CellState::kMeasured)
        budget->done(point, seconds(wall), given);
      else
        budget->skip();  // a failure does not predict the overhead of others
    }
    return {};
  }

 private:
  /// Fails the cells that the analysis rejects, so that they take no share of the budget.
  Result<void> fail_invalid_cells() {
    for (Cell& cell : matrix_.cells) {
      if (cell.state != CellState::kWaiting || cell.error.empty()) continue;
      const Workbench& bench = matrix_.bench(cell);
      const Result<analysis::Resolved> resolved = bench.resolve(cell.point);
      if (resolved.ok()) continue;
      environment_.notices.status(fmt::format("{}, {}, {}: cannot be measured",
                                              printable(bench.model), printable(cell.label),
                                              matrix_.runtime(cell)));
      TRY(fail(cell, resolved.error()));
    }
    return {};
  }

  BenchPoint budget_point(const Cell& cell) const {
    return {matrix_.bench(cell).model, matrix_.runtime(cell), cell.work};
  }

  /// Sets and returns the measuring time of each process of the cell; 0: the cell does not fit into
  /// the budget.
  double assign_time(Cell& cell, const std::optional<BenchBudget>& budget, const BenchPoint& point,
                     double elapsed_s) {
    Workbench& bench = matrix_.bench(cell);
    if (budget) bench.process_s = budget->next(point, elapsed_s).value_or(0);
    return bench.process_s;
  }

  Result<void> measure(Cell& cell, const std::string& number) {
    const Workbench& bench = matrix_.bench(cell);
    const Result<Measured> measured = profile_of(cell);
    environment_.hide_progress();
    const std::string outcome = measured.ok() ? duration(measured->profile.latency.ns.value)
                                : environment_.stopped() ? "interrupted"
                                                         : "failed";
    environment_.notices.status(fmt::format("{}: {}, {}, {}: {}", number, printable(bench.model),
                                            printable(cell.label), matrix_.runtime(cell), outcome));
    if (!measured.ok()) return fail(cell, measured.error());
    const Profile& p = measured->profile;
    cell.state = CellState::kMeasured;
    cell.latency_ns = p.latency.ns;
    cell.items_per_s = p.items_per_s;
    profile::add_input_notes(bench.model, p, matrix_.notes);
    const Result<runtime::RuntimeInfo>& runtime = runtimes_.at(matrix_.runtime(cell));
    cell.run = TRY(recorder_.keep(p, TRY(key_of(bench, cell, *runtime))));
    TRY(recorder_.store().forget_failure(failure_of(cell, "")));
    if (measured->roof_error) return *measured->roof_error;
    return {};
  }

  Result<Measured> profile_of(const Cell& cell) {
    const Result<runtime::RuntimeInfo>& runtime = runtimes_.at(matrix_.runtime(cell));
    if (!runtime.ok()) return runtime.error();
    const Workbench& bench = matrix_.bench(cell);
    const analysis::Resolved resolved = TRY(bench.resolve(cell.point));
    recorder_.assess_host();
    return bench.measure(resolved, cell.point, roofs_);
  }

  store::Failure failure_of(const Cell& cell, std::string error) const {
    return {.recorded_s = seconds_now(),
            .path = matrix_.bench(cell).model,
            .label = cell.label,
            .runtime = matrix_.runtime(cell),
            .error = std::move(error)};
  }

  /// Records the failure of a cell. A cell that Ctrl-C interrupted has not failed and stays
  /// waiting.
  Result<void> fail(Cell& cell, const Error& error) {
    if (environment_.stopped()) return {};
    environment_.notices.failed(error);
    cell.state = CellState::kFailed;
    cell.error = reason_of(error);
    return recorder_.store().record_failure(failure_of(cell, cell.error));
  }

  Matrix& matrix_;
  const Runtimes& runtimes_;
  RunRecorder& recorder_;
  const Environment& environment_;
  RoofSource roofs_;
};

}  // namespace

Result<void> measure_matrix(Matrix& matrix, const Runtimes& runtimes, RunRecorder& recorder,
                            const BenchPlan& plan) {
  if (matrix.cells.empty()) return {};
  return Bench(matrix, runtimes, recorder).run(plan);
}

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  // Not std::shuffle: its result differs between standard libraries.
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

}  // namespace ridge::session
