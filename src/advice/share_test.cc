#include "advice/share.h"

#include <gtest/gtest.h>

namespace ridge::advice {
namespace {

profile::Profile run_of(double latency, std::vector<double> layers) {
  profile::Profile run;
  run.latency.ns = {latency, latency, latency};
  for (const double ns : layers) {
    profile::Layer layer;
    layer.corrected_ns = ns;
    run.layers.push_back(layer);
  }
  return run;
}

TEST(ShareText, IsOfTheRunWhereTheLayersFitIntoIt) {
  EXPECT_EQ(share_text(25, run_of(100, {25, 50})), "25 % of the run");
}

TEST(ShareText, IsOfTheLayersWhereTheyTakeMoreThanTheRun) {
  EXPECT_EQ(share_text(300, run_of(100, {300, 100})), "75 % of the layers' time");
  EXPECT_EQ(share_text(50, run_of(100, {300, 100})), "12 % of the layers' time");
}

TEST(ShareText, IsNeverAboveAHundredPercent) {
  EXPECT_EQ(share_text(150, run_of(100, {50})), "more than a run without the profiler takes");
}

}  // namespace
}  // namespace ridge::advice
