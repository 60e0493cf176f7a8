// SPDX-License-Identifier: Apache-2.0
// Oracles: numbers of IEEE 754 binary16 and binary32, derived by hand.
#include "runtime/inputs/doubles.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace ridge::runtime {
namespace {

TEST(Doubles, ToFloat16RoundsOnceToNearestEven) {
  EXPECT_EQ(float16_of(0.0), 0x0000);
  EXPECT_EQ(float16_of(-0.0), 0x8000);
  EXPECT_EQ(float16_of(1.0), 0x3c00);
  EXPECT_EQ(float16_of(-2.0), 0xc000);
  EXPECT_EQ(float16_of(65504.0), 0x7bff);
  EXPECT_EQ(float16_of(65519.99), 0x7bff);
  EXPECT_EQ(float16_of(65520.0), 0x7c00);
  EXPECT_EQ(float16_of(-std::numeric_limits<double>::infinity()), 0xfc00);
  EXPECT_EQ(float16_of(std::nan("")), 0x7e00);
  EXPECT_EQ(float16_of(0x1p-14), 0x0400);
  EXPECT_EQ(float16_of(0x1p-24), 0x0001);
  EXPECT_EQ(float16_of(0x1p-25), 0x0000);  // halfway, to even
  EXPECT_EQ(float16_of(0x1.8p-25), 0x0001);
  EXPECT_EQ(float16_of(1 + 0x1p-11), 0x3c00);  // halfway, to even
  // Rounded to float first it would be halfway.
  EXPECT_EQ(float16_of(1 + 0x1p-11 + 0x1p-40), 0x3c01);
  EXPECT_EQ(float16_of(2 - 0x1p-12), 0x4000);  // carries into the exponent
}

TEST(Doubles, ToFloat32IsInfiniteBeyondItsRange) {
  const std::array<double, 5> doubles = {1.5, 1e300, -1e300, 3.4028235677973366e38,
                                         3.4028235677973362e38};
  std::array<float, 5> floats = {};
  narrow_doubles(std::as_bytes(std::span(doubles)), onnx::DataType::kFloat,
                 std::as_writable_bytes(std::span(floats)));
  EXPECT_EQ(floats[0], 1.5F);
  EXPECT_EQ(floats[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(floats[2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(floats[3], std::numeric_limits<float>::infinity());
  EXPECT_EQ(floats[4], std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace ridge::runtime
