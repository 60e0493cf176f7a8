// SPDX-License-Identifier: Apache-2.0
#include "advice/outputs/input_kinds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "onnx/half.h"

namespace ridge::advice {
namespace {

constexpr std::size_t kEvery = 7;
constexpr double kLargest = 1e20, kLargestFloat16 = 65504;

/// The element at `i` of an input of `count` elements, which was `seeded`.
double element(InputKind kind, std::size_t i, std::size_t count, double seeded, double largest) {
  // The first one of a small input, so that each has one.
  const bool chosen = count < kEvery ? i == 0 : i % kEvery == kEvery / 2;
  const double sign = i / kEvery % 2 == 0 ? 1 : -1;
  switch (kind) {
    case InputKind::kSeeded:
      return seeded;
    case InputKind::kZeros:
      return 0;
    case InputKind::kTiny:
      return seeded * 1e-30;
    case InputKind::kHundreds:
      return seeded * 100;
    case InputKind::kLarge:
      return chosen ? sign * std::min(kLargest, largest) : seeded;
    case InputKind::kNan:
      return chosen ? std::numeric_limits<double>::quiet_NaN() : seeded;
    case InputKind::kInfinity:
      return chosen ? sign * std::numeric_limits<double>::infinity() : seeded;
  }
  return seeded;
}

/// Replaces the elements of a tensor, stored as T.
template <typename T, typename Read, typename Write>
void replace(InputKind kind, std::span<std::byte> bytes, double largest, Read read, Write write) {
  const std::size_t count = bytes.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    T stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(T), sizeof(T));
    stored = write(element(kind, i, count, read(stored), largest));
    std::memcpy(bytes.data() + i * sizeof(T), &stored, sizeof(T));
  }
}

bool set_tensor(InputKind kind, onnx::DataType type, std::span<std::byte> bytes) {
  switch (type) {
    case onnx::DataType::kFloat:
      replace<float>(
          kind, bytes, kLargest, [](float x) { return x; },
          [](double x) { return static_cast<float>(x); });
      return true;
    case onnx::DataType::kDouble:
      replace<double>(
          kind, bytes, kLargest, [](double x) { return x; }, [](double x) { return x; });
      return true;
    case onnx::DataType::kFloat16:
      replace<std::uint16_t>(kind, bytes, kLargestFloat16, onnx::float_of_float16,
                             [](double x) { return onnx::float16_of(static_cast<float>(x)); });
      return true;
    case onnx::DataType::kBfloat16:
      replace<std::uint16_t>(kind, bytes, kLargest, onnx::float_of_bfloat16,
                             [](double x) { return onnx::bfloat16_of(static_cast<float>(x)); });
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string_view name(InputKind kind) {
  constexpr std::array<std::string_view, 7> kNames = {
      "seeded", "zeros", "times 1e-30", "times 100", "some of 1e20", "some NaN", "some infinite"};
  return kNames.at(static_cast<std::size_t>(kind));
}

bool set_elements(InputKind kind, runtime::Inputs& inputs) {
  bool any = false;
  for (const runtime::InputTensor& t : inputs.tensors)
    if (t.kind == RIDGE_TENSOR)
      any |= set_tensor(kind, t.type,
                        inputs.memory.bytes().subspan(static_cast<std::size_t>(t.offset),
                                                      static_cast<std::size_t>(t.bytes)));
  return any;
}

}  // namespace ridge::advice
