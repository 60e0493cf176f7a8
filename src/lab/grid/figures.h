// SPDX-License-Identifier: Apache-2.0
// The figures of a grid's cells, and their texts: one list for tables, pages and LaTeX.
//
//   for (const GridFigure& figure : grid_figures())
//     if (is_known(grid, figure)) ... cell_text(figure, grid.at(0, 1)) ...   // "1.2 ms [1.1, 1.3]"
//
// Thread rule: constants and pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lab/grid/grid.h"

namespace ridge::lab {

struct GridFigure {
  std::string_view id;       ///< for links of a page: "trimmed-mean"
  std::string_view title;    ///< "trimmed mean of the latency"
  std::string_view meaning;  ///< a sentence
  std::string_view absent;   ///< how to get it where no cell has it
  const stats::Estimate GridCell::*estimate;
  std::string (*text)(const GridCell& cell, double value);
  /// Text behind it: "batch 8"; nullptr: none.
  std::string (*detail)(const GridCell& cell);
};

/// In the order of a report.
std::span<const GridFigure> grid_figures();

/// Whether any cell has it.
bool is_known(const Grid& grid, const GridFigure& figure);

/// "1.2 ms [1.1 ms, 1.3 ms], batch 1"; "[?]" for an interval that is not known, where the value is;
/// "?" where nothing was measured (also for nullptr).
std::string cell_text(const GridFigure& figure, const GridCell* cell);
/// The value alone, and the interval alone: "1.2 ms"; "[1.1 ms, 1.3 ms]".
std::string value_text(const GridFigure& figure, const GridCell* cell);
std::string interval_text(const GridFigure& figure, const GridCell* cell);

/// "2 runs, 5 processes, 1 evaluation"
std::string counts_text(const GridCell& cell);

/// Sentences on which results count and how (grid.h).
std::span<const std::string_view> grid_rules();

/// "model x host"
std::string grid_title(const Grid& grid);

}  // namespace ridge::lab
