// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/shape_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace ridge::analysis {
namespace {

std::string read(std::string_view text) {
  const auto shape =
      shape_from(text, [](const std::string& why) { return usage_error("TEST-0001", why); });
  return shape.ok() ? fmt::format("{}", fmt::join(*shape, " ")) : shape.error().summary();
}

TEST(ShapeText, SizesAreDividedByAnXOrAComma) {
  EXPECT_EQ(read("1x3x224x224"), "1 3 224 224");
  EXPECT_EQ(read("1X3,224"), "1 3 224");
  EXPECT_EQ(read("0"), "0");
  EXPECT_EQ(read(""), "");  // a scalar
}

TEST(ShapeText, TheWrongPartIsNamed) {
  EXPECT_EQ(read("1x"), "invalid integer ''");
  EXPECT_EQ(read("x1"), "invalid integer ''");
  EXPECT_EQ(read("1xx2"), "invalid integer ''");
  EXPECT_EQ(read("1xn"), "invalid integer 'n'");
  EXPECT_EQ(read("1x2.5"), "invalid integer '2.5'");
  EXPECT_EQ(read("99999999999999999999"), "invalid integer '99999999999999999999'");
  EXPECT_EQ(read("1x-2"), "a size must be at least 0, not -2");
}

}  // namespace
}  // namespace ridge::analysis
