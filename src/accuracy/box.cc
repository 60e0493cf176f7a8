// SPDX-License-Identifier: Apache-2.0
#include "accuracy/box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy/fault.h"

namespace ridge::accuracy {
namespace {

constexpr const char* kAveragePrecision = "average precision";

Result<void> check_place(std::size_t images, std::size_t image, const Box& box,
                         std::string_view what, std::size_t index) {
  if (image >= images)
    return out_of_range(kAveragePrecision, fmt::format("image of {} {}", what, index),
                        static_cast<std::int64_t>(image), images);
  for (const double v : {box.x, box.y, box.width, box.height})
    if (!std::isfinite(v))
      return not_finite(kAveragePrecision, fmt::format("a coordinate of {} {}", what, index), v);
  return {};
}

}  // namespace

double overlap(const Box& first, const Box& second, Union by) {
  const double width =
      std::min(first.x + first.width, second.x + second.width) - std::max(first.x, second.x);
  const double height =
      std::min(first.y + first.height, second.y + second.height) - std::max(first.y, second.y);
  if (width <= 0 || height <= 0) return 0;
  const double shared = width * height, own = first.width * first.height;
  return shared / (by == Union::kFirst ? own : own + second.width * second.height - shared);
}

Result<void> check_boxes(std::size_t images, std::span<const TrueBox> truths,
                         std::span<const FoundBox> found) {
  for (std::size_t i = 0; i < truths.size(); ++i) {
    TRY(check_place(images, truths[i].image, truths[i].box, "true box", i));
    if (truths[i].area && !std::isfinite(*truths[i].area))
      return not_finite(kAveragePrecision, fmt::format("area of true box {}", i), *truths[i].area);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    TRY(check_place(images, found[i].image, found[i].box, "detection", i));
    if (!std::isfinite(found[i].score))
      return not_finite(kAveragePrecision, fmt::format("score of detection {}", i), found[i].score);
  }
  return {};
}

}  // namespace ridge::accuracy
