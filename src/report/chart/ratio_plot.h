// SPDX-License-Identifier: Apache-2.0
// Ratios to the baseline as dots with whiskers on one logarithmic scale, a small SVG per cell.
//
// The scale is symmetric around 1 and covers nine tenths of the groups' ratios; a ratio beyond it
// is drawn as an arrow at its edge.
#pragma once

#include <string>
#include <string_view>

#include "compare/rows.h"
#include "report/chart/axis.h"

namespace ridge::report {

class RatioPlot {
 public:
  explicit RatioPlot(const compare::Comparison& comparison);

  /// Labels of the scale's ends and middle, for the head of the column.
  std::string axis() const;
  /// Plot of one cell; without a ratio it shows only the band of ratios that do not matter.
  std::string plot(const compare::Cell& cell) const;
  /// Largest ratio on the scale; its inverse is the smallest.
  double most() const { return most_; }

 private:
  double most_ = 2, threshold_ = 0;
  ChartAxis axis_;
};

/// CSS class of a verdict: "faster", "slower", "same" (no difference shown), "unjudged" or "base".
std::string_view verdict_class(compare::Verdict verdict);

}  // namespace ridge::report
