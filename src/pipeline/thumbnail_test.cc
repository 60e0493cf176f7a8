// SPDX-License-Identifier: Apache-2.0
#include "pipeline/thumbnail.h"

#include <gtest/gtest.h>

#include "pipeline/png.h"

namespace ridge::pipeline {
namespace {

TEST(Thumbnail, ReadsBothOrdersOfTheAxes) {
  // 4 x 4 pixels; the first of three channels is bright in the first row.
  std::vector<float> planes(48, 0), pixels(48, 0);
  for (std::size_t x = 0; x < 4; ++x) planes[x] = 2, pixels[3 * x] = 2;
  const auto nchw = thumbnail(planes, {1, 3, 4, 4}, 96), nhwc = thumbnail(pixels, {4, 4, 3}, 96);
  ASSERT_TRUE(nchw && nhwc);
  EXPECT_EQ(*nchw, *nhwc);
  EXPECT_EQ(nchw->data[0], 255);
  EXPECT_EQ(nchw->data[1], 0);
  EXPECT_EQ(nchw->data[12], 0);
}

TEST(Thumbnail, SpreadsNormalizedValuesOverAllGrays) {
  std::vector<float> values(16, -1.5F);
  values[5] = 0.5F;
  values[6] = -0.5F;
  const auto picture = thumbnail(values, {4, 4}, 96);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->data[0], 0);
  EXPECT_EQ(picture->data[5], 255);
  EXPECT_EQ(picture->data[6], 128);
}

TEST(Thumbnail, ShrinksToMeansWithTheLastOnesOfFewerPixels) {
  std::vector<std::uint8_t> values(5 * 5, 0);
  values[0] = 200;  // the first of four pixels that become one
  values[24] = 100;
  const auto picture = thumbnail(values, {5, 5}, 3);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->size(), (Size{3, 3}));
  EXPECT_EQ(picture->data[0], 64);  // 50 of 200, of 255
  EXPECT_EQ(picture->data[8], 128);
}

TEST(Thumbnail, IsNoneOfATensorThatIsNoPicture) {
  EXPECT_FALSE(thumbnail(std::vector<float>(64), {1, 64}, 96));
  EXPECT_FALSE(thumbnail(std::vector<float>(5 * 16), {5, 4, 4}, 96));
  EXPECT_FALSE(thumbnail(std::vector<float>(8), {4, 4}, 96));
  std::vector<float> values(16, 0);
  values[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(thumbnail(values, {4, 4}, 96));
}

TEST(Thumbnail, IsReadBackFromItsFile) {
  const Image image{2, 2, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
  const Result<std::string> file = encode_png(image);
  ASSERT_TRUE(file.ok());
  const Result<Photo> read = decode_png(std::as_bytes(std::span(file->data(), file->size())));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->image, image);
}

}  // namespace
}  // namespace ridge::pipeline
