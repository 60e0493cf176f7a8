// What ridge compare calls different on noise that was recorded (bench/aa_power.cc has more).
#include <gtest/gtest.h>

#include "stats/testing/recorded.h"

namespace ridge::stats::testing {
namespace {

constexpr int kExperiments = 200;
constexpr Experiment kNull{.turn = kCompareTurn, .processes = 5};

Experiment lasting(double seconds, double slowdown = 0) {
  Experiment e = kNull;
  e.seconds = seconds;
  e.slowdown = slowdown;
  return e;
}

TEST(AaPowerSlow, FewOfTwoHundredEqualPairsAreCalledDifferent) {
  const Noise noise = recorded();
  SKIP_WITHOUT_NOISE(noise);
  const Called called = call(noise, lasting(60), kExperiments);
  EXPECT_LE(called.slower + called.faster, 16);
}

TEST(AaPowerSlow, MostOfTwoHundredSlowdownsOfTwoPercentAreFound) {
  const Noise noise = recorded();
  SKIP_WITHOUT_NOISE(noise);
  const Called called = call(noise, lasting(60, 0.02), kExperiments);
  EXPECT_GE(called.slower, 155);
}

TEST(AaPowerSlow, ShortComparisonsRaiseNoMoreAlarms) {
  const Noise noise = recorded();
  SKIP_WITHOUT_NOISE(noise);
  const Called called = call(noise, lasting(0.5), kExperiments);
  EXPECT_LE(called.slower + called.faster, 16);
}

}  // namespace
}  // namespace ridge::stats::testing
