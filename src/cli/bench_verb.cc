#include "cli/bench_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/bench_budget.h"
#include "cli/bench_matrix.h"
#include "cli/document_options.h"
#include "cli/duration.h"
#include "cli/interrupt.h"
#include "cli/point_table.h"
#include "cli/run_keeper.h"
#include "cli/runtime_source.h"

namespace ridge::cli {
namespace {

using profile::Profile;
using Runtimes = std::map<std::string, Result<runtime::RuntimeInfo>>;

Runtimes open_runtimes(const std::vector<std::string>& names) {
  Runtimes out;
  for (const std::string& name : names)
    if (const runtime::KnownRuntime* known = runtime::known_runtime(name))
      out.emplace(name, open_runtime(*known));
  return out;
}

/// Marks what the store has already.
Result<void> mark_held(const store::Store& store, const Runtimes& runtimes, Matrix& matrix) {
  std::map<std::string, store::RunRow> runs;
  for (store::RunRow& row : TRY(store.list()))
    if (!row.point.empty()) runs.insert_or_assign(row.point, std::move(row));
  for (Cell& cell : matrix.cells) {
    const auto runtime = runtimes.find(matrix.runtime(cell));
    if (runtime == runtimes.end() || !runtime->second.ok()) continue;
    const Result<std::string> key = key_of(matrix.bench(cell), cell, *runtime->second);
    const auto held = key.ok() ? runs.find(*key) : runs.end();
    if (held == runs.end()) continue;
    cell.state = CellState::kHeld;
    cell.run = held->second.id;
    cell.latency_ns = held->second.latency_ns;
    cell.items_per_s = held->second.items_per_s;
  }
  return {};
}

std::int64_t count(const Matrix& matrix, CellState state) {
  return std::count_if(matrix.cells.begin(), matrix.cells.end(),
                       [&](const Cell& c) { return c.state == state; });
}

/// Works through the cells that wait.
class Bench {
 public:
  Bench(Matrix& matrix, const Runtimes& runtimes, RunKeeper& keeper, Console& console)
      : matrix_(matrix), runtimes_(runtimes), keeper_(keeper), console_(console) {}

  Result<void> run(const BenchOptions& options) {
    TRY(refuse_impossible());
    const std::int64_t waiting = count(matrix_, CellState::kWaiting);
    std::optional<BenchBudget> budget;
    if (!options.budget.empty())
      budget.emplace(TRY(parse_duration("--budget", options.budget)), waiting,
                     options.measuring.processes);
    const Nanos start = steady_clock().now();
    std::int64_t number = 0;
    for (const std::size_t i : shuffled(matrix_.cells.size(), options.measuring.seed)) {
      Cell& cell = matrix_.cells[i];
      if (cell.state != CellState::kWaiting) continue;
      if (Interruption::requested()) break;
      const Nanos before = steady_clock().now();
      const BenchPoint point = budget_point(cell);
      const double given = give_time(cell, budget, point, seconds(before - start));
      if (given == 0) {
        budget->leave();
        cell.least_s = budget->least_s(point);
        continue;
      }
      TRY(measure(cell, fmt::format("{} of {}", ++number, waiting)));
      // The roofs are measured once, not for each point.
      const Nanos wall = steady_clock().now() - before - std::exchange(roofs_took_, {});
      if (!budget) continue;
      if (cell.state == CellState::kMeasured)
        budget->done(point, seconds(wall), given);
      else
        budget->leave();  // a failure says nothing of what others cost
    }
    return {};
  }

 private:
  /// What no time could measure fails at once, and takes no share of it.
  Result<void> refuse_impossible() {
    for (Cell& cell : matrix_.cells) {
      if (cell.state != CellState::kWaiting || cell.error.empty()) continue;
      const Workbench& bench = matrix_.bench(cell);
      const Result<analysis::Resolved> resolved = bench.resolve(cell.point);
      if (resolved.ok()) continue;
      console_.err.write(fmt::format("{}, {}, {}: cannot be measured\n", printable(bench.model),
                                     printable(cell.label), matrix_.runtime(cell)));
      TRY(fail(cell, resolved.error()));
    }
    return {};
  }

