// What the charts of an accelerator's page draw, of a layer at a point and of the whole.
//
//   for (const Measure& m : measures(view)) m.of_layer(point, i), m.text(*value)
//
// A measure that nothing on the page knows is left out. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/study.h"

namespace ridge::report {

struct Measure {
  std::string_view title;
  std::optional<double> (*of_layer)(const accelerator::StudyPoint& point, std::size_t layer);
  std::optional<double> (*of_point)(const accelerator::StudyPoint& point);
  std::string (*text)(double value);
  bool logarithmic = false;  ///< in every chart of the page: its points span more than a decade
};

/// Those that some point of `view` knows, in the order of the page.
std::vector<Measure> measures(const accelerator::Study& view);

/// Whether a reader sees points differ in it.
bool varies(const accelerator::Study& view, const Measure& measure);

/// Latency, or cycles where the machine has no clock: what a point is judged by.
Measure duration_measure(const accelerator::Study& view);
Measure energy_measure(const accelerator::Study& view);
Measure edp_measure(const accelerator::Study& view);

}  // namespace ridge::report
