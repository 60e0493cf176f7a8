// SPDX-License-Identifier: Apache-2.0
// Matrix of measurements: a cell for every model, runtime and point, with its state and result.
//
//   Matrix matrix = TRY(Matrix::plan(models, environment));
//   TRY(mark_stored(recorder.store(), runtimes, matrix));
//   TRY(measure_matrix(matrix, runtimes, recorder, {.budget_s = 600}));     // session/bench.h
//
// Ownership: owns the specs and the opened models, which all cells of a model share; borrows the
// environment.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/options.h"
#include "runtime/paths.h"
#include "runtime/types.h"
#include "session/workbench.h"
#include "store/store.h"

namespace ridge::session {

/// A model of a matrix with its own sizes.
struct ModelSpec {
  std::string model;
  MeasureSpec spec;
};

enum class CellState : std::uint8_t {
  kWaiting,   ///< to be measured
  kStored,    ///< the store had a run of it before
  kMeasured,  ///< measured by this program run
  kFailed,
};

struct Cell {
  std::size_t bench = 0;  ///< index into Matrix::benches
  Point point;
  std::string label;      ///< "batch=4, 2 threads"
  std::string key;        ///< in its request (point_choice.h); "": it cannot be measured
  std::string store_key;  ///< key of its run in a store (set_store_keys); "": not known
  double work = 1;        ///< multiply-accumulates of one run; at least 1
  /// Minimum time that the cell takes, if it was skipped because the budget is too small; else 0.
  double min_s = 0;
  CellState state = CellState::kWaiting;
  /// Complete error text. kFailed: of the measurement; kWaiting: of the analysis; else empty.
  std::string error;
  store::RunId run = 0;  ///< kStored, kMeasured: its id; 0 if the store rejected it
  stats::Estimate latency_ns;
  double items_per_s = 0;
};

struct Matrix {
  std::deque<ModelSpec> models;    ///< as given
  std::vector<Workbench> benches;  ///< one per model
  std::vector<Cell> cells;         ///< in the order of the models and their points
  std::vector<std::string> notes;  ///< input notes of the measured runs, without duplicates

  /// Opens the models. Errors: as the specs and the models.
  static Result<Matrix> plan(std::vector<ModelSpec> models, const Environment& environment);
  Workbench& bench(const Cell& cell) { return benches[cell.bench]; }
  const Workbench& bench(const Cell& cell) const { return benches[cell.bench]; }
  const std::string& runtime(const Cell& cell) const { return cell.point.runtime; }
  std::int64_t count(CellState state) const;
};

/// Starts the runtime in a child process and ends it. `plugin`: its path. Cost: about 50 ms.
Result<runtime::RuntimeInfo> open_runtime(const std::string& plugin, runtime::Options options);

/// By the runtime's name: its information, or the error of starting it.
using Runtimes = std::map<std::string, Result<runtime::RuntimeInfo>>;
/// Calls open_runtime for each runtime of the models' specs.
Runtimes open_runtimes(const Matrix& matrix, const Environment& environment);

/// Workbench::key of the cell in that runtime.
Result<std::string> key_of(const Workbench& bench, const Cell& cell,
                           const runtime::RuntimeInfo& runtime);

/// Leaves the cells with these keys; all of them if none is named. Errors: select_points().
Result<void> keep_points(std::span<const std::string> keys, Matrix& matrix);

/// Sets the store_key of the cells whose runtime can be opened.
void set_store_keys(const Runtimes& runtimes, Matrix& matrix);

/// Marks the cells that have a run in the store, and copies the latency and throughput of the run.
Result<void> mark_stored(const store::Store& store, const Runtimes& runtimes, Matrix& matrix);

/// File, place, message and evidence of an error on one line, in full: a table row has no other
/// explanation of why its cell has no times.
std::string reason_of(const Error& error);

}  // namespace ridge::session
