// SPDX-License-Identifier: Apache-2.0
#include "pipeline/opencv_float.h"

#include <gtest/gtest.h>

#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

TEST(OpencvFloatSlow, EqualsOpencv) {
  const OracleCases oracle = oracle_cases("opencv_float 3 " + photos());
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  int unequal = 0;
  for (const OracleCase& c : oracle.cases) {
    const FloatImage image{c.number(1), c.number(2), c.number(3), c.floats(0)};
    const auto ours =
        resize_opencv(image, {c.number(4), c.number(5)},
                      c.words[0] == "linear" ? OpencvFilter::kLinear : OpencvFilter::kNearest);
    ASSERT_TRUE(ours.ok());
    unequal += ours->data != c.floats(1);
    EXPECT_EQ(ours->data == c.floats(1), true) << fmt::format("{}", fmt::join(c.words, " "));
  }
  EXPECT_EQ(unequal, 0) << "of " << oracle.cases.size();
}

TEST(OpencvFloat, OtherFiltersAreRefused) {
  const FloatImage image{2, 2, 1, {1, 2, 3, 4}};
  const auto area = resize_opencv(image, {1, 1}, OpencvFilter::kArea);
  ASSERT_FALSE(area.ok());
  EXPECT_EQ(area.error().text(),
            "error: OpenCV's area and cubic take 8-bit images here, the values are float32\n"
            "  hint: resize before the values are computed with, or use 'linear'\n"
            "  [RIDGE-PIPE-0015]\n");
}

}  // namespace
}  // namespace ridge::pipeline
