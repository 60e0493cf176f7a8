// SPDX-License-Identifier: Apache-2.0
// Data of the page of bricks, and the texts and bars that its sections share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bricks/brick_times.h"
#include "bricks/check.h"
#include "bricks/plan.h"
#include "bricks/sharing.h"
#include "bricks/suite_goal.h"

namespace ridge::report {

struct BricksPage {
  const bricks::Plan* plan = nullptr;
  std::span<const bricks::ModelProgress> estimates = {};  ///< empty before bricks are measured
  const bricks::BrickTimes* times = nullptr;              ///< null before bricks are measured
  const bricks::Check* check = nullptr;                   ///< null unless models were measured
};

/// Data of the page with the figures that several sections use.
struct BricksView : BricksPage {
  explicit BricksView(const BricksPage& page);

  bricks::Sharing sharing;
  /// Names of the models for charts: without the path or prefix that all have in common.
  std::vector<std::string> names;

  bool measured() const { return times != nullptr && !times->all().empty(); }
};

/// Table cell of the half-width of an interval, "±2.1 %"; "?" without one.
std::string half_width_cell(double relative);

/// Segment of a bar that is divided into parts.
struct BarPart {
  std::string_view css;
  double share = 0;  ///< part of the bar's full width
  std::string title;
};
std::string parts_bar(const std::vector<BarPart>& parts);

}  // namespace ridge::report
