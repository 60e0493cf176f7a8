// SPDX-License-Identifier: Apache-2.0
// Oracle: `date -u -d @SECONDS '+%F %R'`.
#include "base/date_text.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(DateText, IsOfTheYears1970To9999) {
  EXPECT_EQ(date_text(-1), "?");
  EXPECT_EQ(date_text(0), "1970-01-01 00:00");
  EXPECT_EQ(date_text(1'764'331'199), "2025-11-28 11:59");
  EXPECT_EQ(date_text(253'402'300'799), "9999-12-31 23:59");
  EXPECT_EQ(date_text(253'402'300'800), "?");
}

}  // namespace
}  // namespace ridge