  BenchPoint budget_point(const Cell& cell) const {
    return {matrix_.bench(cell).model, matrix_.runtime(cell), cell.work};
  }

  /// How long each process of the cell measures; 0: it does not fit into the time.
  double give_time(const Cell& cell, const std::optional<BenchBudget>& budget,
                   const BenchPoint& point, double elapsed_s) {
    for (MeasuringOptions& options : matrix_.options) {
      if (&options != &matrix_.bench(cell).options) continue;
      if (budget) options.budget_s = budget->next(point, elapsed_s).value_or(0);
      return options.budget_s;
    }
    return 0;
  }

  Result<void> measure(Cell& cell, const std::string& number) {
    const Workbench& bench = matrix_.bench(cell);
    Result<Profile> p = profile_of(cell);
    if (bench.progress) bench.progress->hide();
    const std::string outcome = p.ok()                      ? duration(p->latency.ns.median)
                                : Interruption::requested() ? "interrupted"
                                                            : "failed";
    console_.err.write(fmt::format("{}: {}, {}, {}: {}\n", number, printable(bench.model),
                                   printable(cell.label), matrix_.runtime(cell), outcome));
    if (!p.ok()) return fail(cell, p.error());
    // A point that is measured is kept, with roofs or without.
    Result<void> prepared = prepare_roofs(bench);
    if (prepared.ok()) hold_against(roofs_, *p);
    cell.state = CellState::kMeasured;
    cell.latency_ns = p->latency.ns;
    cell.items_per_s = p->items_per_s;
    add_input_notes(bench.model, *p, matrix_.notes);
    const Result<runtime::RuntimeInfo>& runtime = runtimes_.at(matrix_.runtime(cell));
    cell.run = TRY(keeper_.keep(*p, TRY(key_of(bench, cell, *runtime))));
    TRY(keeper_.store().forget_failure(failure_of(cell, "")));
    return prepared;
  }

  Result<Profile> profile_of(const Cell& cell) const {
    const Result<runtime::RuntimeInfo>& runtime = runtimes_.at(matrix_.runtime(cell));
    if (!runtime.ok()) return runtime.error();
    const Workbench& bench = matrix_.bench(cell);
    const analysis::Resolved resolved = TRY(bench.resolve(cell.point));
    keeper_.look_at(bench.host);
    return bench.measure(resolved, cell.point);
  }

  store::Failure failure_of(const Cell& cell, std::string error) const {
    return {.recorded_s = seconds_now(),
            .path = matrix_.bench(cell).model,
            .label = cell.label,
            .runtime = matrix_.runtime(cell),
            .error = std::move(error)};
  }

  /// A point that Ctrl-C ended before it had a run has not failed.
  Result<void> fail(Cell& cell, const Error& error) {
    if (Interruption::requested()) return {};
    report(console_, error);
    cell.state = CellState::kFailed;
    cell.error = reason_of(error);
    return keeper_.store().record_failure(failure_of(cell, cell.error));
  }

  /// Once a first point is there: what is wrong with a model shows before the roofs are measured.
  Result<void> prepare_roofs(const Workbench& bench) {
    if (!roofs_.rows.empty()) return {};
    const Nanos before = steady_clock().now();
    std::vector<int> threads;
    for (const Cell& cell : matrix_.cells) threads.push_back(cell.point.threads);
    roofs_ = TRY(
        machine_roofs(bench.host, threads, bench.options.refresh_roofs, bench.progress, console_));
    roofs_took_ = steady_clock().now() - before;
    return {};
  }

