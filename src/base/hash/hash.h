// SPDX-License-Identifier: Apache-2.0
// Fast hash of names for in-process tables; not stable across versions.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace ridge {
namespace detail {

/// Returns the last `left` (1 to 7) of `size` bytes, starting at `at`, as one little-endian number,
/// using overlapping loads of fixed size.
inline std::uint64_t last_bytes(const char* at, std::size_t left, std::size_t size) {
  const auto load = [](const char* from, auto word) {
    std::memcpy(&word, from, sizeof word);
    return static_cast<std::uint64_t>(word);
  };
  const std::size_t bits = 8 * left;
  if (size >= 8) return load(at + left - 8, std::uint64_t{}) >> (64 - bits);
  if (left >= 4)
    return load(at, std::uint32_t{}) | load(at + left - 4, std::uint32_t{}) << (bits - 32);
  const std::size_t middle = left / 2;
  return load(at, std::uint8_t{}) | load(at + middle, std::uint8_t{}) << (8 * middle) |
         load(at + left - 1, std::uint8_t{}) << (bits - 8);
}

}  // namespace detail

/// Hash by folded 64x64->128 bit multiplication, eight bytes at a time (the scheme of wyhash, Wang
/// Yi 2019).
inline std::uint64_t hash_name(std::string_view name, std::uint64_t seed) {
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  std::uint64_t h = seed ^ (name.size() * kOdd);
  const char* at = name.data();
  std::size_t left = name.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    h = fold(h ^ word, kOdd);
  }
  if (left > 0) h = fold(h ^ detail::last_bytes(at, left, name.size()), kOdd);
  return fold(h ^ (h >> 29), 0xbf58476d1ce4e5b9ULL);
}

}  // namespace ridge
