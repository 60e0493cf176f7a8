// SPDX-License-Identifier: Apache-2.0
#include "base/words.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

enum class Side : std::int8_t { kLeft = -1, kMiddle, kRight };

}  // namespace

template <>
struct Words<Side> {
  static constexpr std::array list{Word{Side::kMiddle, "middle"}, Word{Side::kLeft, "left"},
                                   Word{Side::kRight, "right", "the other one"}};
};

namespace {

TEST(Words, GoBothWays) {
  static_assert(word(Side::kLeft) == "left");
  EXPECT_EQ(word(Side::kMiddle), "middle");
  EXPECT_EQ(word(Side::kRight), "right");
  EXPECT_EQ(word(static_cast<Side>(5)), "");
  EXPECT_EQ(find_word<Side>("left"), Side::kLeft);
  EXPECT_EQ(find_word<Side>("lef"), std::nullopt);
  EXPECT_EQ(words<Side>(), (std::vector<std::string>{"middle", "left", "right"}));
}

}  // namespace
}  // namespace ridge
