// SPDX-License-Identifier: Apache-2.0
#include "report/chart/sweep.h"

#include <gtest/gtest.h>

#include "report/kit/testing.h"

namespace ridge::report {
namespace {

profile::Profile point(std::map<std::string, std::int64_t> sizes, std::int32_t threads, double ns) {
  profile::Profile p;
  p.subject.runtime = "ONNX Runtime";
  p.subject.threads = threads;
  for (const auto& [name, value] : sizes) p.subject.bindings[name] = {value, false};
  p.latency.ns = {ns, {{ns, ns}}};
  p.items_per_s = 1e9 / ns;
  return p;
}

TEST(SweepChart, DrawsLatencyAndThroughputOverASize) {
  const profile::Sweep sweep{{point({{"batch", 1}}, 1, 1e6), point({{"batch", 16}}, 1, 1e7),
                              point({{"batch", 4}}, 1, 3e6)}};
  const std::string charts = sweep_charts(sweep);
  EXPECT_EQ(testing::all_between(charts, "<figcaption>", "</figcaption>"),
            (std::vector<std::string>{"latency over batch (both axes logarithmic)",
                                      "items per second over batch (both axes logarithmic)"}));
  const std::string first = charts.substr(0, charts.find("</svg>"));
  EXPECT_EQ(testing::all_between(first, "<title>", "</title>"),
            (std::vector<std::string>{"batch 1: 1 ms", "batch 4: 3 ms", "batch 16: 10 ms"}));
  EXPECT_NE(first.find(">16</text>"), std::string::npos);
}

TEST(SweepChart, HasALineForEachOtherSetting) {
  const profile::Sweep sweep{{point({{"batch", 1}}, 1, 1e6), point({{"batch", 2}}, 1, 2e6),
                              point({{"batch", 1}}, 2, 6e5), point({{"batch", 2}}, 2, 9e5)}};
  const std::string charts = sweep_charts(sweep);
  EXPECT_EQ(testing::all_between(charts, "<figcaption>", " over ").size(), 4U);
  EXPECT_EQ(testing::all_between(charts.substr(0, charts.find("</svg>")), "<polyline", ">").size(),
            2U);
  for (const char* key : {"1 thread", "2 threads", "batch=1", "batch=2"})
    EXPECT_NE(charts.find(key), std::string::npos) << key;
}

TEST(SweepChart, SizesThatVaryTogetherShareAChart) {
  const profile::Sweep sweep{
      {point({{"past", 15}, {"total", 16}}, 1, 1e6), point({{"past", 31}, {"total", 32}}, 1, 2e6)}};
  EXPECT_EQ(testing::all_between(sweep_charts(sweep), "<figcaption>", " over "),
            (std::vector<std::string>{"latency", "items per second"}));
}

TEST(SweepChart, IsEmptyWhereOnlyRuntimesDiffer) {
  profile::Sweep sweep{{point({{"batch", 1}}, 1, 1e6), point({{"batch", 1}}, 1, 2e6)}};
  sweep.profiles[1].subject.runtime = "OpenVINO";
  EXPECT_EQ(sweep_charts(sweep), "");
}

}  // namespace
}  // namespace ridge::report
