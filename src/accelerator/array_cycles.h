// SPDX-License-Identifier: Apache-2.0
// Cycles of a double-buffered array: while one fold streams, the stationary operand of the next
// fold moves into the array (output stationary: the results of the previous fold move out).
//
// A product occupies X x Y of the array and streams T vectors (scalesim/folds.h lists which of
// M, N, K these are). It is cut into x folds of rows and y folds of columns, as evenly as possible,
// so that a fold of r rows takes max(T, r) cycles: T to stream, r to exchange the stationary
// operand. All folds together take
//   y * max(X, x * T)
// cycles: with an even cut, every fold is limited by the same one of the two. This is the rule of
// ONNXim (SystolicWS.cc: the issue distance is max(T, rows)) with the rows in use instead of all
// rows. The first fold fills the array and the last one empties it, which takes as long as in one
// fold of SCALE-Sim: 2r + c - 2 more cycles, output stationary r + c - 2.
// Thread rule: pure functions.
#pragma once

#include <cstdint>

#include "accelerator/cost.h"
#include "accelerator/gemm.h"

namespace ridge::accelerator {

/// Shape of a product under a dataflow: rows x columns stationary elements, `stream` vectors.
struct Layout {
  std::int64_t rows = 0, columns = 0, stream = 0;
};
Layout layout(std::int64_t m, std::int64_t n, std::int64_t k, Dataflow dataflow);

/// Cycles of all folds, with the array full before and after. Cuts the product into as few folds as
/// possible, which is fastest. O(1).
std::int64_t steady_cycles(const Layout& held, std::int64_t rows, std::int64_t columns);

/// Cycles including filling and emptying, for the fastest cut: using only a corner of the array may
/// be faster. Never increases with more rows or columns. O(columns / stream) at worst, mostly O(1).
std::int64_t filled_cycles(const Layout& held, std::int64_t rows, std::int64_t columns,
                           Dataflow dataflow);

/// Words exchanged between the array and the SRAM; the final sums count as ofmap.
Traffic array_words(const Layout& held, std::int64_t rows, std::int64_t columns, Dataflow dataflow);

}  // namespace ridge::accelerator
