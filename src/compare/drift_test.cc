// SPDX-License-Identifier: Apache-2.0
#include "compare/drift.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compare/comparison.h"
#include "compare/testing.h"

namespace ridge::compare {
namespace {

using Runs = std::vector<std::int64_t>;

/// Run of one layer that takes `ns` with a variation of one in a thousand, on a machine whose
/// reference kernels took these times.
Run measured(const char* label, std::int64_t ns, const Runs& multiply_add, const Runs& read) {
  Runs runs;
  for (std::int64_t i = 0; i < 20; ++i) runs.push_back(ns + (i % 5 - 2) * ns / 2000);
  Run run = testing::run_of(label, {"conv/Conv:Conv"}, {{{0}, runs}});
  for (std::uint32_t i = 0; i < multiply_add.size(); ++i) {
    run.profile.reference.push_back({i, "multiply-add", multiply_add[i]});
    run.profile.reference.push_back({i, "read", read[i]});
  }
  return run;
}

bool named(const Comparison& c) {
  return std::any_of(c.notes.begin(), c.notes.end(), [](const std::string& note) {
    return note.find("may be drift of the machine") != std::string::npos;
  });
}

TEST(Drift, IsHowFarTheReferenceKernelsOfBothRunsLieApart) {
  const compare::Run a = measured("a", 1000, {1000, 1010}, {900, 1000}),
                     b = measured("b", 1000, {1005, 1008}, {950, 1125});
  const auto drift = drift_between(a.profile, b.profile);
  ASSERT_TRUE(drift);
  EXPECT_DOUBLE_EQ(drift->share(), 0.25);
  EXPECT_TRUE(drift->covers(1.25));
  EXPECT_TRUE(drift->covers(0.8));
  EXPECT_FALSE(drift->covers(1.26));
  EXPECT_FALSE(drift->covers(0.79));
}

TEST(Drift, ADifferenceNoGreaterThanTheMachinesIsNamed) {
  const auto c = compare_runs({measured("a", 100'000, {1000, 1010}, {900, 920}),
                               measured("b", 115'000, {1130, 1160}, {910, 930})});
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->latency.cells[1].verdict, Verdict::kDrift);
  EXPECT_EQ(c->groups[0].cells[1].verdict, Verdict::kDrift);
  EXPECT_EQ(c->tallies[1].drift, 1U);
  EXPECT_EQ(c->tallies[1].slower.groups, 0U);
  ASSERT_TRUE(c->drifts[1]);
  EXPECT_TRUE(named(*c)) << c->notes.size();
}

TEST(Drift, ADifferenceOnASteadyMachineIsNot) {
  const auto c = compare_runs({measured("a", 100'000, {1000, 1010}, {900, 920}),
                               measured("b", 115'000, {1002, 1012}, {910, 930})});
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->latency.cells[1].verdict, Verdict::kSlower);
  EXPECT_FALSE(named(*c));
}

TEST(Drift, RunsInTurnsAndRunsOfOtherMachinesHaveNone) {
  compare::Run a = measured("a", 100'000, {1000, 1010}, {900, 920}),
               b = measured("b", 115'000, {1130, 1160}, {910, 930});
  const auto turns = compare_runs({a, b}, {.measuring = Measuring::kInterleaved});
  ASSERT_TRUE(turns.ok());
  EXPECT_FALSE(turns->drifts[1]);
  EXPECT_FALSE(named(*turns));
  b.profile.host_json = R"({"hostname":"another","cpu":{"model":"M"}})";
  const auto apart = compare_runs({a, b});
  ASSERT_TRUE(apart.ok());
  EXPECT_FALSE(apart->drifts[1]);
}

TEST(Drift, WithoutReferenceKernelsNothingIsSaid) {
  EXPECT_FALSE(drift_between(measured("a", 1, {}, {}).profile, measured("b", 1, {}, {}).profile));
}

}  // namespace
}  // namespace ridge::compare
