// SPDX-License-Identifier: Apache-2.0
#include "pipeline/image.h"

#include <fmt/format.h>

namespace ridge::pipeline {

Result<void> check_size(std::int64_t width, std::int64_t height) {
  const bool sides = width >= 1 && height >= 1 && width <= kLongestSide && height <= kLongestSide;
  if (sides && width * height <= kMaxPixels) return {};
  return input_error("RIDGE-PIPE-0001", fmt::format("an image of {} x {} pixels", width, height))
      .evidence(fmt::format("sides of 1 to {} and {} pixels in all are possible", kLongestSide,
                            kMaxPixels))
      .hint("make the image smaller with an image editor");
}

std::size_t Tensor::count() const {
  return std::visit([](const auto& values) { return values.size(); }, elements);
}

}  // namespace ridge::pipeline
