// SPDX-License-Identifier: Apache-2.0
// Classes ordered by their scores.
//
//   const auto best = top(scores, 5);           // best[0].index is the predicted class
//
// Tie rule: of equal scores the lower index is first, as numpy.argsort(-scores, kind="stable");
// -0 equals 0. NaN is below every number. Cost: O(n log k). Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ridge::pipeline {

struct Ranked {
  std::int64_t index = 0;
  float score = 0;

  bool operator==(const Ranked&) const = default;
};

/// The `most` highest scores, or all if there are fewer, highest first.
std::vector<Ranked> top(std::span<const float> scores, std::size_t most);

}  // namespace ridge::pipeline
