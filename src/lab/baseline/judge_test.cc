// SPDX-License-Identifier: Apache-2.0
#include "lab/baseline/judge.h"

#include <gtest/gtest.h>

namespace ridge::lab {
namespace {

Thing thing_of(const std::vector<double>& values) {
  Thing thing{.name = "latency", .unit = "ns", .votes = {}};
  for (std::uint32_t m = 0; m < values.size(); ++m)
    thing.votes.push_back({.machine = m, .value = values[m], .best = values[m]});
  return thing;
}

Subject subject_of(SubjectKind kind, const std::vector<std::vector<double>>& things) {
  Subject s;
  s.kind = kind;
  s.significance = 0.01;
  for (const auto& values : things) s.things.push_back(thing_of(values));
  return s;
}

using Positions = std::vector<std::uint32_t>;

// Center, spread and limit of ln(value / median), computed apart in Python: generalized ESD with
// quantiles of t from the incomplete beta function.
TEST(Judge, FiguresAreThoseOfAnIndependentComputation) {
  Subject s = subject_of(SubjectKind::kLatency, {{1000, 1210, 850, 1105, 920, 1002, 1060, 998}});
  ASSERT_TRUE(judge(default_rule(), s));
  EXPECT_TRUE(s.outside.empty());
  EXPECT_EQ(s.things[0].center, 1001);
  EXPECT_EQ(s.machines, 8U);
  EXPECT_NEAR(s.center, 1.0119248, 1e-6);
  EXPECT_NEAR(s.spread, 1.1141241, 1e-6);
  EXPECT_NEAR(s.limit, 1.4268816, 1e-4);
}

TEST(Judge, ASlowMachineIsOutsideAndNotInCenterAndSpread) {
  Subject s = subject_of(SubjectKind::kLatency, {{1000, 1010, 990, 1005, 995, 1002, 1400, 998}});
  ASSERT_TRUE(judge(default_rule(), s));
  EXPECT_EQ(s.outside, Positions{6});
  EXPECT_EQ(s.machines, 7U);
  EXPECT_EQ(s.things[0].center, 1000);
  EXPECT_NEAR(s.spread, 1.0065792, 1e-6);
  EXPECT_DOUBLE_EQ(s.limit, 1.1) << "the least difference, since the reach of 1.022 is less";
  const OffFinding f = finding_of(s, "latency", 6, "b7");
  EXPECT_DOUBLE_EQ(f.slowness, 1.4);
  ASSERT_EQ(f.evidence.size(), 1U);
  EXPECT_EQ(f.evidence[0].value, 1400);
  EXPECT_NEAR(f.evidence[0].low, 909.09, 0.01);
  EXPECT_NEAR(f.evidence[0].high, 1100, 0.01);
}

TEST(Judge, TwoSlowMachinesDoNotHideEachOther) {
  Subject s = subject_of(SubjectKind::kLatency,
                         {{1000, 1400, 990, 1005, 995, 1002, 1400, 998, 1003, 1001, 997, 1000}});
  ASSERT_TRUE(judge(default_rule(), s));
  EXPECT_EQ(s.outside, (Positions{1, 6}));
}

TEST(Judge, AFasterMachineAndASmallDifferenceAreNotNamed) {
  for (const double other : {700.0, 1099.0}) {
    Subject s = subject_of(SubjectKind::kLatency, {{1000, 1010, 990, 1005, 995, 1002, other, 998}});
    ASSERT_TRUE(judge(default_rule(), s));
    EXPECT_TRUE(s.outside.empty()) << other;
    EXPECT_EQ(s.machines, 7U) << "it is left out of center and spread all the same";
  }
}

TEST(Judge, AMachineThatWasFastOnceIsNotNamed) {
  Subject s = subject_of(SubjectKind::kLatency, {{1000, 1010, 990, 1005, 995, 1002, 1400, 998}});
  s.things[0].votes[6].best = 1050;
  ASSERT_TRUE(judge(default_rule(), s));
  EXPECT_TRUE(s.outside.empty());
}

TEST(Judge, LowRoofsAreSlowAndAllOfALevelMustAgree) {
  const std::vector<double> equal = {50e9, 50.5e9, 49.5e9, 50.2e9, 49.8e9, 50.1e9, 49.9e9, 50e9};
  std::vector<double> low = equal;
  low[2] = 40e9;
  Subject all = subject_of(SubjectKind::kRoofs, {low, low, low, low});
  ASSERT_TRUE(judge(default_rule(), all));
  EXPECT_EQ(all.outside, Positions{2});
  EXPECT_NEAR(slowness_in(all, 2)->value, 1.25, 0.01);
  Subject three = subject_of(SubjectKind::kRoofs, {low, equal, low, low});
  ASSERT_TRUE(judge(default_rule(), three));
  EXPECT_TRUE(three.outside.empty());
}

TEST(Judge, FewMachinesAreNotJudged) {
  Subject s = subject_of(SubjectKind::kLatency, {{1000, 1010, 990, 1005, 2000}});
  EXPECT_FALSE(judge(default_rule(), s));
  EXPECT_EQ(s.machines, 0U);
}

TEST(Judge, SignificanceIsSharedByKindAndThenEvenly) {
  std::vector<Subject> subjects(7);
  subjects[0].kind = SubjectKind::kLatency;
  for (int i = 1; i < 6; ++i) subjects[static_cast<std::size_t>(i)].kind = SubjectKind::kLayer;
  share_significance(default_rule(), subjects);
  EXPECT_DOUBLE_EQ(subjects[0].significance, 0.01 / 3);
  EXPECT_DOUBLE_EQ(subjects[3].significance, 0.01 / 15);
  EXPECT_DOUBLE_EQ(subjects[6].significance, 0.01 / 3);
  double sum = 0;
  for (const Subject& s : subjects) sum += s.significance;
  EXPECT_NEAR(sum, 0.01, 1e-12);
}

}  // namespace
}  // namespace ridge::lab
