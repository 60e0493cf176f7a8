// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/doubles.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace ridge::runtime {
namespace {

using onnx::DataType;

/// Handles values out of range, for which the C++ conversion is undefined.
float float_of(double value) {
  constexpr double kBeyond = 0x1.ffffffp127;  // halfway between the largest float and 2^128
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (std::abs(value) >= kBeyond) return value > 0 ? kInfinity : -kInfinity;
  return static_cast<float>(value);
}

template <typename T, typename Convert>
void convert(std::span<const std::byte> doubles, std::span<std::byte> out, Convert to) {
  for (std::size_t i = 0; i < doubles.size() / sizeof(double); ++i) {
    double value = 0;
    std::memcpy(&value, &doubles[i * sizeof(double)], sizeof(double));
    const T narrow = to(value);
    std::memcpy(&out[i * sizeof(T)], &narrow, sizeof(T));
  }
}

}  // namespace

bool narrows(DataType from, DataType to) {
  return from == DataType::kDouble && (to == DataType::kFloat || to == DataType::kFloat16);
}

std::uint16_t float16_of(double value) {
  constexpr double kBeyond = 65520;  // halfway between the largest, 65504, and 2^16
  constexpr int kMin = -14;          // exponent of the smallest normal number
  const unsigned sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  if (magnitude >= kBeyond) return static_cast<std::uint16_t>(sign | 0x7c00);
  const int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), kMin) : kMin;
  // Magnitude in units of the last place: 1024 to 2047 for a normal number; its leading 1 adds one
  // to the exponent field, and so does a carry (2048).
  const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign |
                                    ((static_cast<unsigned>(exponent - kMin) << 10) + steps));
}

void narrow_doubles(std::span<const std::byte> doubles, DataType to, std::span<std::byte> out) {
  if (to == DataType::kFloat16)
    convert<std::uint16_t>(doubles, out, float16_of);
  else
    convert<float>(doubles, out, float_of);
}

}  // namespace ridge::runtime
