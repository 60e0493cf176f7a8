// 16-bit floats: IEEE 754 binary16 and bfloat16, to float32 exactly, and bfloat16 from float32
// rounded to nearest even.
//
//   float_of_float16(0x3c00) == 1;  float_of_bfloat16(0x3f80) == 1
//
// Not-a-numbers stay such. Pure.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ridge::onnx {

inline float float_of_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

inline std::uint16_t bfloat16_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float float_of_float16(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1fU, fraction = bits & 0x3ffU;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13);
  if (exponent > 0)  // the exponent of 1 is 15 there and 127 here
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
  return sign != 0 ? -magnitude : magnitude;
}

}  // namespace ridge::onnx
