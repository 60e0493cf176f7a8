// What a systolic array asks its operand buffers for, in the order in which it does.
//
// A stream enters the array skewed by one cycle per lane, so at cycle t lane c asks for element
// t - c of its stream; a stationary operand is loaded row by row, the last row first
// (create_*_demand_mat of SCALE-Sim's systolic_compute_{os,ws,is}.py).
#pragma once

#include <algorithm>
#include <cstdint>

namespace ridge::accelerator {

/// Part of a matrix: `used` positions from `first`.
struct Slice {
  std::int64_t first = 0, used = 0;
};

/// The positions of fold `i` of `length` over an array of `size`.
inline Slice fold_slice(std::int64_t i, std::int64_t size, std::int64_t length) {
  return {i * size, std::min(size, length - i * size)};
}

/// visit(step, lane), lane within the slice.
template <typename Visit>
void skewed_stream(std::int64_t length, Slice lanes, Visit&& visit) {
  for (std::int64_t cycle = 0; cycle < length + lanes.used - 1; ++cycle) {
    const std::int64_t begin = std::max<std::int64_t>(0, cycle - length + 1);
    const std::int64_t end = std::min(lanes.used, cycle + 1);
    for (std::int64_t lane = begin; lane < end; ++lane) visit(cycle - lane, lanes.first + lane);
  }
}

/// visit(row, column).
template <typename Visit>
void loaded_block(Slice rows, Slice columns, Visit&& visit) {
  for (std::int64_t r = rows.first + rows.used - 1; r >= rows.first; --r)
    for (std::int64_t c = 0; c < columns.used; ++c) visit(r, columns.first + c);
}

}  // namespace ridge::accelerator
