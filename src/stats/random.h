// SPDX-License-Identifier: Apache-2.0
// Seeded random numbers, identical on every machine: resampling must give the same interval for the
// same samples. Not cryptographic. Thread rule: one generator per thread. Cost: a few cycles per
// number, 8 bytes of state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ridge::stats {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014, figure 17).
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, n), n < 2^32. The multiply-shift of Lemire (2019) without rejection: its bias
  /// is below n / 2^32.
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }

  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

/// Draws an order: every permutation is equally likely (Fisher and Yates 1938).
template <typename T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[random.below(i + 1)]);
}

}  // namespace ridge::stats
