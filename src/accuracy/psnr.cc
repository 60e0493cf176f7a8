// SPDX-License-Identifier: Apache-2.0
#include "accuracy/psnr.h"

#include <fmt/format.h>

#include <cmath>

#include "accuracy/fault.h"

namespace ridge::accuracy {
namespace {

constexpr const char* kPsnr = "PSNR";

}  // namespace

Result<double> psnr(const ImageView& reference, const ImageView& found, double peak) {
  TRY(check_images(kPsnr, reference, found));
  if (reference.values.empty()) return bad_parameter(kPsnr, "an image without pixels", "");
  if (!std::isfinite(peak) || peak <= 0)
    return bad_parameter(kPsnr, fmt::format("a peak of {}", peak),
                         "the largest value that a pixel can have: 255 or 1");
  double squares = 0;
  for (std::size_t i = 0; i < reference.values.size(); ++i) {
    const double difference = double{found.values[i]} - double{reference.values[i]};
    squares += difference * difference;
  }
  const double mse = squares / static_cast<double>(reference.values.size());
  return 10 * std::log10(peak * peak / mse);
}

}  // namespace ridge::accuracy
