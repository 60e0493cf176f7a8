// Cycles of a double-buffered array: while one fold streams, the next one's stationary operand (or,
// output stationary, the last one's results) moves through the array.
//
// A product on the array holds X x Y and streams T (scalesim.h says which of M, N, K they are). It
// is cut into x folds of rows and y folds of columns, each as even as can be, so that a fold of r
// rows takes max(T, r): T to stream, r to exchange what is stationary. All folds then take
//   y * max(X, x * T)
// cycles: evenly cut, every fold waits for the same of the two. That is the law of ONNXim
// (SystolicWS.cc: the issue distance is max(T, rows)) with the rows in use in place of all rows.
// The first fold fills the array and the last one empties it, which takes as long as in one fold of
// SCALE-Sim: 2r + c - 2 cycles more, output stationary r + c - 2.
// Thread rule: pure functions.
#pragma once

#include <cstdint>

#include "accelerator/cost.h"
#include "accelerator/gemm.h"

namespace ridge::accelerator {

/// A product as a dataflow lays it out.
struct Layout {
  std::int64_t rows = 0, columns = 0, stream = 0;
};
Layout layout(std::int64_t m, std::int64_t n, std::int64_t k, Dataflow dataflow);

/// Of all folds, the array full before and after; what is held is cut into as few folds as can be,
/// which takes least. O(1).
std::int64_t steady_cycles(const Layout& held, std::int64_t rows, std::int64_t columns);

/// With filling and emptying, of the cut that takes least: a corner of the array may be enough.
/// More rows or columns never take longer. O(columns / stream) at worst, mostly O(1).
std::int64_t filled_cycles(const Layout& held, std::int64_t rows, std::int64_t columns,
                           Dataflow dataflow);

/// Words that the array exchanges with the SRAM; the final sums count as ofmap.
Traffic array_words(const Layout& held, std::int64_t rows, std::int64_t columns, Dataflow dataflow);

}  // namespace ridge::accelerator
