// SPDX-License-Identifier: Apache-2.0
// Requests of a systolic array to its three buffers, cycle by cycle.
//
//   for_each_cycle(folds, machine, port);
//
// for_each_cycle calls port.ifmap(m, k), port.filter(k, n) and port.ofmap(m, n) for every element
// of a cycle, in this order, then port.end_of_cycle(). A stream enters or leaves the array skewed
// by one cycle per lane; a stationary operand is loaded row by row, the last row first; with os the
// outputs leave bottom row first (create_*_demand_mat of SCALE-Sim's
// systolic_compute_{os,ws,is}.py).
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerator/scalesim/folds.h"
#include "accelerator/scalesim/machine.h"

namespace ridge::accelerator {

/// Part of a matrix dimension: `used` positions from `first`.
struct Slice {
  std::int64_t first = 0, used = 0;
};

/// Positions of fold `i` of `length` on an array of `size`.
inline Slice fold_slice(std::int64_t i, std::int64_t size, std::int64_t length) {
  return {i * size, std::min(size, length - i * size)};
}

/// Visits the elements that cross the array's edge in one cycle, for a stream of `length` that
/// begins at cycle `start`: visit(step, lane).
/// Example: length 3, lanes 0 and 1, start 0. Cycle 0: (0, 0); cycle 1: (1, 0), (0, 1); cycle 2:
/// (2, 0), (1, 1); cycle 3: (2, 1).
template <typename Visit>
void skewed(std::int64_t cycle, std::int64_t start, std::int64_t length, Slice lanes,
            Visit&& visit) {
  const std::int64_t since = cycle - start;
  const std::int64_t begin = std::max<std::int64_t>(0, since - length + 1);
  const std::int64_t end = std::min(lanes.used, since + 1);
  for (std::int64_t lane = begin; lane < end; ++lane) visit(since - lane, lanes.first + lane);
}

/// Visits the row that is loaded in one of the first `height` cycles, where `height` is the number
/// of array rows: visit(row, column).
template <typename Visit>
void loaded(std::int64_t cycle, std::int64_t height, Slice rows, Slice columns, Visit&& visit) {
  const std::int64_t row = height - 1 - cycle;
  if (row < 0 || row >= rows.used) return;
  for (std::int64_t c = 0; c < columns.used; ++c) visit(rows.first + row, columns.first + c);
}

template <typename Port>
void output_stationary(std::int64_t t, const Folds& f, std::int64_t height, Slice rows,
                       Slice columns, Port& port) {
  skewed(t, 0, f.stream, rows, [&](std::int64_t k, std::int64_t m) { port.ifmap(m, k); });
  skewed(t, 0, f.stream, columns, [&](std::int64_t k, std::int64_t n) { port.filter(k, n); });
  skewed(t, f.stream - 1, height, columns, [&](std::int64_t step, std::int64_t n) {
    const std::int64_t row = height - 1 - step;
    if (row < rows.used) port.ofmap(rows.first + row, n);
  });
}

template <typename Port>
void weight_stationary(std::int64_t t, const Folds& f, std::int64_t height, Slice rows,
                       Slice columns, Port& port) {
  skewed(t, height, f.stream, rows, [&](std::int64_t m, std::int64_t k) { port.ifmap(m, k); });
  loaded(t, height, rows, columns, [&](std::int64_t k, std::int64_t n) { port.filter(k, n); });
  skewed(t, 2 * height - 1, f.stream, columns,
         [&](std::int64_t m, std::int64_t n) { port.ofmap(m, n); });
}

template <typename Port>
void input_stationary(std::int64_t t, const Folds& f, std::int64_t height, Slice rows,
                      Slice columns, Port& port) {
  loaded(t, height, rows, columns, [&](std::int64_t k, std::int64_t m) { port.ifmap(m, k); });
  skewed(t, height, f.stream, rows, [&](std::int64_t n, std::int64_t k) { port.filter(k, n); });
  skewed(t, 2 * height - 1, f.stream, columns,
         [&](std::int64_t n, std::int64_t m) { port.ofmap(m, n); });
}

template <typename Port>
void for_each_cycle(const Folds& f, const ScalesimMachine& machine, Port& port) {
  for (std::int64_t c = 0; c < f.column_folds; ++c)
    for (std::int64_t r = 0; r < f.row_folds; ++r) {
      const Slice rows = fold_slice(r, machine.rows, f.rows);
      const Slice columns = fold_slice(c, machine.columns, f.columns);
      for (std::int64_t t = 0; t < f.cycles_of_one; ++t) {
        switch (machine.dataflow) {
          case Dataflow::kOutputStationary:
            output_stationary(t, f, machine.rows, rows, columns, port);
            break;
          case Dataflow::kWeightStationary:
            weight_stationary(t, f, machine.rows, rows, columns, port);
            break;
          case Dataflow::kInputStationary:
            input_stationary(t, f, machine.rows, rows, columns, port);
            break;
        }
        port.end_of_cycle();
      }
    }
}

}  // namespace ridge::accelerator
