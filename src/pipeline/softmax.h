// SPDX-License-Identifier: Apache-2.0
// Scores of a classifier as probabilities.
//
//   softmax(output, {.outer = 8, .count = 1000, .inner = 1});   // a batch of 8
//
// exp(x - max) / sum, computed in double and rounded to float. The subtraction keeps exp() from
// overflowing and changes nothing else. A line that has NaN or +infinity becomes NaN. In place.
#pragma once

#include <cstddef>
#include <span>

namespace ridge::pipeline {

/// Axis of a tensor in row-major order: element i of line (o, n) is at (o * count + i) * inner + n.
struct Axis {
  std::size_t outer = 1, count = 0, inner = 1;
};

/// `values` has outer x count x inner elements.
void softmax(std::span<float> values, const Axis& axis);

}  // namespace ridge::pipeline
