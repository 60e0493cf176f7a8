// SPDX-License-Identifier: Apache-2.0
// Measures that an accelerator's page shows, for a layer at a point and for a whole point.
//
//   for (const Measure& m : measures(view)) m.of_layer(point, i), m.text(*value)
//
// A measure that no point of the page has is left out. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/study/result.h"

namespace ridge::report {

struct Measure {
  std::string_view title;
  std::optional<double> (*of_layer)(const accelerator::StudyPoint& point, std::size_t layer);
  std::optional<double> (*of_point)(const accelerator::StudyPoint& point);
  std::string (*text)(double value);
  bool logarithmic = false;  ///< scale in all charts: the points span more than a decade
};

/// Measures that at least one point of `view` has, in the order of the page.
std::vector<Measure> measures(const accelerator::Study& view);

/// True if the displayed value differs between points.
bool varies(const accelerator::Study& view, const Measure& measure);

/// Latency, or cycles where the machine has no clock.
Measure duration_measure(const accelerator::Study& view);
Measure energy_measure(const accelerator::Study& view);
Measure edp_measure(const accelerator::Study& view);

}  // namespace ridge::report
