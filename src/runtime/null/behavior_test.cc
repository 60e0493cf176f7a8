// SPDX-License-Identifier: Apache-2.0
#include "runtime/null/behavior.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::null {
namespace {

TEST(NullBehavior, DrawsDurationsOfTheMeanThatIsAskedFor) {
  Behavior behavior;
  ASSERT_TRUE(behavior.set("ridge.service", "exponential:100").ok());
  ServiceTime times(behavior, 0);
  double sum = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const auto ns = static_cast<double>(times.next().count);
    sum += ns;
    squares += ns * ns;
  }
  // Mean and standard deviation of an exponential distribution are equal; four standard errors.
  const double mean = sum / kDraws;
  EXPECT_NEAR(mean, 100'000, 4 * 100'000 / std::sqrt(kDraws));
  EXPECT_NEAR(std::sqrt(squares / kDraws - mean * mean), 100'000, 2000);
  ASSERT_TRUE(behavior.set("ridge.service", "constant:2.5").ok());
  EXPECT_EQ(ServiceTime(behavior, 0).next().count, 2500);
  ASSERT_TRUE(behavior.set("ridge.service_per_sample", "0.5").ok());
  EXPECT_EQ(ServiceTime(behavior, 0).next(4).count, 4500);
}

TEST(NullBehavior, StallsAtTheBeginningOfEachPeriod) {
  Behavior behavior;
  ASSERT_TRUE(behavior.set("ridge.stall", "100/1000").ok());
  const ServiceTime times(behavior, 0);
  const auto begin = [&](std::int64_t us) {
    return times.begin(Nanos{us * 1000 + 7'000'000}, Nanos{7'000'000}).count / 1000 - 7000;
  };
  EXPECT_EQ(begin(0), 100);
  EXPECT_EQ(begin(99), 100);
  EXPECT_EQ(begin(100), 100);
  EXPECT_EQ(begin(999), 999);
  EXPECT_EQ(begin(1050), 1100);
}

TEST(NullBehavior, RejectsOptionsThatItDoesNotHave) {
  for (const auto& [key, value] :
       std::vector<std::pair<const char*, const char*>>{{"ridge.service", "constant"},
                                                        {"ridge.service", "constant:-1"},
                                                        {"ridge.service", "gamma:1"},
                                                        {"ridge.stall", "10/5"},
                                                        {"ridge.service_per_sample", "-1"},
                                                        {"ridge.seed", "x"},
                                                        {"threads", "1"},
                                                        {"ridge.wait", "drink"}}) {
    Behavior behavior;
    const Result<void> set = behavior.set(key, value);
    ASSERT_FALSE(set.ok()) << key << value;
    EXPECT_EQ(set.error().code(), "RIDGE-NULL-0001");
  }
}

}  // namespace
}  // namespace ridge::null
