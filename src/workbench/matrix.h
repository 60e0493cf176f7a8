// A matrix of measurements: every model in every runtime at every point, and what became of each.
//
//   Matrix matrix = TRY(Matrix::plan(models, environment));
//   TRY(mark_held(keeper.store(), runtimes, matrix));
//   TRY(measure_matrix(matrix, runtimes, keeper, {.budget_s = 600}));     // workbench/bench.h
//
// Ownership: keeps specs and open models, one for all cells of a model; borrows the environment.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "runtime/runtime.h"
#include "store/store.h"
#include "workbench/workbench.h"

namespace ridge::workbench {

/// A model of a matrix with its own sizes.
struct ModelSpec {
  std::string model;
  MeasureSpec spec;
};

enum class CellState : std::uint8_t {
  kWaiting,   ///< to be measured
  kHeld,      ///< the store has a run of it
  kMeasured,  ///< now
  kFailed,
};

struct Cell {
  std::size_t bench = 0;  ///< of Matrix::benches
  Point point;
  std::string label;   ///< "batch=4, 2 threads"
  double work = 1;     ///< multiply-accumulates of a run; at least 1
  double least_s = 0;  ///< kWaiting: left because it takes that long at least; else 0
  CellState state = CellState::kWaiting;
  std::string error;     ///< kFailed; kWaiting: what the analysis says against it; not cut
  store::RunId run = 0;  ///< kHeld, kMeasured; 0 where the store refused it
  profile::Estimate latency_ns;
  double items_per_s = 0;
};

struct Matrix {
  std::deque<ModelSpec> models;    ///< as given
  std::vector<Workbench> benches;  ///< of each model
  std::vector<Cell> cells;         ///< in the order asked for
  std::vector<std::string> notes;  ///< on what was measured now, each once

  /// Opens the models. Errors: those of the specs and of the models.
  static Result<Matrix> plan(std::vector<ModelSpec> models, const Environment& environment);
  Workbench& bench(const Cell& cell) { return benches[cell.bench]; }
  const Workbench& bench(const Cell& cell) const { return benches[cell.bench]; }
  const std::string& runtime(const Cell& cell) const { return cell.point.runtime; }
  std::int64_t count(CellState state) const;
};

/// Runtimes by name, each with what it reports of itself or why it does not start.
using Runtimes = std::map<std::string, Result<runtime::RuntimeInfo>>;
/// Starts each in a child process that ends again. Cost: about 50 ms each.
Runtimes open_runtimes(const std::vector<std::string>& names, const Environment& environment);

/// The key of a cell in the runtime of that name and version.
Result<std::string> key_of(const Workbench& bench, const Cell& cell,
                           const runtime::RuntimeInfo& runtime);

/// Marks the cells of which the store has a run, and copies its figures.
Result<void> mark_held(const store::Store& store, const Runtimes& runtimes, Matrix& matrix);

/// What and where, with the evidence, in one line that is not cut as messages are: a row of a table
/// is all that explains why its cell has no times.
std::string reason_of(const Error& error);

}  // namespace ridge::workbench
