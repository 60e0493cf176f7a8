// SPDX-License-Identifier: Apache-2.0
// Elements of a tensor that an operator accesses, and a lower bound on the cache lines that they
// occupy.
//
//   // every 16th column of [1, 1, 4, 64] float32: 16 elements
//   const Touch t = touch(DataType::kFloat, {{1}, {1}, {4}, {64, progression(0, 16, 4)}}, 1);
//   // t.bytes == 64, t.line_bytes == 1024: stride 16 of 4 bytes is one element in every line
//
// The elements are a Cartesian product of position sets, one per axis. Lines have 64 bytes. Their
// number depends on the memory layout, which the runtime chooses: the result is the minimum over
// the usual layouts (channels first, channels last, channels in blocks of 8 or 16) at any
// alignment. So both results are lower bounds for all of these.
// Cost: O(runs) per layout, or some ten thousand steps. Thread safety: pure. Errors: none; nullopt
// if the sizes overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "onnx/data_type.h"

namespace ridge::analysis {

inline constexpr std::int64_t kLineBytes = 64;

/// Contiguous positions [first, first + length).
struct Run {
  std::int64_t first = 0, length = 0;
  bool operator==(const Run&) const = default;
};
/// Runs in ascending order, disjoint, none empty.
using Runs = std::vector<Run>;

std::int64_t count(const Runs& runs);
/// Converts positions in any order, possibly repeated, to runs.
Runs runs_of(std::vector<std::int64_t> positions);
/// Positions first, first + step, ...; step > 0. Limited to the first million for steps above 1, so
/// that results stay lower bounds.
Runs progression(std::int64_t first, std::int64_t step, std::int64_t positions);
inline constexpr std::int64_t kMaxPositions = std::int64_t{1} << 20;

struct TouchedAxis {
  std::int64_t size = 0;
  std::optional<Runs> runs = std::nullopt;  ///< the whole axis if absent

  std::int64_t touched() const { return runs ? count(*runs) : size; }
  bool whole() const { return touched() == size; }
};

struct Touch {
  std::int64_t bytes = 0;       ///< bytes of the elements
  std::int64_t line_bytes = 0;  ///< bytes of the lines that contain them, at most the tensor

  Touch operator+(const Touch& other) const {
    return {bytes + other.bytes, line_bytes + other.line_bytes};
  }
};

/// Result for a tensor of `bytes` that is accessed entirely.
inline Touch all_of(std::int64_t bytes) { return {bytes, bytes}; }

/// `channels`: the axis that the layouts move. nullopt if the tensor has no known size in bytes.
std::optional<Touch> touch(onnx::DataType type, std::span<const TouchedAxis> axes,
                           std::size_t channels);

}  // namespace ridge::analysis
