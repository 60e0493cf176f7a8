// SPDX-License-Identifier: Apache-2.0
// Resampling of a time series: correlated neighbors must be drawn together.
//
//   std::vector<std::size_t> picks;
//   draw_blocks(times.size(), block_length(times.size()), random, picks);
//
// Thread rule: pure. Cost: O(n).
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "stats/random.h"
#include "stats/samples.h"

namespace ridge::stats {

/// Returns the square root of n, rounded up, so that the number of blocks grows as fast as their
/// length. Longer than n^(1/3), the optimum for short memory (Hall, Horowitz and Jing 1995,
/// Biometrika 82:561), because disturbances by other programs last long.
inline std::size_t block_length(std::size_t n) {
  return static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
}

/// Fills `out` with n positions in blocks of `length` consecutive ones with random starts, wrapping
/// around at the end: the circular block bootstrap (Politis and Romano 1992, in Exploring the
/// Limits of Bootstrap, page 263).
inline void draw_blocks(std::size_t n, std::size_t length, Random& random,
                        std::vector<std::size_t>& out) {
  out.clear();
  while (out.size() < n) {
    const std::size_t start = random.below(n);
    for (std::size_t i = 0; i < length && out.size() < n; ++i) out.push_back((start + i) % n);
  }
}

/// Returns the 95 % interval around `point` from bootstrap `draws` of a series of `blocks` blocks
/// in all: the 2.5 % and 97.5 % quantiles of the draws, with their distances from the point
/// multiplied by the ratio of the quantiles of Student's (blocks - 1 degrees of freedom, at least
/// 4) and the normal distribution, because few blocks also estimate their scatter poorly. Without
/// draws it is the point.
Interval drawn_interval(double point, std::vector<double> draws, double blocks);

}  // namespace ridge::stats
