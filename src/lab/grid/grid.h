// SPDX-License-Identifier: Apache-2.0
// A grid of what a store has measured: rows by columns, such as models by machines.
//
//   const Grid grid = TRY(read_grid(store, {.rows = {Key::kModel}, .columns = {Key::kHost}}));
//   for (const GridCell& cell : grid.cells) ... grid.rows[cell.row] ... cell.trimmed_mean_ns ...
//
// Which results stand in a cell, where several fit:
// - Runs (ridge profile, ridge bench) that differ in nothing but their batch have one *setting*:
//   graph, other sizes, runtime, version, options, machine. A cell shows the newest run's setting
//   and pools all its runs: their processes are the blocks of one sample. Runs of older settings
//   are left out and counted.
// - Latencies are those of the smallest batch; the throughput is that of the batch where it is
//   largest, batch / median latency.
// - Accuracy is the newest evaluation's that has one. Of a cell without runs, latency and
//   throughput are the newest single-stream evaluation's (with the key scenario: of each its own).
//
// Intervals: median stats/change.h, trimmed mean (20 % off each end) and 90th percentile
// stats/block_figures.h; accuracy and evaluations as in their documents; throughput and cost follow
// from the median's. A speed-up is the base's median latency over the cell's, at the same batch, as
// of runs apart (stats/change.h); the base's is exactly 1. What is not known is NaN, never 0.
//
// Only results of kind "measured" count; what was imported, estimated or bounded does not.
// Errors: input class, RIDGE-GRID-0003 (nothing to show), 0004 (no such base), 0007 and 0008 (a
// price of no machine, two of one); usage class, 0005 (a key of both rows and columns); the
// store's. Ownership: a value. Thread rule: as the store. Cost: reads the latencies of all runs
// that the filter takes; about 1 us for each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/grid/cell.h"
#include "lab/grid/keys.h"
#include "lab/grid/price.h"
#include "store/run_filter.h"
#include "store/store.h"

namespace ridge::lab {

struct GridRequest {
  std::vector<Key> rows{Key::kModel}, columns{Key::kHost};
  std::string base;            ///< name of the column that speed-ups refer to; "": none
  std::vector<Price> prices;   ///< by host; each must be one of the store's
  store::RunFilter only = {};  ///< results that count; empty: all
};

struct Grid {
  std::vector<Key> rows_by, columns_by;
  std::vector<std::string> rows, columns;  ///< their names, in order
  std::string base;                        ///< "" without speed-ups
  /// By row, then column; places where nothing was measured have none.
  std::vector<GridCell> cells;

  /// nullptr where nothing was measured.
  const GridCell* at(std::size_t row, std::size_t column) const;
};

Result<Grid> read_grid(const store::Store& store, const GridRequest& request);

}  // namespace ridge::lab
