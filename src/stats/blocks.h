// Resampling a series in time: neighbours that resemble each other must be drawn together.
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

/// The square root of n, so that the number of blocks grows as their length does. Longer than the
/// n^(1/3) that is best for short memory (Hall, Horowitz and Jing 1995, Biometrika 82:561), because
/// what other programs do to a machine lasts long.
inline std::size_t block_length(std::size_t n) {
  return static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
}

/// Replaces `out` by n positions in blocks of consecutive ones, each block from anywhere, the
/// series closed to a ring: the circular block bootstrap (Politis and Romano 1992, in Exploring the
/// Limits of Bootstrap, page 263).
inline void draw_blocks(std::size_t n, std::size_t length, Random& random,
                        std::vector<std::size_t>& out) {
  out.clear();
  while (out.size() < n) {
    const std::size_t start = random.below(n);
    for (std::size_t i = 0; i < length && out.size() < n; ++i) out.push_back((start + i) % n);
  }
}

/// The 95 % interval around `point` that `draws` from so many blocks in all allow: their 2.5 % and
/// 97.5 % quantiles, as far from the point as Student's distribution is wider than the normal one
/// with as many degrees less one, because few blocks also tell little of how they scatter. Without
/// draws it is the point.
Interval drawn_interval(double point, std::vector<double> draws, double blocks);

}  // namespace ridge::stats
