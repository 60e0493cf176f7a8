// SPDX-License-Identifier: Apache-2.0
#include "stats/normal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::stats {
namespace {

TEST(NormalQuantile, MatchesPublishedValues) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.25), -0.6744897501960817, 1e-14);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-13);
  EXPECT_NEAR(normal_quantile(1e-20), -9.262340089798408, 1e-12);
}

TEST(NormalQuantile, InvertsTheDistribution) {
  for (double p = 1e-12; p < 1; p = p < 0.5 ? p * 1.7 : 1 - (1 - p) / 1.7) {
    if (1 - p < 1e-12) break;
    const double share = 0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0));
    EXPECT_NEAR(share / p, 1, 1e-10) << p;
  }
}

TEST(NormalQuantile, IsInfiniteAtTheEnds) {
  EXPECT_EQ(normal_quantile(0), -INFINITY);
  EXPECT_EQ(normal_quantile(1), INFINITY);
}

TEST(StudentQuantile, MatchesPublishedTables) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.706205, 1e-5);
  EXPECT_NEAR(student_quantile(0.9995, 1), 636.619249, 1e-3);
  EXPECT_NEAR(student_quantile(0.975, 2), 4.302653, 1e-6);
  EXPECT_NEAR(student_quantile(0.975, 3), 3.182446, 3e-4);
  EXPECT_NEAR(student_quantile(0.9995, 3), 12.923979, 3e-3);
  EXPECT_NEAR(student_quantile(0.75, 4), 0.740697, 3e-4);
  EXPECT_NEAR(student_quantile(0.975, 4), 2.776445, 3e-4);
  EXPECT_NEAR(student_quantile(0.995, 5), 4.032143, 1e-4);
  EXPECT_NEAR(student_quantile(0.5, 7), 0, 1e-7);
  EXPECT_NEAR(student_quantile(0.975, 10), 2.228139, 1e-4);
  EXPECT_NEAR(student_quantile(0.975, 15), 2.131450, 1e-4);
  EXPECT_NEAR(student_quantile(0.995, 20), 2.845340, 1e-4);
  EXPECT_NEAR(student_quantile(0.025, 30), -2.042272, 1e-4);
  EXPECT_NEAR(student_quantile(0.975, 1e9), normal_quantile(0.975), 1e-8);
}

}  // namespace
}  // namespace ridge::stats
