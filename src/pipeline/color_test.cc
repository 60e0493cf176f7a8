// SPDX-License-Identifier: Apache-2.0
#include "pipeline/color.h"

#include <gtest/gtest.h>

namespace ridge::pipeline {
namespace {

TEST(Color, OrdersChannels) {
  const Image pixels{2, 1, 3, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(recolored(pixels, Color::kBgr).data, (std::vector<std::uint8_t>{3, 2, 1, 6, 5, 4}));
  EXPECT_TRUE(recolored(pixels, Color::kRgb) == pixels);
  const Image gray{2, 1, 1, {7, 8}};
  EXPECT_EQ(recolored(gray, Color::kBgr).data, (std::vector<std::uint8_t>{7, 7, 7, 8, 8, 8}));
  EXPECT_TRUE(recolored(gray, Color::kGray) == gray);
}

// ITU-R BT.601: 0.299 r + 0.587 g + 0.114 b.
TEST(Color, GrayIsLuma) {
  for (int r = 0; r < 256; r += 15)
    for (int g = 0; g < 256; g += 17)
      for (int b = 0; b < 256; b += 51) {
        const Image pixel{1,
                          1,
                          3,
                          {static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                           static_cast<std::uint8_t>(b)}};
        EXPECT_NEAR(recolored(pixel, Color::kGray).data[0], 0.299 * r + 0.587 * g + 0.114 * b,
                    0.51);
      }
}

TEST(Color, ReversesFloatsToo) {
  FloatImage image{1, 1, 3, {0.1F, 0.2F, 0.3F}};
  reverse_channels(image);
  EXPECT_EQ(image.data, (std::vector<float>{0.3F, 0.2F, 0.1F}));
}

}  // namespace
}  // namespace ridge::pipeline
