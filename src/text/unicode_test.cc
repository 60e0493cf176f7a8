// SPDX-License-Identifier: Apache-2.0
#include "text/unicode.h"

#include <gtest/gtest.h>

namespace ridge::text {
namespace {

TEST(Unicode, DecomposesAndPutsMarksInOrder) {
  EXPECT_EQ(decomposed(U"\u00e9"), U"e\u0301");
  EXPECT_EQ(decomposed(U"q\u0307\u0323"), U"q\u0323\u0307");      // by their classes, UAX #15
  EXPECT_EQ(decomposed(U"\u1e9b\u0323"), U"\u017f\u0323\u0307");  // UAX #15, figure 6
  EXPECT_EQ(decomposed(U"\u0344a\u0301"), U"\u0308\u0301a\u0301");
  EXPECT_EQ(decomposed(U"\uac01"), U"\u1100\u1161\u11a8");  // Hangul
}

TEST(Unicode, WritesEachCharacterInLowerCase) {
  EXPECT_EQ(lower_case(U"\u0130I\u03a3\u1e9e\U00010400"), U"i\u0307i\u03c3\u00df\U00010428");
}

TEST(Unicode, KnowsKindsOfCharacters) {
  EXPECT_TRUE(is_white_space(U'\u3000') && is_white_space(U'\u0085') && !is_white_space(U'\u200b'));
  EXPECT_TRUE(is_control(U'\u00ad') && is_control(U'\ue000') && !is_control(U'\u0378'));
  EXPECT_TRUE(is_punctuation(U'\u00bf') && !is_punctuation(U'$'));
  EXPECT_TRUE(is_number(U'\u00bd') && is_letter(U'\u4e2d') && !is_letter(U'\u0301'));
  EXPECT_TRUE(is_word(U'_') && is_word(U'\u0301') && is_word(U'\u24b6') && !is_word(U'\u00bd'));
}

}  // namespace
}  // namespace ridge::text
