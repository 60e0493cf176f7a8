// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/argmax.h"

#include <cstring>

namespace ridge::runtime {
namespace {

/// `ordered(x)`: a number by which elements compare; nullopt: not a number.
template <typename T, typename Ordered>
std::optional<std::int64_t> largest(std::span<const std::byte> row, Ordered ordered) {
  const std::size_t count = row.size() / sizeof(T);
  if (count == 0) return std::nullopt;
  std::int64_t at = 0;
  bool any = false;
  decltype(*ordered(T{})) most{};
  for (std::size_t i = 0; i < count; ++i) {
    T element{};
    std::memcpy(&element, row.data() + i * sizeof(T), sizeof(T));
    const auto value = ordered(element);
    if (!value || (any && *value <= most)) continue;
    any = true;
    most = *value;
    at = static_cast<std::int64_t>(i);
  }
  return at;
}

/// The bits of a 16-bit float as an integer of the same order: sign and magnitude.
template <std::uint16_t kInfinity>
std::optional<std::int32_t> ordered_bits(std::uint16_t bits) {
  const std::int32_t magnitude = bits & 0x7fff;
  if (magnitude > kInfinity) return std::nullopt;
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename T>
std::optional<T> number(T x) {
  return x == x ? std::optional(x) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> argmax(std::span<const std::byte> row, onnx::DataType type) {
  switch (type) {
    case onnx::DataType::kFloat:
      return largest<float>(row, number<float>);
    case onnx::DataType::kDouble:
      return largest<double>(row, number<double>);
    case onnx::DataType::kFloat16:
      return largest<std::uint16_t>(row, ordered_bits<0x7c00>);
    case onnx::DataType::kBfloat16:
      return largest<std::uint16_t>(row, ordered_bits<0x7f80>);
    default:
      return std::nullopt;
  }
}

}  // namespace ridge::runtime
