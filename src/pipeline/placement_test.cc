// SPDX-License-Identifier: Apache-2.0
// Oracle: an image with one bright rectangle goes through the steps; the rectangle that is found in
// the result, moved back, is where it was.
#include "pipeline/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/pipeline.h"
#include "pipeline/step_text.h"

namespace ridge::pipeline {
namespace {

constexpr Size kPlacedImage{200, 120};
constexpr int kLeft = 60, kTop = 30, kRight = 140, kBottom = 90;

Image bright_rectangle() {
  Image image{kPlacedImage.width, kPlacedImage.height, 1, {}};
  for (int y = 0; y < kPlacedImage.height; ++y)
    for (int x = 0; x < kPlacedImage.width; ++x)
      image.data.push_back(x >= kLeft && x < kRight && y >= kTop && y < kBottom ? 255 : 0);
  return image;
}

/// Edges of what is brighter than half.
Box bright_part(const Tensor& tensor, Size size) {
  const auto& values = std::get<std::vector<std::uint8_t>>(tensor.elements);
  Box box{1e9F, 1e9F, 0, 0};
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      if (values[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
                 static_cast<std::size_t>(x)] > 127) {
        box.left = std::min(box.left, static_cast<float>(x));
        box.top = std::min(box.top, static_cast<float>(y));
        box.right = std::max(box.right, static_cast<float>(x + 1));
        box.bottom = std::max(box.bottom, static_cast<float>(y + 1));
      }
  return box;
}

TEST(Placement, UndoesResizingCroppingAndPadding) {
  for (const char* text :
       {"crop(120)", "resize(100x90, nearest, pillow)", "resize(80, short, nearest, pillow)",
        "resize(160, inside, nearest, pillow) pad(160)", "pad(220, top_left)", "pad(220)",
        "resize(96, short, nearest, pillow) crop(96)",
        "pad(240) resize(150x90, nearest, pillow) crop(88, top_left)"}) {
    const auto steps = parse_steps(text).value();
    const Placement p = placement_of(steps, kPlacedImage).value();
    const Tensor result = preprocess(bright_rectangle(), steps).value();
    const Box found = p.undone(bright_part(result, p.input));
    // Within a pixel of the result.
    EXPECT_NEAR(found.left, kLeft, 1 / p.scale_x) << text;
    EXPECT_NEAR(found.top, kTop, 1 / p.scale_y) << text;
    if (std::string_view(text).find("top_left)") == std::string_view::npos) {
      EXPECT_NEAR(found.right, kRight, 1 / p.scale_x) << text;
      EXPECT_NEAR(found.bottom, kBottom, 1 / p.scale_y) << text;
    }
  }
}

TEST(Placement, OfAPartThatIsTooLargeIsRefused) {
  EXPECT_EQ(placement_of(parse_steps("crop(500)").value(), kPlacedImage).error().code(),
            "RIDGE-PIPE-0007");
}

}  // namespace
}  // namespace ridge::pipeline
