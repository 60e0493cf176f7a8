// SPDX-License-Identifier: Apache-2.0
#include "report/comparison/tree.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compare/comparison.h"
#include "compare/testing.h"
#include "report/chart/ratio_plot.h"
#include "report/comparison/difference.h"

namespace ridge::report {
namespace {

using compare::Comparison;
using compare::testing::LayerSketch;
using compare::testing::run_of;

/// Comparison of two runs with one layer per node; `first` and `second` are its times in ns.
Comparison of_nodes(const std::vector<std::string>& nodes, std::vector<std::int64_t> first,
                    std::vector<std::int64_t> second) {
  std::vector<LayerSketch> layers[2];
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    layers[0].push_back({{n}, std::vector<std::int64_t>(8, first[n])});
    layers[1].push_back({{n}, std::vector<std::int64_t>(8, second[n])});
  }
  return *compare::compare_runs({run_of("one", nodes, layers[0]), run_of("two", nodes, layers[1])});
}

std::string outline(const ComparisonTree& tree) {
  std::string out;
  for (const ComparisonTree::Visit& v : tree.preorder())
    out += std::string(2 * v.depth, ' ') + tree[v.branch].label + "\n";
  return out;
}

TEST(ComparisonTree, HoldsEveryGroupOnceMostTimeApartFirst) {
  const Comparison c = of_nodes({"in:Conv", "a/b/x:Conv", "a/b/y:Conv", "a/z:Conv", "h/o:Gemm"},
                                {10, 20, 30, 40, 50}, {11, 25, 30, 47, 50});
  EXPECT_EQ(outline(ComparisonTree(c)),
            "a\n"
            "  z\n"
            "  b\n"
            "    x\n"
            "    y\n"
            "in\n"
            "h: o\n");
}

TEST(ComparisonTree, AModuleBetweenOnesWithItsNameAndABlankStaysApart) {
  const Comparison c =
      of_nodes({"a/x/1:Conv", "a/x/2:Conv", "a-b/1:Conv", "a-b/2:Conv", "a/y/1:Conv", "a/y/2:Conv"},
               {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1});
  const ComparisonTree tree(c);
  ASSERT_EQ(tree.roots().size(), 2U);
  for (const std::uint32_t root : tree.roots())
    EXPECT_EQ(tree[root].children.size(), 2U) << tree[root].label;
}

TEST(ComparisonTree, SumsCountEveryGroupOnce) {
  const Comparison c =
      of_nodes({"in:Conv", "a/b/x:Conv", "a/b/y:Conv", "a/z:Conv"}, {10, 20, 30, 40}, {1, 2, 3, 4});
  const ComparisonTree tree(c);
  const std::vector<double> sums =
      tree.sums([](const compare::Row& row) { return *row.cells[0].time_ns; });
  ASSERT_EQ(tree[tree.roots()[0]].label, "a");
  EXPECT_EQ(sums[tree.roots()[0]], 90);
  EXPECT_EQ(sums[tree.roots()[1]], 10);
}

TEST(DifferenceSteps, ManyGroupsAreTheLargestAndTheRest) {
  std::vector<std::string> nodes;
  std::vector<std::int64_t> first, second;
  for (int i = 0; i < 40; ++i) {
    nodes.push_back("n" + std::to_string(i) + ":Conv");
    first.push_back(1000);
    second.push_back(1000 + i);
  }
  const Comparison c = of_nodes(nodes, first, second);
  const std::vector<Step> steps = module_steps(c, ComparisonTree(c), 1);
  EXPECT_EQ(steps[0].ns, 39);
  EXPECT_EQ(steps[13].label, "27 others");
  EXPECT_EQ(steps[13].ns, 27 * 26 / 2);
  EXPECT_EQ(operator_steps(c, 1)[0].ns, 40 * 39 / 2);
}

double svg_attribute(const std::string& svg, std::string_view key, std::size_t from = 0) {
  return std::stod(svg.substr(svg.find(key, from) + key.size()));
}

TEST(RatioPlot, OneIsInTheMiddleAndInversesAreEquallyFar) {
  const RatioPlot plot(of_nodes({"n:Conv", "m:Conv"}, {100, 100}, {180, 180}));
  EXPECT_EQ(plot.most(), 2);
  const auto at = [&](double ratio) { return svg_attribute(plot.plot({.ratio = ratio}), "cx=\""); };
  EXPECT_EQ(at(1), 75);
  EXPECT_NEAR(at(2) - 75, 75 - at(0.5), 0.11);
  EXPECT_NEAR(at(std::sqrt(2.0)) - 75, (at(2) - 75) / 2, 0.11);
}

TEST(RatioPlot, WhatIsPastTheScaleIsAnArrowAndNoRatioNothing) {
  const RatioPlot plot(of_nodes({"n:Conv"}, {100}, {110}));
  const std::string past = plot.plot({.ratio = 7.0, .ratio_interval = stats::Interval{0.5, 9}});
  EXPECT_EQ(past.find("<circle"), std::string::npos);
  EXPECT_NE(past.find("<path"), std::string::npos);
  EXPECT_EQ(svg_attribute(past, "x2=\"") - 75,
            75 - svg_attribute(past, "x1=\""));  // clipped at both ends
  const std::string none = plot.plot({});
  EXPECT_EQ(none.find("<circle"), std::string::npos);
  EXPECT_EQ(none.find("<path"), std::string::npos);
}

/// Values of an attribute of the rectangles that stand for times, in order.
std::vector<double> of_times(const std::string& svg, std::string_view key) {
  std::vector<double> out;
  for (std::size_t at = svg.find("<rect "); at != std::string::npos;
       at = svg.find("<rect ", at + 1))
    if (const std::string tag = svg.substr(at, svg.find('>', at) - at);
        tag.find("data-ns") != std::string::npos)
      out.push_back(svg_attribute(tag, key));
  return out;
}

TEST(DifferenceChart, PartsOfALatencyStandBesideEachOther) {
  const std::string svg =
      latency_bars(of_nodes({"n:Conv", "m:Gemm", "o:Relu"}, {100, 200, 300}, {300, 100, 50}));
  const std::vector<double> x = of_times(svg, " x=\""), y = of_times(svg, " y=\""),
                            width = of_times(svg, " width=\"");
  ASSERT_EQ(x.size(), 9U);  // of both runs and of the fastest of each
  for (std::size_t i = 1; i < x.size(); ++i)
    EXPECT_NEAR(x[i], y[i] == y[i - 1] ? x[i - 1] + width[i - 1] : x[0], 0.02) << i;
}

TEST(DifferenceChart, StepsAreAsWideAsTheirTimes) {
  const Comparison c = of_nodes({"n:Conv", "m:Gemm", "o:Relu"}, {100, 100, 100}, {150, 190, 80});
  const std::vector<Step> steps = operator_steps(c, 1);
  const std::string svg = waterfall(c, 1, steps);
  const std::vector<double> width = of_times(svg, " width=\""), ns = of_times(svg, " data-ns=\"");
  ASSERT_GE(width.size(), 3U);
  for (std::size_t i = 1; i < 3; ++i)
    EXPECT_NEAR(width[i] / width[0], std::abs(ns[i] / ns[0]), 0.01) << i;
}

}  // namespace
}  // namespace ridge::report
