// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/bench_verb.h"

#include <fmt/format.h>

#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/flags/duration.h"
#include "cli/flags/point_option.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/bench_table.h"
#include "session/bench.h"

namespace ridge::cli {
namespace {

using session::CellState;
using session::Matrix;
using session::RunRecorder;
using session::Runtimes;

/// Spec of each model, with its own sizes.
Result<std::vector<session::ModelSpec>> models_of(const BenchOptions& options) {
  if (options.models.size() > 1 && !options.measuring.inputs.empty())
    return usage_error("RIDGE-CLI-0071", "--input requires a single model, but several were given")
        .hint("run ridge bench once per model");
  std::vector<session::ModelSpec> out;
  for (const std::string& model : options.models) {
    session::MeasureSpec spec = TRY(spec_of_one_model(options.measuring, model, options.models));
    out.push_back({model, std::move(spec)});
  }
  return out;
}

std::string stored_text(const Matrix& matrix, const std::string& store) {
  const std::int64_t stored = matrix.count(CellState::kStored);
  std::string out = counted(std::ssize(matrix.cells), "point");
  if (stored > 0) out += fmt::format(", {} of them already in {}", stored, printable(store));
  return out + "\n";
}

/// Lists the points that were not measured, with how to continue; empty if there are none.
std::string skipped_text(const Matrix& matrix) {
  std::string out;
  for (const session::Cell& cell : matrix.cells)
    if (cell.state == CellState::kWaiting && cell.min_s > 0)
      out += fmt::format("skipped: {}, {}, {}: takes at least {}, more than the remaining budget\n",
                         printable(matrix.bench(cell).model), printable(cell.label),
                         matrix.runtime(cell), duration(cell.min_s * 1e9));
  const std::int64_t unmeasured = matrix.count(CellState::kWaiting);
  if (unmeasured > 0)
    out += fmt::format("{} not measured; run the same command again to continue\n",
                       counted(unmeasured, "point"));
  return out;
}

/// Prints the points that would be measured. Creates no store; runtimes are opened only if the
/// store exists, or for documents, which have the keys of runs in stores.
Result<int> plan_only(const BenchOptions& options, Matrix& matrix,
                      const session::Environment& environment, Console& console) {
  const auto store = TRY(store::Store::open_if_made(options.store));
  const bool document = options.format == "json" || options.format == "columns";
  if (store || document) {
    const Runtimes runtimes = session::open_runtimes(matrix, environment);
    session::set_store_keys(runtimes, matrix);
    if (store) TRY(session::mark_stored(*store, runtimes, matrix));
  }
  Output output = TRY(Output::open(options.output, console));
  console.err.write(stored_text(matrix, options.store));
  kBenchDocument.write(options.format, matrix, Keys::kShown, output.sink());
  TRY(output.close());
  return kDone;
}

Result<int> run_bench(const BenchOptions& options, Console& console) {
  session::BenchPlan plan{.seed = options.measuring.seed};
  if (!options.budget.empty()) plan.budget_s = TRY(parse_duration("--budget", options.budget));
  const ConsoleEnvironment environment(console);
  Matrix matrix = TRY(Matrix::plan(TRY(models_of(options)), *environment));
  const auto all = static_cast<double>(matrix.cells.size());
  TRY(session::keep_points(options.points, matrix));
  // The budget is for the whole request, of which each point has an equal share.
  if (plan.budget_s && all > 0) *plan.budget_s *= static_cast<double>(matrix.cells.size()) / all;
  if (options.dry_run) return plan_only(options, matrix, *environment, console);
  std::optional<RunRecorder> recorder = TRY(RunRecorder::open(options.store, *environment));
  Output output = TRY(Output::open(options.output, console));
  const Runtimes runtimes = session::open_runtimes(matrix, *environment);
  TRY(session::mark_stored(recorder->store(), runtimes, matrix));
  console.err.write(stored_text(matrix, options.store));
  const Interruption interruption;
  const Result<void> done = session::measure_matrix(matrix, runtimes, *recorder, plan);
  kBenchDocument.write(options.format, matrix, Keys::kHidden, output.sink());
  const Result<void> written = output.close();
  if (options.format == "csv")  // CSV has no place for notes
    for (const std::string& note : matrix.notes) warn(console, "", note);
  const std::int64_t unmeasured = matrix.count(CellState::kWaiting);
  console.err.write(skipped_text(matrix));
  if (!written.ok() && !done.ok()) report(console, written.error());
  TRY(done);
  TRY(written);
  if (Interruption::requested()) return kInterrupted;
  return unmeasured > 0 || matrix.count(CellState::kFailed) > 0 ? kCheckFailed : kDone;
}

}  // namespace

int bench(const BenchOptions& options, Console& console) {
  const Result<int> status = run_bench(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_bench(Flags& flags) {
  auto o = std::make_shared<BenchOptions>();
  flags.add("MODEL", o->models, "ONNX files, or zoo:NAME").required();
  add_measuring_options(flags, o->measuring, OptionScope::kMatrix);
  flags
      .add("--budget", o->budget,
           "time for all points together: 90s, 10m, 1h30m; without it each process takes 2 s")
      .shown_as("DURATION");
  flags
      .add(
          "--store", o->store,
          "run database, a file or a postgresql:// server: stored points are skipped, new runs are "
          "added")
      .writes(Writes::kStore)
      .required();
  flags.add("--dry-run", o->dry_run,
            "list the points with their keys and which are already stored; measure nothing");
  add_point_option(flags, o->points);
  add_document_options(flags, o->format, o->output, kBenchDocument.formats(),
                       "write the table to this file");
  return [o](Console& console) { return bench(*o, console); };
}

}  // namespace ridge::cli
