// SPDX-License-Identifier: Apache-2.0
#include "pipeline/normalize.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridge::pipeline {
namespace {

constexpr int kMaxChannels = 4;

template <typename T>
using PerChannel = std::array<T, kMaxChannels>;

template <typename T>
PerChannel<T> per_channel(const std::vector<double>& operands) {
  PerChannel<T> out{};
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] = static_cast<T>(operands[operands.size() == 1 ? 0 : std::min(c, operands.size() - 1)]);
  return out;
}

Result<void> check_count(const std::vector<double>& operands, int channels, std::string_view what) {
  if (operands.size() == 1 || operands.size() == static_cast<std::size_t>(channels)) return {};
  return input_error("RIDGE-PIPE-0009", fmt::format("{} values of {} for {} channels",
                                                    operands.size(), what, channels))
      .hint("give one value, or one for each channel");
}

Error division_by_zero(std::string_view what) {
  return input_error("RIDGE-PIPE-0010", fmt::format("{} is 0, values are divided by it", what));
}

bool has_zero(const std::vector<double>& operands) {
  return std::find(operands.begin(), operands.end(), 0.0) != operands.end();
}

/// Calls `change(value, channel)` for every value.
template <typename Change>
void for_each_value(FloatImage& image, Change change) {
  const auto channels = static_cast<std::size_t>(image.channels);
  for (std::size_t i = 0; i + channels <= image.data.size(); i += channels)
    for (std::size_t c = 0; c < channels; ++c) image.data[i + c] = change(image.data[i + c], c);
}

template <typename T>
void compute_as(FloatImage& image, const Compute& step) {
  const PerChannel<T> operands = per_channel<T>(step.operands);
  switch (step.operation) {
    case Operation::kAdd:
      return for_each_value(
          image, [&](T v, std::size_t c) { return static_cast<float>(v + operands[c]); });
    case Operation::kSubtract:
      return for_each_value(
          image, [&](T v, std::size_t c) { return static_cast<float>(v - operands[c]); });
    case Operation::kMultiply:
      return for_each_value(
          image, [&](T v, std::size_t c) { return static_cast<float>(v * operands[c]); });
    case Operation::kDivide:
      return for_each_value(
          image, [&](T v, std::size_t c) { return static_cast<float>(v / operands[c]); });
  }
}

template <typename T>
void normalize_as(FloatImage& image, const Normalize& step) {
  const PerChannel<T> mean = per_channel<T>(step.mean), deviation = per_channel<T>(step.std);
  const T divisor = static_cast<T>(step.divisor);
  for_each_value(image, [&](T v, std::size_t c) {
    return static_cast<float>((v / divisor - mean[c]) / deviation[c]);
  });
}

}  // namespace

FloatImage as_float(const Image& image) {
  return {image.width, image.height, image.channels, {image.data.begin(), image.data.end()}};
}

Image as_bytes(const FloatImage& image) {
  Image out{image.width, image.height, image.channels, {}};
  out.data.resize(image.data.size());
  std::transform(image.data.begin(), image.data.end(), out.data.begin(), [](float value) {
    return value > 0 ? static_cast<std::uint8_t>(std::min(value, 255.F)) : std::uint8_t{0};
  });
  return out;
}

Result<void> check_compute(const Compute& step, int channels) {
  if (step.operation == Operation::kDivide && has_zero(step.operands))
    return division_by_zero("the divisor");
  return check_count(step.operands, channels, "the operand");
}

Result<void> check_normalize(const Normalize& step, int channels) {
  if (step.divisor == 0) return division_by_zero("the divisor");
  if (has_zero(step.std)) return division_by_zero("the standard deviation");
  TRY(check_count(step.mean, channels, "the mean"));
  return check_count(step.std, channels, "the standard deviation");
}

Result<void> compute(FloatImage& image, const Compute& step) {
  TRY(check_compute(step, image.channels));
  if (step.arithmetic == Arithmetic::kFloat)
    compute_as<float>(image, step);
  else
    compute_as<double>(image, step);
  return {};
}

Result<void> normalize(FloatImage& image, const Normalize& step) {
  TRY(check_normalize(step, image.channels));
  if (step.arithmetic == Arithmetic::kFloat)
    normalize_as<float>(image, step);
  else
    normalize_as<double>(image, step);
  return {};
}

}  // namespace ridge::pipeline
