// SPDX-License-Identifier: Apache-2.0
#include "accuracy/image_view.h"

#include <fmt/format.h>

#include "accuracy/fault.h"
#include "base/checked.h"

namespace ridge::accuracy {
namespace {

Result<void> check_image(std::string_view metric, const ImageView& image) {
  const auto pixels = checked_mul<std::size_t>(image.width, image.height);
  const auto values = pixels ? checked_mul<std::size_t>(*pixels, image.channels) : std::nullopt;
  if (!values || *values != image.values.size())
    return sizes_differ(metric, image.values.size(), "values", image.width,
                        fmt::format("x {} pixels of {} channels", image.height, image.channels));
  return {};
}

}  // namespace

Result<void> check_images(std::string_view metric, const ImageView& reference,
                          const ImageView& found) {
  TRY(check_image(metric, reference));
  TRY(check_image(metric, found));
  if (reference.width != found.width || reference.height != found.height ||
      reference.channels != found.channels)
    return sizes_differ(
        metric, reference.width,
        fmt::format("x {} pixels of {} channels", reference.height, reference.channels),
        found.width, fmt::format("x {} of {}", found.height, found.channels));
  return {};
}

}  // namespace ridge::accuracy
