// SPDX-License-Identifier: Apache-2.0
// Number of input rows that a sliding window reads if the output is computed in bands of rows.
//
//   const WindowRows rows{.input = 224, .outputs = 112, .span = 7, .stride = 2, .pad = 3};
//   rows_read(rows, rows.outputs)    // every row at most once
//   rows_read(rows, 1)               // each output row reads its entire window
//
// Bands of neighboring output rows share `span - stride` input rows, the halo. A convolution whose
// input does not fit the cache is processed in bands that do, and reads each halo twice.
// Cost: O(1). Padding is never read.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/resolved.h"

namespace ridge::analysis {

/// Window along the row axis; all members are in rows.
struct WindowRows {
  std::int64_t input = 0, outputs = 0;
  std::int64_t span = 1;             ///< window height, dilation included
  std::int64_t stride = 1, pad = 0;  ///< pad: rows before the first
};

/// Input rows read over all bands of `band` >= 1 output rows (the last band may be shorter). Output
/// rows entirely over padding are ignored. nullopt above 2^63 - 1.
std::optional<std::int64_t> rows_read(const WindowRows& w, std::int64_t band);

/// Largest number of output rows whose input rows take at most `bytes`; at least 1.
std::int64_t largest_band(const WindowRows& w, std::int64_t row_bytes, std::int64_t bytes);

/// Input 0 of an operator with a sliding window (convolution or pooling, channels first): its rows,
/// and the bytes of one row of one image. window_input() is nullopt for other nodes or if a size is
/// unknown.
struct WindowInput {
  WindowRows rows;
  std::int64_t images = 0, row_bytes = 0;
};
std::optional<WindowInput> window_input(const Resolved& resolved, graph::NodeId node);

}  // namespace ridge::analysis
