// SPDX-License-Identifier: Apache-2.0
// 128-bit content digest, identical on every machine and in every version, so files may use it as a
// key.
//
//   Digest digest;
//   digest.add(name);
//   digest.add_int(count);
//   const std::string key = digest.hex();
//
// Two independent multiply-and-rotate streams over 64-bit words (the mixing step of xxHash64,
// Collet 2014). Not cryptographic: it does not resist deliberately constructed collisions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridge {

class Digest {
 public:
  void add(std::uint64_t word) {
    for (std::size_t k = 0; k < state_.size(); ++k)
      state_[k] = std::rotl(state_[k] ^ (word * kFactor[k]), 31) * kFactor[1 - k] + kOffset[k];
  }
  /// Adds the length, then the bytes.
  void add(std::string_view text);
  void add_int(std::int64_t v) { add(static_cast<std::uint64_t>(v)); }
  /// Returns 32 hexadecimal digits. Nothing may be added afterwards.
  std::string hex();

 private:
  static constexpr std::array<std::uint64_t, 2> kFactor{0x9e3779b185ebca87ULL,
                                                        0xc2b2ae3d27d4eb4fULL};
  static constexpr std::array<std::uint64_t, 2> kOffset{0x165667b19e3779f9ULL,
                                                        0x85ebca77c2b2ae63ULL};
  std::array<std::uint64_t, 2> state_{0x27d4eb2f165667c5ULL, 0x9fb21c651e98df25ULL};
};

}  // namespace ridge
