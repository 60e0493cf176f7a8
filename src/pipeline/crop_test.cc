// SPDX-License-Identifier: Apache-2.0
#include "pipeline/crop.h"

#include <gtest/gtest.h>

namespace ridge::pipeline {
namespace {

const Image kCroppedImage{4,
                          3,
                          1,
                          {1, 2, 3, 4,  //
                           5, 6, 7, 8,  //
                           9, 10, 11, 12}};

TEST(Crop, TakesTheMiddleOrTheCorner) {
  const auto corner = cropped(kCroppedImage, {{2, 2}, Anchor::kTopLeft});
  ASSERT_TRUE(corner.ok());
  EXPECT_EQ(corner->data, (std::vector<std::uint8_t>{1, 2, 5, 6}));
  const auto middle = cropped(kCroppedImage, {{2, 1}});
  ASSERT_TRUE(middle.ok());
  EXPECT_EQ(middle->data, (std::vector<std::uint8_t>{6, 7}));
  const auto whole = cropped(kCroppedImage, {{4, 3}});
  ASSERT_TRUE(whole.ok());
  EXPECT_TRUE(*whole == kCroppedImage);
}

TEST(Crop, IsNoLargerThanTheImage) {
  const auto wide = cropped(kCroppedImage, {{5, 3}});
  ASSERT_FALSE(wide.ok());
  EXPECT_EQ(wide.error().text(),
            "error: a part of 5 x 3 pixels in an image of 4 x 3\n"
            "  hint: resize to at least that size before, or pad\n"
            "  [RIDGE-PIPE-0007]\n");
}

TEST(Pad, PutsTheImageInTheMiddleOrTheCorner) {
  const Image pixel{1, 1, 2, {3, 4}};
  const auto middle = padded(pixel, {.size = {2, 3}, .value = 9});
  ASSERT_TRUE(middle.ok());
  EXPECT_EQ(middle->data, (std::vector<std::uint8_t>{9, 9, 9, 9, 3, 4, 9, 9, 9, 9, 9, 9}));
  const auto corner = padded(FloatImage{1, 1, 1, {0.5F}},
                             {.size = {2, 1}, .anchor = Anchor::kTopLeft, .value = 114});
  ASSERT_TRUE(corner.ok());
  EXPECT_EQ(corner->data, (std::vector<float>{0.5F, 114}));
}

TEST(Pad, IsNoSmallerThanTheImage) {
  const auto narrow = padded(kCroppedImage, {.size = {3, 3}});
  ASSERT_FALSE(narrow.ok());
  EXPECT_EQ(narrow.error().text(),
            "error: padding to 3 x 3 pixels, the image has 4 x 3\n"
            "  hint: resize with 'inside' before, to fit the image into that size\n"
            "  [RIDGE-PIPE-0008]\n");
}

}  // namespace
}  // namespace ridge::pipeline
