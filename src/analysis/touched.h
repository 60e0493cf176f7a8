// Which elements of a tensor an operator touches, and how many cache lines these take at least.
//
//   // every 16th column of [1, 1, 4, 64] float32: 16 elements
//   const Touch t = touch(DataType::kFloat, {{1}, {1}, {4}, {64, progression(0, 16, 4)}}, 1);
//   // t.bytes == 64, t.line_bytes == 1024: stride 16 of 4 bytes is one element in every line
//
// The elements are a product of sets, one set of positions per axis. Lines have 64 bytes and depend
// on where the elements lie, which is up to the runtime: the count is the least of the layouts that
// runtimes keep tensors in, channels first, channels last, and channels in blocks of 8 or 16, at
// any alignment. So both figures are lower bounds for any of these.
// Cost: O(runs) per layout, or some ten thousand steps. Thread rule: pure. Errors: none; sizes must
// multiply to a number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "onnx/data_type.h"

namespace ridge::analysis {

inline constexpr std::int64_t kLineBytes = 64;

/// Neighboring positions [first, first + length).
struct Run {
  std::int64_t first = 0, length = 0;
  bool operator==(const Run&) const = default;
};
/// Ascending, disjoint, none empty.
using Runs = std::vector<Run>;

std::int64_t count(const Runs& runs);
/// Positions in any order and number as runs.
Runs runs_of(std::vector<std::int64_t> positions);
/// first, first + step, ...; step > 0. Past a million positions only the first million: what is
/// computed from them stays a lower bound.
Runs progression(std::int64_t first, std::int64_t step, std::int64_t positions);
inline constexpr std::int64_t kMostPositions = std::int64_t{1} << 20;

struct TouchedAxis {
  std::int64_t size = 0;
  std::optional<Runs> runs = std::nullopt;  ///< all of it where not given

  std::int64_t touched() const { return runs ? count(*runs) : size; }
  bool whole() const { return touched() == size; }
};

struct Touch {
  std::int64_t bytes = 0;       ///< of the elements
  std::int64_t line_bytes = 0;  ///< of the lines they lie in, at most the tensor

  Touch operator+(const Touch& other) const {
    return {bytes + other.bytes, line_bytes + other.line_bytes};
  }
};

/// Both figures of a tensor of `bytes` that is touched as a whole.
inline Touch all_of(std::int64_t bytes) { return {bytes, bytes}; }

/// `channels`: the axis that layouts move. nullopt where the tensor has no known size in bytes.
std::optional<Touch> touch(onnx::DataType type, std::span<const TouchedAxis> axes,
                           std::size_t channels);

}  // namespace ridge::analysis
