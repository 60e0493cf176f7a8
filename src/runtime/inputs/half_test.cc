// SPDX-License-Identifier: Apache-2.0
// 16-bit floats against the way back and against numbers of the standards.
#include "onnx/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/inputs/doubles.h"

namespace ridge::runtime {
namespace {

using onnx::bfloat16_of, onnx::float_of_bfloat16, onnx::float_of_float16;

TEST(Half, EveryBinary16ComesBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float value = float_of_float16(static_cast<std::uint16_t>(bits));
    if ((bits & 0x7fff) > 0x7c00) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      continue;
    }
    EXPECT_EQ(float16_of(value), bits);
    EXPECT_EQ(onnx::float16_of(value), bits);
  }
  EXPECT_EQ(float_of_float16(0x3c01), 1 + 0x1p-10F);
  EXPECT_EQ(float_of_float16(0x7bff), 65504.F);
  EXPECT_EQ(float_of_float16(0x0001), 0x1p-24F);
  EXPECT_EQ(float_of_float16(0xfc00), -std::numeric_limits<float>::infinity());
}

TEST(Half, EveryBfloat16ComesBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float value = float_of_bfloat16(static_cast<std::uint16_t>(bits));
    if ((bits & 0x7fff) > 0x7f80)
      EXPECT_TRUE(std::isnan(value) && std::isnan(float_of_bfloat16(bfloat16_of(value)))) << bits;
    else
      EXPECT_EQ(bfloat16_of(value), bits);
  }
}

// Between two neighbors and beyond them, as the other implementation rounds.
TEST(Half, Binary16RoundsAsFromFloat64) {
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const float value = float_of_float16(static_cast<std::uint16_t>(bits));
    const float next =
        bits == 0x7bff ? 65536 : float_of_float16(static_cast<std::uint16_t>(bits + 1));
    for (const float share : {0.25F, 0.5F, 0.75F}) {
      const float between = value + share * (next - value);
      EXPECT_EQ(onnx::float16_of(between), float16_of(between)) << between;
      EXPECT_EQ(onnx::float16_of(-between), float16_of(-between)) << between;
    }
  }
}

TEST(Half, Bfloat16RoundsToNearestEven) {
  EXPECT_EQ(bfloat16_of(1), 0x3f80);
  EXPECT_EQ(bfloat16_of(1 + 0x1p-8F), 0x3f80);             // half way: to the even one
  EXPECT_EQ(bfloat16_of(1 + 0x1p-8F + 0x1p-20F), 0x3f81);  // a little more
  EXPECT_EQ(bfloat16_of(1 + 3 * 0x1p-8F), 0x3f82);
  EXPECT_EQ(bfloat16_of(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(float_of_bfloat16(bfloat16_of(std::nanf("")))));
}

}  // namespace
}  // namespace ridge::runtime
