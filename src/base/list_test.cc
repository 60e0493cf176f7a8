// SPDX-License-Identifier: Apache-2.0
#include "base/list.h"

#include <gtest/gtest.h>

#include "base/csv.h"

namespace ridge {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Split, KeepsEveryPartAsItStands) {
  EXPECT_EQ(split("a, b,,c"), (Parts{"a", " b", "", "c"}));
  EXPECT_EQ(split("a,"), (Parts{"a", ""}));
  EXPECT_EQ(split(","), (Parts{"", ""}));
  EXPECT_EQ(split(""), (Parts{""}));
  EXPECT_EQ(split("1.2 || 3||", "||"), (Parts{"1.2 ", " 3", ""}));
}

TEST(Items, EndAtALastSeparator) {
  EXPECT_EQ(items(""), Parts());
  EXPECT_EQ(items("a,b,"), (Parts{"a", "b"}));
  EXPECT_EQ(items(",a,,b,,"), (Parts{"", "a", "", "b", ""}));
  EXPECT_EQ(items("1/4/8", "/"), (Parts{"1", "4", "8"}));
}

TEST(Csv, FieldsHaveNoBlanksAroundThem) {
  EXPECT_EQ(csv_fields(" a\t,,\"b c\" \r"), (Parts{"a", "", "\"b c\""}));
  EXPECT_EQ(csv_text(" \" b \" "), " b ");
  EXPECT_EQ(csv_text("\""), "\"");
  EXPECT_EQ(csv_text("a, \"b\" ,c", 1), "b");
  EXPECT_EQ(csv_text("a,b", 2), "");
}

}  // namespace
}  // namespace ridge
