// SPDX-License-Identifier: Apache-2.0
// Time for which a waiting thread is awake before a moment.
#include "runtime/load/due_time.h"

#include <gtest/gtest.h>

namespace ridge::runtime {
namespace {

TEST(Waiter, IsAwakeForTwiceTheLatestWakeUpAndForgetsItSlowly) {
  Waiter waiter;
  waiter.learn(400'000);
  EXPECT_EQ(waiter.awake_ns(), 800'000);
  int sleeps = 0;
  for (; waiter.awake_ns() > 400'000; ++sleeps) waiter.learn(0);
  EXPECT_NEAR(sleeps, 355, 2);  // ln 2 / ln(512 / 511)
  waiter.learn(150'000);        // not as late as it is awake for
  EXPECT_LT(waiter.awake_ns(), 400'000);
  EXPECT_GT(waiter.awake_ns(), 398'000);
}

TEST(Waiter, TheTimeAwakeIsBounded) {
  Waiter waiter;
  waiter.learn(1'000'000'000);
  EXPECT_EQ(waiter.awake_ns(), 2'000'000);
  for (int i = 0; i < 10'000; ++i) waiter.learn(0);
  EXPECT_EQ(waiter.awake_ns(), 100'000);
}

TEST(Waiter, ShortWaitsAreAwake) {
  EXPECT_EQ(longest_sleep(900'000), 0);
  EXPECT_EQ(longest_sleep(1'100'000), kLookNs);
  Waiter waiter;
  waiter.approach(0, 900'000, 0);  // returns at once, and learns nothing
  EXPECT_EQ(waiter.awake_ns(), 500'000);
}

}  // namespace
}  // namespace ridge::runtime