  Matrix& matrix_;
  const Runtimes& runtimes_;
  RunKeeper& keeper_;
  Console& console_;
  MachineRoofs roofs_;
  Nanos roofs_took_;  ///< within the present point
};

std::string held_text(const Matrix& matrix, const std::string& store) {
  const std::int64_t held = count(matrix, CellState::kHeld);
  std::string out = counted(std::ssize(matrix.cells), "point");
  if (held > 0) out += fmt::format(", {} of them in {} from before", held, printable(store));
  return out + "\n";
}

/// Which points are left, and how to go on; empty where none is.
std::string left_text(const Matrix& matrix) {
  std::string out;
  for (const Cell& cell : matrix.cells)
    if (cell.state == CellState::kWaiting && cell.least_s > 0)
      out += fmt::format("left for lack of time: {}, {}, {}: takes {} at least\n",
                         printable(matrix.bench(cell).model), printable(cell.label),
                         matrix.runtime(cell), duration(cell.least_s * 1e9));
  const std::int64_t left = count(matrix, CellState::kWaiting);
  if (left > 0)
    out += fmt::format("{} not measured; the same command goes on from here\n",
                       counted(left, "point"));
  return out;
}

/// Says what would be measured; makes no store, and opens no runtime where nothing can be held.
Result<int> plan_only(const BenchOptions& options, Matrix& matrix, Console& console) {
  if (file_exists(options.store)) {
    const store::Store store = TRY(store::Store::open(options.store, store::Access::kRead));
    TRY(mark_held(store, open_runtimes(options.measuring.runtimes), matrix));
  }
  Output output = TRY(Output::open(options.output, console));
  console.err.write(held_text(matrix, options.store));
  output.sink().write(matrix_text(matrix, options.format));
  TRY(output.close());
  return kDone;
}

Result<int> run_bench(const BenchOptions& options, Console& console) {
  if (!options.budget.empty()) TRY(parse_duration("--budget", options.budget));
  TRY(check_own_options(options.measuring));
  Progress drawn(console.err, steady_clock(), console.columns);
  Matrix matrix = TRY(Matrix::plan(options, console, console.err_is_terminal ? &drawn : nullptr));
  if (options.dry_run) return plan_only(options, matrix, console);
  std::optional<RunKeeper> keeper = TRY(RunKeeper::open(options.store, console));
  Output output = TRY(Output::open(options.output, console));
  const Runtimes runtimes = open_runtimes(options.measuring.runtimes);
  TRY(mark_held(keeper->store(), runtimes, matrix));
  console.err.write(held_text(matrix, options.store));
  const Interruption gentle;
  const Result<void> done = Bench(matrix, runtimes, *keeper, console).run(options);
  output.sink().write(matrix_text(matrix, options.format));
  const Result<void> written = output.close();
  if (options.format == "csv")  // it has no place for them
    for (const std::string& note : matrix.notes) warn(console, "", note);
  const std::int64_t left = count(matrix, CellState::kWaiting);
  console.err.write(left_text(matrix));
  if (!written.ok() && !done.ok()) report(console, written.error());
  TRY(done);
  TRY(written);
  if (Interruption::requested()) return kInterrupted;
  return left > 0 || count(matrix, CellState::kFailed) > 0 ? kCheckFailed : kDone;
}

}  // namespace

int bench(const BenchOptions& options, Console& console) {
  const Result<int> status = run_bench(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_bench(CLI::App& app) {
  auto o = std::make_shared<BenchOptions>();
  app.add_option("MODEL", o->models, "ONNX files, or zoo:NAME")->required();
  add_measuring_options(app, o->measuring, Asked::kMatrix);
  app.add_option("--budget", o->budget,
                 "time for all points together: 90s, 10m, 1h30m; without it each process takes 2 s")
      ->option_text("DURATION");
  app.add_option("--store", o->store, "the run database that holds and gets the runs")->required();
  app.add_flag("--dry-run", o->dry_run, "print the points, and which are there already");
  add_document_options(app, o->format, o->output, {"table", "json", "csv", "md"},
                       "write the table to this file");
  return [o](Console& console) { return bench(*o, console); };
}

}  // namespace ridge::cli
