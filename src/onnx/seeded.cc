// SPDX-License-Identifier: Apache-2.0
// Generates the elements of seeded tensors in the tensor's type.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "onnx/half.h"
#include "onnx/weights.h"

namespace ridge::onnx {
namespace {

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
      fill_as<std::uint16_t>(recipe, first, out, float16_of);
      break;
    case DataType::kBfloat16:
      fill_as<std::uint16_t>(recipe, first, out, bfloat16_of);
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
