// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the values of images: casts, and sums, products and quotients per channel.
//
//   FloatImage values = as_float(image);
//   normalize(values, {.divisor = 255, .mean = {0.485, 0.456, 0.406}, .std = {0.23, 0.22, 0.23}});
//
// Normalize: (value / divisor - mean) / std. Compute: value op operand. One operand serves all
// channels, else there is one per channel. Where results are rounded is part of the step:
//
//   kFloat    operands rounded to float, each operation in float (torchvision's ToTensor and
//             Normalize; numpy with numbers of Python or float32 arrays)
//   kDouble   operations in double, the result of the whole step rounded to float (numpy with
//             float64 arrays: `image -= np.array([123.68, 116.78, 103.94])`)
//
// as_float() is exact. as_bytes() drops fractions (numpy's astype("uint8")) and clamps to 0..255,
// where numpy's result is undefined; NaN becomes 0.
//
// Errors (input class): operands that are neither one nor one per channel RIDGE-PIPE-0009; a
// divisor or standard deviation of 0 RIDGE-PIPE-0010. compute() and normalize() change the image in
// place.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

enum class Arithmetic : std::uint8_t { kFloat, kDouble };
enum class Operation : std::uint8_t { kAdd, kSubtract, kMultiply, kDivide };

struct Compute {
  Operation operation = Operation::kDivide;
  std::vector<double> operands;
  Arithmetic arithmetic = Arithmetic::kFloat;

  bool operator==(const Compute&) const = default;
};

struct Normalize {
  double divisor = 1;
  std::vector<double> mean{0}, std{1};
  Arithmetic arithmetic = Arithmetic::kFloat;

  bool operator==(const Normalize&) const = default;
};

FloatImage as_float(const Image& image);
Image as_bytes(const FloatImage& image);

Result<void> check_compute(const Compute& step, int channels);
Result<void> check_normalize(const Normalize& step, int channels);

Result<void> compute(FloatImage& image, const Compute& step);
Result<void> normalize(FloatImage& image, const Normalize& step);

}  // namespace ridge::pipeline
