// SPDX-License-Identifier: Apache-2.0
#include "base/percent.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Percent, HasItsDecimalsAndItsSign) {
  EXPECT_EQ(percent(0.12345), "12.3 %");
  EXPECT_EQ(percent(1, 0), "100 %");
  EXPECT_EQ(signed_percent(0.125), "+12.5 %");
  EXPECT_EQ(signed_percent(-0.003), "-0.3 %");
  EXPECT_EQ(signed_percent(0.5, 0), "+50 %");
}

TEST(Percent, TheShortOneHasNoDigitsInVain) {
  EXPECT_EQ(short_percent(0.5), "50 %");
  EXPECT_EQ(short_percent(0.9995), "99.95 %");
  EXPECT_EQ(short_percent(0.123456, 3), "12.3 %");
}

}  // namespace
}  // namespace ridge
