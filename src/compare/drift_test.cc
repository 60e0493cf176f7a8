// SPDX-License-Identifier: Apache-2.0
#include "compare/drift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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
  EXPECT_FALSE(drift->latency_scatter);  // one process each
  EXPECT_DOUBLE_EQ(drift->share(drift->latency_scatter), 0.25);
  EXPECT_TRUE(drift->covers(1.25, {}));
  EXPECT_TRUE(drift->covers(0.8, {}));
  EXPECT_FALSE(drift->covers(1.26, {}));
  EXPECT_FALSE(drift->covers(0.79, {}));
}

/// Run of processes with these median latencies.
compare::Run with_processes(const char* label, const Runs& medians, const Runs& read) {
  compare::Run run = measured(label, 1000, Runs(read.size(), 1000), read);
  run.profile.latency.processes.clear();
  for (const std::int64_t median : medians)
    run.profile.latency.processes.push_back({.samples_ns = {median, median, median}});
  return run;
}

// Two values that lie at a ratio of q scatter by ln(q) / sqrt(2).
TEST(Drift, IsThePartThatTheLatencyFollowsWithinARun) {
  // The kernel doubles within each run, the latency moves by 2^(1/8) = 1.0905.
  const compare::Run a = with_processes("a", {100'000'000, 109'050'773}, {1000, 2000}),
                     b = with_processes("b", {200'000'000, 218'101'546}, {1000, 2000});
  const auto drift = drift_between(a.profile, b.profile);
  ASSERT_TRUE(drift);
  EXPECT_NEAR(drift->kernels[1].scatter->deviation, 0.490129, 1e-6);
  EXPECT_NEAR(drift->latency_scatter->deviation, 0.490129 / 8, 1e-6);
  // 1 + 1 degrees of freedom: 4.30265 / 1.95996; 2^(2.19528 / 8)
  EXPECT_EQ(drift->latency_scatter->freedom, 2);
  EXPECT_NEAR(drift->share(drift->latency_scatter), 0.2095, 1e-4);
  EXPECT_DOUBLE_EQ(drift->share(Scatter{10, 8}), 1.0);  // at most all of it
  EXPECT_DOUBLE_EQ(drift->share(Scatter{0, 8}), 0.0);
  EXPECT_TRUE(drift->covers(1.20, drift->latency_scatter));
  EXPECT_FALSE(drift->covers(1.22, drift->latency_scatter));
  // Between the runs the kernel moves by 8: 2^(3 x 2.19528 / 8).
  const compare::Run c = with_processes("c", {100'000'000, 109'050'773}, {4000, 8000});
  const auto wide = drift_between(a.profile, c.profile);
  EXPECT_NEAR(wide->share(wide->latency_scatter), 0.7694, 1e-4);
}

TEST(Drift, ScatterIsPooledOverWhatHasIt) {
  const std::vector<double> one = {5}, pair = {1, std::exp(2.0)}, none = {0, 1};
  EXPECT_FALSE(scatter_within(one, one));
  EXPECT_FALSE(scatter_within(pair, none));
  EXPECT_DOUBLE_EQ(scatter_within(one, pair)->deviation, std::sqrt(2.0));
  EXPECT_EQ(scatter_within(one, pair)->freedom, 1);
  EXPECT_DOUBLE_EQ(scatter_within(pair, pair)->deviation, std::sqrt(2.0));
  EXPECT_EQ(scatter_within(pair, pair)->freedom, 2);
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
