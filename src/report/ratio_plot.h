// Ratios to the baseline as dots with whiskers on one logarithmic scale, a small SVG per cell.
//
// The scale reaches equally far to both sides of 1, over nine tenths of the groups' ratios; what
// lies past it is drawn as an arrow at its edge.
#pragma once

#include <string>
#include <string_view>

#include "compare/comparison.h"

namespace ridge::report {

class RatioPlot {
 public:
  explicit RatioPlot(const compare::Comparison& comparison);

  /// The scale's ends and its middle, for the head of the column.
  std::string axis() const;
  /// Nothing but the scale where there is no ratio.
  std::string plot(const compare::Cell& cell) const;
  /// The largest ratio on the scale; its inverse is the smallest.
  double most() const { return most_; }

 private:
  double x(double ratio) const;

  double most_ = 2, threshold_ = 0;
};

/// "faster", "slower", "same" (no difference shown), "unjudged", "base": class of markup.
std::string_view verdict_class(compare::Verdict verdict);

}  // namespace ridge::report
