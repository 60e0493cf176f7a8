// SPDX-License-Identifier: Apache-2.0
#include "pipeline/size.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ridge::pipeline {
namespace {

std::string text(const Result<Size>& size) {
  if (!size.ok()) return size.error().code();
  return std::to_string(size->width) + "x" + std::to_string(size->height);
}

TEST(TargetSize, ShortSide) {
  const auto to = [](Size from, int side, SideRounding rounding = SideRounding::kDown) {
    return text(resized(from, {Fit::kShort, {side, side}, rounding}));
  };
  EXPECT_EQ(to({640, 480}, 256), "341x256");  // torchvision's Resize(256)
  EXPECT_EQ(to({480, 640}, 256), "256x341");
  EXPECT_EQ(to({500, 375}, 256, SideRounding::kDown), "341x256");
  EXPECT_EQ(to({640, 427}, 256, SideRounding::kHalfUp), "384x256");
  EXPECT_EQ(to({640, 427}, 256, SideRounding::kDown), "383x256");
  EXPECT_EQ(to({640, 479}, 256, SideRounding::kUp), "343x256");
  EXPECT_EQ(to({300, 300}, 224), "224x224");
  EXPECT_EQ(to({1, 1'000'000}, 256), "RIDGE-PIPE-0001");
}

// int(size * long / short) in double, as Python computes it.
TEST(TargetSize, ShortSideIsPythonsQuotient) {
  for (int width = 1; width < 700; width += 7)
    for (int height = width; height < 900; height += 5) {
      const int other = static_cast<int>(256.0 * height / width);
      EXPECT_EQ(text(resized({width, height}, {Fit::kShort, {256, 256}, SideRounding::kDown})),
                "256x" + std::to_string(other));
    }
}

TEST(TargetSize, Inside) {
  const auto to = [](Size from, Size box) {
    return text(resized(from, {Fit::kInside, box, SideRounding::kHalfUp}));
  };
  EXPECT_EQ(to({1280, 720}, {640, 640}), "640x360");
  EXPECT_EQ(to({720, 1280}, {640, 640}), "360x640");
  EXPECT_EQ(to({100, 50}, {640, 320}), "640x320");
  EXPECT_EQ(to({5000, 1}, {64, 64}), "64x1");
}

TEST(TargetSize, CenteredParts) {
  EXPECT_EQ(centered({341, 256}, {224, 224}, CropRounding::kHalfEven), (Offset{58, 16}));
  EXPECT_EQ(centered({341, 256}, {224, 224}, CropRounding::kDown), (Offset{58, 16}));
  // 3 / 2 = 1.5 and 5 / 2 = 2.5 round to the even 2.
  EXPECT_EQ(centered({227, 229}, {224, 224}, CropRounding::kHalfEven), (Offset{2, 2}));
  EXPECT_EQ(centered({227, 229}, {224, 224}, CropRounding::kDown), (Offset{1, 2}));
  for (int whole = 1; whole < 60; ++whole)
    for (int part = 1; part < 60; ++part)
      EXPECT_EQ(centered({whole, whole}, {part, part}, CropRounding::kHalfEven).x,
                std::lrint((whole - part) / 2.0));
}

}  // namespace
}  // namespace ridge::pipeline
