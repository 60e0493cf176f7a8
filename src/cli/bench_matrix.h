// What ridge bench is to measure: every model in every runtime at every point, and what became of
// each.
//
//   Matrix matrix = TRY(Matrix::plan(options, console, progress));
//   for (const std::size_t i : shuffled(matrix.cells.size(), seed)) ...
//
// Ownership: keeps the models open, one for all its cells; borrows the options. Thread rule: one
// thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench_verb.h"
#include "cli/workbench.h"
#include "runtime/runtime.h"
#include "store/store.h"

namespace ridge::cli {

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
  std::deque<MeasuringOptions> options;  ///< of each model
  std::vector<Workbench> benches;        ///< of each model
  std::vector<Cell> cells;               ///< in the order asked for
  std::vector<std::string> notes;        ///< on what was measured now, each once

  /// Opens the models. Errors: those of the options and of the models.
  static Result<Matrix> plan(const BenchOptions& options, Console& console, Progress* progress);
  const Workbench& bench(const Cell& cell) const { return benches[cell.bench]; }
  const std::string& runtime(const Cell& cell) const { return cell.point.runtime; }
};

/// The key of a cell in the runtime of that name and version.
Result<std::string> key_of(const Workbench& bench, const Cell& cell,
                           const runtime::RuntimeInfo& runtime);

/// 0 to n-1 in an order that only the seed decides, so that a drift of the machine falls on no
/// model or runtime in particular.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed);

/// What and where, with the evidence, in a line and not cut as messages are: a row of a table is
/// all that tells why its point has no times.
std::string reason_of(const Error& error);

/// A row for each cell. `format`: table, json (ridge.bench/1), csv or md.
std::string matrix_text(const Matrix& matrix, std::string_view format);

}  // namespace ridge::cli
