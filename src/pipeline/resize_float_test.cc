// SPDX-License-Identifier: Apache-2.0
#include "pipeline/resize_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

TEST(ResizeFloatSlow, IsWithinOneHundredThousandthOfOnnxRuntime) {
  const OracleCases oracle = oracle_cases("onnx_resize 4");
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  const std::map<std::string, Coordinates> coordinates = {
      {"half_pixel", Coordinates::kHalfPixel},
      {"pytorch_half_pixel", Coordinates::kPytorchHalfPixel},
      {"align_corners", Coordinates::kAlignCorners},
      {"asymmetric", Coordinates::kAsymmetric}};
  const std::map<std::string, FloatFilter> filters = {{"linear", FloatFilter::kLinear},
                                                      {"nearest", FloatFilter::kNearest},
                                                      {"cubic", FloatFilter::kCubic}};
  const std::map<std::string, NearestRounding> roundings = {
      {"round_prefer_floor", NearestRounding::kHalfDown},
      {"round_prefer_ceil", NearestRounding::kHalfUp},
      {"floor", NearestRounding::kFloor},
      {"ceil", NearestRounding::kCeil}};
  std::map<std::string, float> largest;
  std::int64_t compared = 0;
  for (const OracleCase& c : oracle.cases) {
    const int channels = c.number(5);
    const FloatImage image{c.number(3), c.number(4), channels, c.floats(0)};
    const auto ours = resize_float(
        image, {c.number(6), c.number(7)},
        {filters.at(c.words[1]), coordinates.at(c.words[0]), roundings.at(c.words[2])});
    ASSERT_TRUE(ours.ok());
    const std::vector<float> theirs = c.floats(1);
    ASSERT_EQ(ours->data.size(), theirs.size());
    float most = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i)
      most = std::max(most, std::abs(ours->data[i] - theirs[i]));
    EXPECT_LE(most, 1e-5F) << fmt::format("{}", fmt::join(c.words, " "));
    float& so_far = largest[c.words[1] + " " + c.words[0]];
    so_far = std::max(so_far, most);
    compared += static_cast<std::int64_t>(theirs.size());
  }
  for (const auto& [name, difference] : largest)
    record(name, fmt::format("at most {:.2g}", difference));
  record("compared", fmt::format("{} values", compared));
}

// The definition, evaluated in double for each pixel on its own.
double float_definition(const FloatImage& image, double x, double y, int c) {
  const auto at = [&](int column, int row) {
    column = std::clamp(column, 0, image.width - 1);
    row = std::clamp(row, 0, image.height - 1);
    return double{image.row(row)[column * image.channels + c]};
  };
  x = std::clamp(x, 0.0, image.width - 1.0);
  y = std::clamp(y, 0.0, image.height - 1.0);
  const int left = static_cast<int>(x), upper = static_cast<int>(y);
  const double across = x - left, down = y - upper;
  return (at(left, upper) * (1 - across) + at(left + 1, upper) * across) * (1 - down) +
         (at(left, upper + 1) * (1 - across) + at(left + 1, upper + 1) * across) * down;
}

TEST(ResizeFloat, LinearIsItsDefinition) {
  FloatImage image{5, 4, 2, {}};
  for (int i = 0; i < 40; ++i) image.data.push_back(static_cast<float>((i * 37) % 23) / 23.F);
  const Size target{11, 3};
  const auto ours = resize_float(image, target, {.coordinates = Coordinates::kAsymmetric});
  ASSERT_TRUE(ours.ok());
  for (int y = 0; y < target.height; ++y)
    for (int x = 0; x < target.width; ++x)
      for (int c = 0; c < 2; ++c)
        EXPECT_NEAR(ours->row(y)[x * 2 + c], float_definition(image, x * 5.0 / 11, y * 4.0 / 3, c),
                    1e-6);
}

TEST(ResizeFloat, BoundsTheImageBetweenBothPasses) {
  const FloatImage tall{1, 100'000, 1, std::vector<float>(100'000)};
  const auto wide = resize_float(tall, {100'000, 1}, {});
  ASSERT_FALSE(wide.ok());
  EXPECT_EQ(wide.error().text(),
            "error: an image of 100000 x 100000 pixels\n"
            "  sides of 1 to 1048576 and 89478485 pixels in all are possible\n"
            "  hint: make the image smaller with an image editor\n"
            "  [RIDGE-PIPE-0001]\n");
}

}  // namespace
}  // namespace ridge::pipeline
