// SPDX-License-Identifier: Apache-2.0
#include "pipeline/normalize.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

TEST(NormalizeSlow, EqualsNumpyBitForBit) {
  const OracleCases oracle = oracle_cases("values 6");
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  for (const OracleCase& c : oracle.cases) {
    if (c.words[0] != "normalize") continue;
    const auto real = [&](std::size_t word) { return std::stod(c.words.at(word)); };
    const FloatImage image = as_float(c.image(0, c.number(1), c.number(2), 3));
    Normalize step{
        255, {real(3), real(4), real(5)}, {real(6), real(7), real(8)}, Arithmetic::kFloat};
    FloatImage in_float = image;
    ASSERT_TRUE(normalize(in_float, step).ok());
    EXPECT_EQ(in_float.data, c.floats(1));
    // numpy divides by the number 255 in float, and goes on in double with its arrays.
    FloatImage in_double = image;
    ASSERT_TRUE(compute(in_double, {Operation::kDivide, {255}, Arithmetic::kFloat}).ok());
    step.divisor = 1;
    step.arithmetic = Arithmetic::kDouble;
    ASSERT_TRUE(normalize(in_double, step).ok());
    EXPECT_EQ(in_double.data, c.floats(2));
    FloatImage changed = image;
    std::vector<double> mean = step.mean;
    for (double& value : mean) value *= 255;
    ASSERT_TRUE(compute(changed, {Operation::kSubtract, mean, Arithmetic::kDouble}).ok());
    EXPECT_EQ(changed.data, c.floats(3));
  }
}

TEST(Normalize, ComputesByChannel) {
  FloatImage image{1, 2, 2, {1, 2, 3, 4}};
  ASSERT_TRUE(compute(image, {Operation::kAdd, {1, 10}, Arithmetic::kFloat}).ok());
  EXPECT_EQ(image.data, (std::vector<float>{2, 12, 4, 14}));
  ASSERT_TRUE(compute(image, {Operation::kMultiply, {2}, Arithmetic::kFloat}).ok());
  EXPECT_EQ(image.data, (std::vector<float>{4, 24, 8, 28}));
  ASSERT_TRUE(normalize(image, {4, {1}, {0.5, 5}, Arithmetic::kFloat}).ok());
  EXPECT_EQ(image.data, (std::vector<float>{0, 1, 2, 1.2F}));
}

TEST(Normalize, BytesDropFractionsAndClamp) {
  const FloatImage image{6, 1, 1, {-3, 0.99F, 254.5F, 255, 1e9F, std::nanf("")}};
  EXPECT_EQ(as_bytes(image).data, (std::vector<std::uint8_t>{0, 0, 254, 255, 255, 0}));
}

TEST(Normalize, NeedsOneOperandPerChannel) {
  FloatImage image{1, 1, 3, {1, 2, 3}};
  const auto two = normalize(image, {1, {1, 2}, {1}, Arithmetic::kFloat});
  ASSERT_FALSE(two.ok());
  EXPECT_EQ(two.error().text(),
            "error: 2 values of the mean for 3 channels\n"
            "  hint: give one value, or one for each channel\n"
            "  [RIDGE-PIPE-0009]\n");
  const auto zero = normalize(image, {1, {1}, {1, 0, 1}, Arithmetic::kFloat});
  ASSERT_FALSE(zero.ok());
  EXPECT_EQ(zero.error().text(),
            "error: the standard deviation is 0, values are divided by it\n"
            "  [RIDGE-PIPE-0010]\n");
}

}  // namespace
}  // namespace ridge::pipeline
