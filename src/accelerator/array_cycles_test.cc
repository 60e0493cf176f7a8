// SPDX-License-Identifier: Apache-2.0
// Compares with every way to cut the stationary operand into folds, fold by fold.
#include "accelerator/array_cycles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "accelerator/scalesim/folds.h"

namespace ridge::accelerator {
namespace {

/// Cuts `length` into `parts`, as evenly as possible.
std::vector<std::int64_t> even_parts(std::int64_t length, std::int64_t parts) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(parts), length / parts);
  for (std::int64_t i = 0; i < length % parts; ++i) ++out[static_cast<std::size_t>(i)];
  return out;
}

struct Least {
  std::int64_t steady = std::numeric_limits<std::int64_t>::max(), filled = steady;
};

Least of_all_cuts(const Layout& l, std::int64_t rows, std::int64_t columns, Dataflow dataflow) {
  Least least;
  for (std::int64_t x = 1; x <= l.rows; ++x)
    for (std::int64_t y = 1; y <= l.columns; ++y) {
      const auto row_folds = even_parts(l.rows, x), column_folds = even_parts(l.columns, y);
      if (row_folds[0] > rows || column_folds[0] > columns) continue;
      std::int64_t cycles = 0;
      for (std::size_t c = 0; c < column_folds.size(); ++c)
        for (const std::int64_t r : row_folds) cycles += std::max(l.stream, r);
      const std::int64_t passes = dataflow == Dataflow::kOutputStationary ? 1 : 2;
      least.steady = std::min(least.steady, cycles);
      least.filled = std::min(least.filled, cycles + passes * row_folds[0] + column_folds[0] - 2);
    }
  return least;
}

TEST(ArrayCycles, AreTheLeastOfAllCuts) {
  std::mt19937 random(11);
  std::uniform_int_distribution<std::int64_t> small(1, 14), large(1, 20);
  for (int i = 0; i < 12'000; ++i) {
    const Dataflow dataflow = kDataflows[static_cast<std::size_t>(i % 3)];
    const Layout l = layout(large(random), large(random), large(random), dataflow);
    const std::int64_t rows = small(random), columns = small(random);
    const Least least = of_all_cuts(l, rows, columns, dataflow);
    ASSERT_EQ(steady_cycles(l, rows, columns), least.steady)
        << l.rows << " x " << l.columns << " by " << l.stream << " on " << rows << " x " << columns;
    ASSERT_EQ(filled_cycles(l, rows, columns, dataflow), least.filled)
        << l.rows << " x " << l.columns << " by " << l.stream << " on " << rows << " x " << columns;
  }
}

TEST(ArrayCycles, OfOneFullFoldAreThoseOfScaleSim) {
  for (const Dataflow dataflow : kDataflows) {
    const ScalesimMachine machine{8, 4, dataflow, {1024, 1024, 1024}, {}};
    const Gemm g = dataflow == Dataflow::kOutputStationary   ? matrix_product(8, 4, 100)
                   : dataflow == Dataflow::kWeightStationary ? matrix_product(100, 4, 8)
                                                             : matrix_product(4, 100, 8);
    EXPECT_EQ(filled_cycles(layout(g.m, g.n, g.k, dataflow), 8, 4, dataflow),
              scalesim_folds(g, machine).cycles_of_one);
  }
}

}  // namespace
}  // namespace ridge::accelerator
