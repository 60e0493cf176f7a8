// Generates the elements of seeded tensors in the tensor's type.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "onnx/weights.h"

namespace ridge::onnx {
namespace {

/// Converts to IEEE 754 binary16, rounding to nearest even.
std::uint16_t to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;   // NaN
  if (magnitude >= 0x477ff000) return sign | 0x7c00;  // rounds to above 65504
  if (magnitude < 0x38800000) {                       // below 2^-14: a multiple of 2^-24
    const float steps = std::bit_cast<float>(magnitude) * 0x1p24F;
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(steps)));
  }
  const std::uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return static_cast<std::uint16_t>(sign | (rounded - 0x38000000) >> 13);
}

std::uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

template <typename T>
T to_integer(float value) {
  // As doubles, the limits may be rounded up by one, hence >=.
  const double rounded = std::nearbyint(static_cast<double>(value));
  if (!(rounded > static_cast<double>(std::numeric_limits<T>::min())))
    return std::numeric_limits<T>::min();
  if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

template <typename T, typename Convert>
void fill_as(const SeededTensor& recipe, std::int64_t first, std::span<std::byte> out,
             Convert convert) {
  std::array<float, 1024> floats;
  const std::size_t elements = out.size() / sizeof(T);
  for (std::size_t at = 0; at < elements; at += floats.size()) {
    const std::span<float> part = std::span(floats).first(std::min(floats.size(), elements - at));
    fill(recipe, static_cast<std::uint64_t>(first) + at, part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const T value = convert(part[i]);
      std::memcpy(&out[(at + i) * sizeof(T)], &value, sizeof(T));
    }
  }
}

template <typename T>
void fill_integers(const SeededTensor& recipe, std::int64_t first, std::span<std::byte> out) {
  fill_as<T>(recipe, first, out, to_integer<T>);
}

}  // namespace

Result<void> generate(const SeededTensor& recipe, DataType type, std::int64_t first,
                      std::span<std::byte> out) {
  switch (type) {
    case DataType::kFloat:
      fill_as<float>(recipe, first, out, [](float v) { return v; });
      break;
    case DataType::kDouble:
      fill_as<double>(recipe, first, out, [](float v) { return static_cast<double>(v); });
      break;
    case DataType::kFloat16:
      fill_as<std::uint16_t>(recipe, first, out, to_float16);
      break;
    case DataType::kBfloat16:
      fill_as<std::uint16_t>(recipe, first, out, to_bfloat16);
      break;
    case DataType::kInt8:
      fill_integers<std::int8_t>(recipe, first, out);
      break;
    case DataType::kInt16:
      fill_integers<std::int16_t>(recipe, first, out);
      break;
    case DataType::kInt32:
      fill_integers<std::int32_t>(recipe, first, out);
      break;
    case DataType::kInt64:
      fill_integers<std::int64_t>(recipe, first, out);
      break;
    case DataType::kUint8:
      fill_integers<std::uint8_t>(recipe, first, out);
      break;
    case DataType::kUint16:
      fill_integers<std::uint16_t>(recipe, first, out);
      break;
    case DataType::kUint32:
      fill_integers<std::uint32_t>(recipe, first, out);
      break;
    case DataType::kUint64:
      fill_integers<std::uint64_t>(recipe, first, out);
      break;
    case DataType::kBool:
      fill_as<std::uint8_t>(recipe, first, out,
                            [&](float v) { return static_cast<std::uint8_t>(v > recipe.mean); });
      break;
    default:
      return input_error("RIDGE-ONNX-0314",
                         fmt::format("{} elements cannot be generated from a seed", name(type)));
  }
  return {};
}

}  // namespace ridge::onnx
