// SPDX-License-Identifier: Apache-2.0
#include "accelerator/array_cycles.h"

#include <algorithm>
#include <limits>

#include "base/checked.h"

namespace ridge::accelerator {

Layout layout(std::int64_t m, std::int64_t n, std::int64_t k, Dataflow dataflow) {
  switch (dataflow) {
    case Dataflow::kOutputStationary:
      return {m, n, k};
    case Dataflow::kWeightStationary:
      return {k, n, m};
    case Dataflow::kInputStationary:
      return {k, m, n};
  }
  return {};
}

// Example: 40 x 20 stationary elements, 10 streamed vectors, on a 16 x 16 array: 3 folds of rows
// (14, 13, 13) and 2 of columns take 2 * max(40, 3 * 10) = 80 cycles: the exchange of the
// stationary operand limits them. With 20 streamed vectors they take 2 * max(40, 60) = 120.
std::int64_t steady_cycles(const Layout& held, std::int64_t rows, std::int64_t columns) {
  return ceil_div(held.columns, columns) *
         std::max(held.rows, ceil_div(held.rows, rows) * held.stream);
}

// Example: weight stationary, 8 x 8 elements on a 16 x 16 array. With 20 streamed vectors one fold
// is fastest: 20 cycles plus 2 * 8 + 8 - 2 to fill and empty = 42; two folds of 4 rows take 40
// + 2 * 4 + 8 - 2 = 54. With 1 streamed vector one fold takes max(8, 1) + 22 = 30, but 8 folds of
// one row take max(8, 8 * 1) + 2 * 1 + 8 - 2 = 16: the search starts at x = rows / stream = 8.
std::int64_t filled_cycles(const Layout& held, std::int64_t rows, std::int64_t columns,
                           Dataflow dataflow) {
  const std::int64_t passes = dataflow == Dataflow::kOutputStationary ? 1 : 2;
  const std::int64_t fewest = ceil_div(held.rows, rows);
  // While x * stream <= rows, all folds together take `rows` cycles and more folds fill faster,
  // so x starts at rows / stream. From there on another fold costs `stream` cycles and soon saves
  // less than that in filling: three values of x suffice.
  const std::int64_t start = std::max({fewest, held.rows / held.stream, std::int64_t{1}});
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t x = start; x < start + 3; ++x) {
    const std::int64_t one = std::max(held.rows, x * held.stream);
    const std::int64_t rows_filled = passes * ceil_div(held.rows, x) - 2;
    for (std::int64_t y = ceil_div(held.columns, columns); y <= held.columns; ++y) {
      if (y * one + rows_filled + 1 > least) break;
      least = std::min(least, y * one + rows_filled + ceil_div(held.columns, y));
    }
  }
  return least;
}

Traffic array_words(const Layout& held, std::int64_t rows, std::int64_t columns,
                    Dataflow dataflow) {
  const std::int64_t row_folds = ceil_div(held.rows, rows);
  const std::int64_t column_folds = ceil_div(held.columns, columns);
  const std::int64_t stays = held.rows * held.columns, streams = held.rows * held.stream,
                     leaves = held.stream * held.columns;
  if (dataflow == Dataflow::kOutputStationary)
    return {.ifmap = streams * column_folds, .filter = leaves * row_folds, .ofmap = stays};
  // Every row fold except the first adds to the partial sums of the previous one.
  const std::int64_t again = leaves * (row_folds - 1);
  Traffic words{.psum_reads = again, .ofmap = leaves, .psum_writes = again};
  const bool weights = dataflow == Dataflow::kWeightStationary;
  (weights ? words.filter : words.ifmap) = stays;
  (weights ? words.ifmap : words.filter) = streams * column_folds;
  return words;
}

}  // namespace ridge::accelerator
