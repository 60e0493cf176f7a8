// SPDX-License-Identifier: Apache-2.0
#include "stats/outliers.h"

#include <gtest/gtest.h>

#include <array>

namespace ridge::stats {
namespace {

/// Rosner's example: NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.5.17.3.
constexpr std::array kRosner = {-0.25, 0.68, 0.94, 1.15, 1.20, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49,
                                1.49,  1.55, 1.56, 1.58, 1.65, 1.69, 1.70, 1.76, 1.77, 1.81, 1.91,
                                1.94,  1.96, 1.99, 2.06, 2.09, 2.10, 2.14, 2.15, 2.23, 2.24, 2.26,
                                2.35,  2.37, 2.40, 2.47, 2.54, 2.62, 2.64, 2.90, 2.92, 2.92, 2.93,
                                3.21,  3.26, 3.30, 3.59, 3.68, 4.30, 4.64, 5.34, 5.42, 6.01};

// The handbook: up to ten are looked for at 0.05; three are outliers, although neither the first
// nor the first two would be called so alone (R1 = 3.118 < 3.158, R2 = 2.942 < 3.151, R3 = 3.179 >
// 3.143).
TEST(Outliers, RosnersExampleHasThreeThatHideEachOther) {
  const Outliers found = outliers(kRosner, {.significance = 0.05, .most = 10});
  EXPECT_EQ(found.outside, (std::vector<std::size_t>{53, 52, 51}));
  EXPECT_EQ(found.kept, 51U);
  EXPECT_NEAR(found.center, 2.12843, 1e-5);
  EXPECT_NEAR(found.spread, 0.89374, 1e-5);
  EXPECT_TRUE(outliers(kRosner, {.significance = 0.05, .most = 2}).outside.empty());
}

TEST(Outliers, EqualValuesHaveNone) {
  const std::vector<double> equal(12, 3.5);
  const Outliers found = outliers(equal, {.significance = 0.05, .most = 3});
  EXPECT_TRUE(found.outside.empty());
  EXPECT_EQ(found.spread, 0);
  EXPECT_EQ(prediction_reach(found, 1e-4), 0);
}

TEST(Outliers, FewValuesHaveNone) {
  for (const std::vector<double>& few : {std::vector<double>{}, {1}, {1, 50}, {1, 2, 50}})
    EXPECT_TRUE(outliers(few, {.significance = 0.05, .most = 3}).outside.empty()) << few.size();
}

// t(6) at 0.999 is 5.2076 (tables); times 2 sqrt(8 / 7).
TEST(Outliers, ReachIsThatOfOneMoreValue) {
  EXPECT_NEAR(prediction_reach({.outside = {}, .center = 0, .spread = 2, .kept = 7}, 0.001),
              11.13437, 1e-3);
}

}  // namespace
}  // namespace ridge::stats
