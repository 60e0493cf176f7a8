// SPDX-License-Identifier: Apache-2.0
// Charts of an accelerator's page, each a standalone <svg>: bars by layer and point, lines over a
// sweep, points in the plane of latency and energy.
//
// Names are untrusted text and escaped here. Unknown values are not drawn, never drawn as 0.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "export/accelerator/words.h"
#include "report/accelerator/measures.h"
#include "report/accelerator/rows.h"
#include "report/chart/keys.h"

namespace ridge::report {

/// Bar chart: layers from left to right, per layer one bar per point, or one dot where the measure
/// is logarithmic.
std::string layer_bars(const accelerator::Study& view, const Measure& measure,
                       std::span<const LayerRow> layers, const std::vector<NamedColor>& keys);

/// Line chart over the values of `axis`, with one line per combination of the other axes. The scale
/// of `axis` is logarithmic where its values span more than a decade.
std::string sweep_lines(const accelerator::Study& view, const std::vector<exports::Axis>& axes,
                        std::size_t axis, const Measure& measure);
/// Names and colors of the lines; empty where there is only one.
std::vector<NamedColor> line_keys(const accelerator::Study& view,
                                  const std::vector<exports::Axis>& axes, std::size_t axis);

struct Spot {
  double x = 0, y = 0;
  std::string label;       ///< tooltip
  bool best = false;       ///< on the Pareto front of its series, drawn as a line
  std::size_t series = 0;  ///< color of the front
};
std::string spots(const std::vector<Spot>& spots, const Measure& x, const Measure& y);

/// True if every value is a number and at least three are distinct.
bool numeric(const exports::Axis& axis);

}  // namespace ridge::report
