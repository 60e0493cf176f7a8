// SPDX-License-Identifier: Apache-2.0
#include "base/toml.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Toml, WholeNumbersThatADoubleWouldRoundAreRefused) {
  for (const char* exact : {"9007199254740992", "-9007199254740992"}) {
    const Result<Toml> file = read_toml("a = " + std::string(exact));
    ASSERT_TRUE(file.ok()) << file.error().text();
    EXPECT_EQ(static_cast<std::int64_t>(file->members[0].value.number), std::stoll(exact));
  }
  EXPECT_EQ(
      read_toml("a = 1\nb = [9007199254740993]\n").error().text(),
      "error: line 2, column 6: the number 9007199254740993 is beyond 2^53 and would be "
      "rounded\n"
      "  hint: write a smaller one, or, where rounding does no harm, one with a point: 1.8e19\n"
      "  [RIDGE-ACC-0219]\n");
  EXPECT_EQ(read_toml("a = -9223372036854775808").error().code(), "RIDGE-ACC-0219");
  EXPECT_EQ(read_toml("a = 18446744073709551615").error().code(), "RIDGE-ACC-0203");
  EXPECT_TRUE(read_toml("a = 1.8e19").ok());
}

}  // namespace
}  // namespace ridge
