// How many rows of its input a sliding window reads when the output is made in bands of rows.
//
//   const WindowRows rows{.input = 224, .outputs = 112, .span = 7, .stride = 2, .pad = 3};
//   rows_read(rows, rows.outputs)    // every row at most once
//   rows_read(rows, 1)               // each output row reads its window anew
//
// Bands of neighbouring output rows share `span - stride` input rows: the halo. A convolution whose
// input does not fit the cache is worked in bands that do, and reads each halo twice.
// Cost: O(1). Padding is never read.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/resolved.h"

namespace ridge::analysis {

struct WindowRows {
  std::int64_t input = 0, outputs = 0;  ///< rows
  std::int64_t span = 1;                ///< rows under one window, dilation included
  std::int64_t stride = 1, pad = 0;     ///< rows before the first
};

/// Input rows read, over all bands of `band` output rows (the last may be shorter); rows that see
/// nothing but padding belong to none. `band` is at least 1. nullopt past 2^63 - 1.
std::optional<std::int64_t> rows_read(const WindowRows& w, std::int64_t band);

/// The most output rows whose input rows take at most `bytes`, at least 1.
std::int64_t largest_band(const WindowRows& w, std::int64_t row_bytes, std::int64_t bytes);

/// What an operator that slides a window over input 0 (convolutions and pools, channels first)
/// reads of it, and the bytes of one row of one image; nullopt for every other node or where a size
/// is not known.
struct WindowInput {
  WindowRows rows;
  std::int64_t images = 0, row_bytes = 0;
};
std::optional<WindowInput> window_input(const Resolved& resolved, graph::NodeId node);

}  // namespace ridge::analysis
