// SPDX-License-Identifier: Apache-2.0
#include "advice/record/share.h"

#include <gtest/gtest.h>

namespace ridge::advice {
namespace {

profile::Profile shared_run(double latency, std::vector<double> layers) {
  profile::Profile run;
  run.latency.ns = {latency, {{latency, latency}}};
  for (const double ns : layers) {
    profile::Layer layer;
    layer.corrected_ns = ns;
    run.layers.push_back(layer);
  }
  return run;
}

TEST(ShareText, IsOfTheRunWhereTheLayersFitIntoIt) {
  EXPECT_EQ(share_text(25, shared_run(100, {25, 50})), "25 % of the run");
}

TEST(ShareText, IsOfAProfiledRunWhereItsPartsTakeMoreThanTheRun) {
  profile::Profile run = shared_run(100, {300, 70});
  run.profiling.gaps_ns = 30;
  EXPECT_EQ(share_text(300, run), "75 % of a profiled run");
  EXPECT_EQ(share_text(50, run), "12 % of a profiled run");
  EXPECT_EQ(share_text(30, run), "8 % of a profiled run");
  EXPECT_DOUBLE_EQ(max_gain(300, run) + max_gain(70, run) + max_gain(30, run), 100);
}

TEST(ShareText, IsNeverAboveAHundredPercent) {
  EXPECT_EQ(share_text(150, shared_run(100, {50})), "100 % of the run");
  EXPECT_DOUBLE_EQ(max_gain(150, shared_run(100, {50})), 100);
}

}  // namespace
}  // namespace ridge::advice
