// SPDX-License-Identifier: Apache-2.0
#include "measure/reported_times.h"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

TEST(ReportedTimes, ACorrectionIsUsableWhereItsFactorIsKnownAndPlausible) {
  EXPECT_EQ(obstacle({0.9, {{0.7, 1.2}}}), "");
  EXPECT_EQ(obstacle({0.9, {{-0.1, 1.9}}}),
            "its factor is 0.900 [-0.100, 1.900], an interval as wide as itself");
  EXPECT_EQ(obstacle({3.5, {{3.4, 3.6}}}), "its factor is 3.500 [3.400, 3.600]");
  EXPECT_EQ(obstacle({0.2, {{0.19, 0.2}}}), "its factor is 0.200 [0.190, 0.200]");
}

TEST(ReportedTimes, TheNoteSaysWhyAndWhatToDo) {
  EXPECT_EQ(reported_note("its factor is 5.000 [4.800, 5.200]"),
            "layer times are as reported, with the profiler's cost in them: the correction is not "
            "usable here (its factor is 5.000 [4.800, 5.200]); measure with more --processes, for "
            "longer (--budget) or on a quieter machine");
}

TEST(ReportedTimes, SingleRunsAreTheReportedOnesWhereTheCorrectionIsTakenBack) {
  profile::Profile p;
  p.layers.push_back({.time_ns = {20, {{19, 21}}}, .corrected_ns = 10, .runs_ns = {9, 10, 11}});
  p.layers.push_back(p.layers[0]);
  p.layers[0].reported_runs_ns = {19, 20, 21};
  show_reported(p, "test");
  EXPECT_EQ(p.layers[0].runs_ns, (std::vector<std::int64_t>{19, 20, 21}));
  EXPECT_TRUE(p.layers[1].runs_ns.empty());  // a document keeps only the corrected ones
  EXPECT_EQ(p.layers[0].corrected_ns, 20);
}

TEST(ReportedTimes, TheIntervalOfALayerBelowTheResolutionReachesUpToIt) {
  profile::Layer layer{.corrected_ns = 0, .corrected = stats::Estimate{0, {{0, 0}}}};
  mark_resolution(layer, 1'000);
  EXPECT_TRUE(layer.below_resolution);
  EXPECT_EQ(layer.corrected->low(), 0);
  EXPECT_EQ(layer.corrected->high(), 1'000);

  layer.corrected_ns = 1'500, layer.corrected = stats::Estimate{1'500, {{1'400, 1'600}}};
  mark_resolution(layer, 1'000);
  EXPECT_FALSE(layer.below_resolution);
  EXPECT_EQ(layer.corrected->high(), 1'600);
}

}  // namespace
}  // namespace ridge::measure
