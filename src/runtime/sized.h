// Structs of the C interface (runtime/abi.h) as either side may have been built: shorter or longer
// than we know them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ridge::runtime {

/// What was given, as far as its `size` reaches; what is missing is zero.
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

/// Row `i` of an array whose rows are `stride` bytes apart.
template <typename T>
T row(const T* rows, std::uint64_t stride, std::uint64_t i) {
  T copy{};
  std::memcpy(&copy, reinterpret_cast<const std::byte*>(rows) + i * stride,
              std::min<std::size_t>(stride, sizeof(T)));
  return copy;
}

}  // namespace ridge::runtime
