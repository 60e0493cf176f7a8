// SPDX-License-Identifier: Apache-2.0
// Predicted and achieved gains as dots with whiskers on one linear scale, a small SVG per finding.
//
//   const GainPlot plot(gains);
//   out += plot.plot({.predicted = f.gain_ns, .achieved = check.gain_ns, .css = "faster"});
//
// The predicted gain is the hollow dot with the dashed whisker above, the achieved one the full dot
// below. The scale contains 0 and all intervals. Thread rule: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "report/chart/axis.h"

namespace ridge::report {

/// Gains of a finding; a median that is NaN is unknown, too.
struct Gains {
  std::optional<stats::Estimate> predicted, achieved;
  std::string_view css;  ///< class of the achieved one: "faster", "slower", "same", "unjudged"
};

class GainPlot {
 public:
  explicit GainPlot(const std::vector<Gains>& gains);

  /// Labels of the scale, for the head of the column.
  std::string axis() const;
  std::string plot(const Gains& gains) const;

 private:
  ChartAxis axis_;
};

}  // namespace ridge::report
