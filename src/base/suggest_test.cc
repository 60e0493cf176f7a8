// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

using Names = std::vector<std::string>;

TEST(Suggest, FindsWhatWasMistyped) {
  EXPECT_EQ(near_names("bacth", {"batch", "sequence"}), Names{"batch"});
  EXPECT_EQ(near_names("analyse", {"analyze", "profile", "machine"}), Names{"analyze"});
}

TEST(Suggest, NearestComesFirstAndAtMostThree) {
  EXPECT_EQ(near_names("seq", {"sequence", "seq2", "se", "sea", "seq1"}),
            (Names{"se", "sea", "seq1"}));
}

TEST(Suggest, WhatSharesNothingIsNotNear) {
  EXPECT_EQ(near_names("n", {"b"}), Names{});
  EXPECT_EQ(near_names("width", {"batch", "sequence"}), Names{});
  EXPECT_EQ(near_names(std::string(1'000'000, 'x'), {"batch"}), Names{});
}

}  // namespace
}  // namespace ridge
