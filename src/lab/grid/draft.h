// SPDX-License-Identifier: Apache-2.0
// A cell of a grid in the making, from the runs and evaluations that fit it (grid.h says which of
// them count).
//
//   DraftCell draft;
//   draft.runs.push_back(&run);
//   TRY(fill(store, keys, draft));
//   draft.cell.speed_up = speed_up(draft, base);
//
// Ownership: a draft borrows runs and evaluations. Errors: the store's and those of a damaged
// document. Thread rule: as the store.
#pragma once

#include <vector>

#include "base/result.h"
#include "lab/grid/cell.h"
#include "lab/grid/measured.h"

namespace ridge::lab {

struct DraftCell {
  std::vector<const MeasuredRun*> runs;                ///< oldest first
  std::vector<const MeasuredEvaluation*> evaluations;  ///< oldest first
  GridCell cell;
  /// Latencies of Cell::latency_batch, by process.
  std::vector<std::vector<double>> latencies_ns;
};

/// Sets all figures but cost and speed-up. `keys`: those of rows and columns.
Result<void> fill(const store::Store& store, const std::vector<Key>& keys, DraftCell& draft);

/// Speed-up over the base; unknown where they differ in their batch, or one has no runs.
stats::Estimate speed_up(const DraftCell& draft, const DraftCell& base);

/// Cost of a million inferences at GridCell::items_per_s.
stats::Estimate cost_per_million(const GridCell& cell, double price_per_hour);

}  // namespace ridge::lab
