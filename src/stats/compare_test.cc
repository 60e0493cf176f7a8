#include "stats/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/random.h"

namespace ridge::stats {
namespace {

TEST(PairedRatio, CancelsDriftThatBothMembersShare) {
  Random random(2);
  std::vector<double> a, b;
  for (int i = 0; i < 20; ++i) {
    const double drift = 1 + 0.5 * i;  // the machine slows down tenfold
    a.push_back(drift * (1 + 0.01 * random.uniform()));
    b.push_back(drift * 1.05 * (1 + 0.01 * random.uniform()));
  }
  const Ratio r = paired_ratio(a, b);
  EXPECT_NEAR(r.value, 1.05, 0.005);
  EXPECT_TRUE(r.ci.contains(1.05));
  EXPECT_LT(r.ci.hi - r.ci.lo, 0.02);
  EXPECT_EQ(r.samples, 20u);
  EXPECT_EQ(verdict(r, 0.01), Verdict::kSlower);
}

TEST(PairedRatio, SwappedIsTheReciprocal) {
  const std::vector<double> a = {1, 2, 3, 4, 5, 6, 7}, b = {2, 3, 3, 5, 4, 7, 9};
  EXPECT_NEAR(paired_ratio(a, b).value * paired_ratio(b, a).value, 1, 1e-15);
}

TEST(PairedRatio, NeedsPairs) {
  const std::vector<double> a = {1, 2}, b = {1};
  EXPECT_TRUE(std::isnan(paired_ratio(a, b).value));
  EXPECT_EQ(verdict(paired_ratio(a, b), 0.01), Verdict::kUnclear);
}

TEST(RatioOfMedians, RaisesFewFalseAlarmsBetweenEqualSamples) {
  Random random(4);
  int alarms = 0;
  constexpr int kTrials = 300;
  for (int t = 0; t < kTrials; ++t) {
    std::vector<double> a(20), b(20);
    for (double& v : a) v = 10 + random.uniform();
    for (double& v : b) v = 10 + random.uniform();
    alarms += ratio_of_medians(a, b, {.resamples = 400}).ci.contains(1) ? 0 : 1;
  }
  EXPECT_LE(alarms, kTrials * 0.08);
}

TEST(Verdict, FollowsTheWholeInterval) {
  EXPECT_EQ(verdict({0.9, {0.88, 0.93}, 10}, 0.05), Verdict::kFaster);
  EXPECT_EQ(verdict({1.2, {1.1, 1.3}, 10}, 0.05), Verdict::kSlower);
  EXPECT_EQ(verdict({1.0, {0.97, 1.02}, 10}, 0.05), Verdict::kSame);
  EXPECT_EQ(verdict({1.0, {0.9, 1.2}, 10}, 0.05), Verdict::kUnclear);
  EXPECT_EQ(name(Verdict::kUnclear), "unclear");
}

}  // namespace
}  // namespace ridge::stats
