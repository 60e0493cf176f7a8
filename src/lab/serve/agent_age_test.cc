// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/agent_age.h"

#include <gtest/gtest.h>

namespace ridge::lab::serve {
namespace {

TEST(AgentAge, IsInTheUnitThatSuits) {
  constexpr std::int64_t kNow = 1'000'000'000;
  EXPECT_EQ(age_text(kNow, kNow), "0 s ago");
  EXPECT_EQ(age_text(kNow + 3600, kNow), "0 s ago");
  EXPECT_EQ(age_text(kNow - 119, kNow), "119 s ago");
  EXPECT_EQ(age_text(kNow - 120, kNow), "2 min ago");
  EXPECT_EQ(age_text(kNow - 7199, kNow), "119 min ago");
  EXPECT_EQ(age_text(kNow - 7200, kNow), "2001-09-08 23:46");
  EXPECT_EQ(age_text(0, kNow), "never");
}

TEST(AgentAge, OnlyALiveAgentIsSilent) {
  using S = store::AgentState;
  for (const S state : {S::kConnecting, S::kIdle, S::kMeasuring}) {
    EXPECT_FALSE(is_silent({.state = state, .last_s = 70}, 100));
    EXPECT_TRUE(is_silent({.state = state, .last_s = 69}, 100));
    EXPECT_FALSE(is_silent({.state = state, .last_s = 0}, 100));
  }
  for (const S state : {S::kUnfit, S::kGone, S::kEnded})
    EXPECT_FALSE(is_silent({.state = state, .last_s = 1}, 100));
}

}  // namespace
}  // namespace ridge::lab::serve
