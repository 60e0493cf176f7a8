#include "measure/reported_times.h"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

TEST(ReportedTimes, ACorrectionIsUsableWhereItsFactorIsKnownAndPlausible) {
  EXPECT_EQ(obstacle({0.9, 0.7, 1.2}, {}), "");
  EXPECT_EQ(obstacle({0.9, -0.1, 1.9}, {}),
            "its factor is 0.900 [-0.100, 1.900], an interval as wide as itself");
  EXPECT_EQ(obstacle({3.5, 3.4, 3.6}, {}), "its factor is 3.500 [3.400, 3.600]");
  EXPECT_EQ(obstacle({0.2, 0.19, 0.2}, {}), "its factor is 0.200 [0.190, 0.200]");
}

TEST(ReportedTimes, ACorrectionThatLeavesNothingOfManyKernelsIsNot) {
  EXPECT_EQ(obstacle({1, 0.9, 1.1}, {.of_time = 0.04, .of_kernels = 0.09}), "");
  EXPECT_EQ(obstacle({1, 0.9, 1.1}, {.of_time = 0.06, .of_kernels = 0.02}),
            "it leaves nothing of 2 % of the kernels, with 6 % of their time");
  EXPECT_EQ(obstacle({1, 0.9, 1.1}, {.of_time = 0.02, .of_kernels = 0.15}),
            "it leaves nothing of 15 % of the kernels, with 2 % of their time");
}

TEST(ReportedTimes, TheNoteSaysWhyAndWhatToDo) {
  EXPECT_EQ(reported_note("its factor is 5.000 [4.800, 5.200]"),
            "layer times are as reported, with the profiler's cost in them: the correction is not "
            "usable here (its factor is 5.000 [4.800, 5.200]); measure with more --processes, for "
            "longer (--budget) or on a quieter machine");
}

TEST(ReportedTimes, SingleRunsAreTheReportedOnesWhereTheCorrectionIsTakenBack) {
  profile::Profile p;
  p.layers.push_back({.time_ns = {20, 19, 21}, .corrected_ns = 10, .runs_ns = {9, 10, 11}});
  p.layers.push_back(p.layers[0]);
  p.layers[0].reported_runs_ns = {19, 20, 21};
  show_reported(p, "test");
  EXPECT_EQ(p.layers[0].runs_ns, (std::vector<std::int64_t>{19, 20, 21}));
  EXPECT_TRUE(p.layers[1].runs_ns.empty());  // of a document: only the corrected ones were kept
  EXPECT_EQ(p.layers[0].corrected_ns, 20);
}

/// Four kernels of 1, 2, 3 and 10 us with an event's share of 2.5 us; below 1.5 us none is resolved.
TEST(ReportedTimes, KernelsThatAreResolvedAndTakeNothingAreCounted) {
  Estimates e;
  e.executions = {1, 1, 1, 1};
  e.kernel_runs = {{{1000, 2000, 3000, 10000}, {1000, 2000, 3000, 10000}}};
  e.profiling.resolution_ns = 1500;
  e.profiling.event_share_ns = 2500;
  EXPECT_DOUBLE_EQ(zeroed(e).of_time, 2.0 / 16);
  EXPECT_DOUBLE_EQ(zeroed(e).of_kernels, 1.0 / 3);
}

}  // namespace
}  // namespace ridge::measure
