// SPDX-License-Identifier: Apache-2.0
// Structs of the C interface (runtime/abi.h) from a side built with another version: they may be
// shorter or longer than ours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ridge::runtime {

/// Copies a given struct as far as its `size` reaches; missing fields are zero.
template <typename T>
T received(const T& given) {
  T copy{};
  std::memcpy(&copy, &given, std::min<std::size_t>(given.size, sizeof(T)));
  copy.size = sizeof(T);
  return copy;
}

/// Fills a caller's struct as far as its `size` reaches.
template <typename T>
void give(const T& ours, T* out) {
  const auto size = out->size;
  std::memcpy(out, &ours, std::min<std::size_t>(size, sizeof(T)));
  out->size = size;
}

/// Returns row `i` of an array whose rows are `stride` bytes apart.
template <typename T>
T row(const T* rows, std::uint64_t stride, std::uint64_t i) {
  T copy{};
  std::memcpy(&copy, reinterpret_cast<const std::byte*>(rows) + i * stride,
              std::min<std::size_t>(stride, sizeof(T)));
  return copy;
}

}  // namespace ridge::runtime
