// SPDX-License-Identifier: Apache-2.0
#include "pipeline/size.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::pipeline {
namespace {

/// a * b / c, all positive and below 2^31.
std::int64_t scaled(std::int64_t a, std::int64_t b, std::int64_t c, SideRounding rounding) {
  const std::int64_t product = a * b;
  switch (rounding) {
    case SideRounding::kDown:
      return product / c;
    case SideRounding::kHalfUp:
      return (2 * product + c) / (2 * c);
    case SideRounding::kUp:
      break;
  }
  return ceil_div(product, c);
}

int offset(int whole, int part, CropRounding rounding) {
  const std::int64_t half = floor_div(whole - part, 2);
  const bool odd = (whole - part) % 2 != 0;
  const bool up = odd && rounding == CropRounding::kHalfEven && half % 2 != 0;
  return static_cast<int>(half) + (up ? 1 : 0);
}

}  // namespace

Result<Size> resized(Size from, const Target& target) {
  const std::int64_t width = from.width, height = from.height;
  const Size to = target.size;
  if (target.fit == Fit::kExact) {
    TRY(check_size(to.width, to.height));
    return to;
  }
  // The side that is met exactly: the short one, or the one that limits.
  bool width_is_met = width <= height;
  if (target.fit == Fit::kInside) width_is_met = width * to.height >= height * to.width;
  std::int64_t new_width = to.width, new_height = to.height;
  if (width_is_met)
    new_height = std::max<std::int64_t>(scaled(height, to.width, width, target.rounding), 1);
  else
    new_width = std::max<std::int64_t>(scaled(width, to.height, height, target.rounding), 1);
  TRY(check_size(new_width, new_height));
  return Size{static_cast<int>(new_width), static_cast<int>(new_height)};
}

Offset centered(Size whole, Size part, CropRounding rounding) {
  return {offset(whole.width, part.width, rounding), offset(whole.height, part.height, rounding)};
}

}  // namespace ridge::pipeline
