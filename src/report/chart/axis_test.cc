// SPDX-License-Identifier: Apache-2.0
#include "report/chart/axis.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/chart/free_labels.h"
#include "report/chart/row_plot.h"

namespace ridge::report {
namespace {

std::string digits(double v) { return fmt::format("{:.3g}", v); }

TEST(ChartAxis, ValuesBeyondItAreAtItsEnds) {
  const ChartAxis linear = ChartAxis{.low = -1, .high = 3}.over(100, 500);
  EXPECT_EQ(linear.at(0), 200);
  EXPECT_EQ(linear.at(-7), 100);
  EXPECT_EQ(linear.at(7), 500);
  const ChartAxis log = decade_axis(0.2, 50).over(500, 100);
  EXPECT_NEAR(log.at(1), 500 - 400 / 3.0, 1e-9);
  EXPECT_EQ(log.at(0), 500);
  EXPECT_EQ(log.at(1e9), 100);
  EXPECT_EQ((ChartAxis{.low = 2, .high = 2}.over(1, 9).at(2)), 1);
}

/// Ranges from a tenth of a decade to 30 decades, at every tenth of a decade.
TEST(ChartAxis, TicksAreRoundFewAndWithinIt) {
  for (const AxisSpacing spacing : {AxisSpacing::kLinear, AxisSpacing::kLogarithmic})
    for (double low = -6; low < 0; low += 0.1)
      for (const double decades : {0.1, 0.4, 1.0, 2.0, 3.5, 7.0, 30.0}) {
        const ChartAxis axis{std::pow(10, low), std::pow(10, low + decades), spacing};
        const std::vector<double> ticks = axis.ticks();
        EXPECT_GE(ticks.size(), 2U) << axis.low << " " << axis.high;
        EXPECT_LE(ticks.size(), 12U) << axis.low << " " << axis.high;
        for (const double v : ticks) {
          EXPECT_TRUE(v >= axis.low * (1 - 1e-6) && v <= axis.high * (1 + 1e-6)) << v;
          EXPECT_NEAR(std::stod(digits(v)), v, 1e-9 * v) << axis.low << " " << axis.high;
        }
      }
}

TEST(ChartAxis, ZeroIsExact) {
  const std::vector<double> ticks = ChartAxis{.low = -0.3, .high = 0.7}.ticks();
  EXPECT_EQ(std::ranges::count(ticks, 0.0), 1);
}

TEST(ChartAxis, NoLabelLiesOnAnotherAndTheFirstOnesAreKept) {
  for (double width = 40; width < 900; width += 7) {
    const ChartAxis axis = ChartAxis{.low = 0, .high = 90}.over(10, 10 + width);
    const std::vector<TickLabel> labels =
        axis.labels({50, 0, 10, 20, 30, 40, 60, 70, 80, 90, 50}, digits);
    ASSERT_FALSE(labels.empty());
    EXPECT_EQ(labels[0].words, "50");
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_GT(std::abs(axis.at(labels[i].value) - axis.at(labels[j].value)),
                  (text_width(labels[i].words) + text_width(labels[j].words)) / 2);
  }
}

TEST(RowPlot, AValueBeyondTheAxisIsAnArrowAtItsEnd) {
  const ChartAxis axis = ChartAxis{.low = -1, .high = 1}.over(0, 200);
  const IntervalDot within{.value = 0.5, .interval = stats::Interval{0, 3}};
  EXPECT_EQ(interval_dot(axis, 9, within),
            "<line x1=\"100\" x2=\"200\" y1=\"9\" y2=\"9\"/><circle cx=\"150\" cy=\"9\" r=\"4\"/>");
  EXPECT_EQ(interval_dot(axis, 9, {.value = 1.5}).find("<path d=\"M200.0 "), 0U);
  EXPECT_EQ(interval_dot(axis, 9, {.value = -1.5}).find("<path d=\"M0.0 "), 0U);
}

}  // namespace
}  // namespace ridge::report
