// The charts of an accelerator's page, each a standalone <svg>: bars by layer and point, lines over
// a sweep, points in the plane of latency and energy.
//
// Names are hostile text: escaped here. What is not known is not drawn, never as 0.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "export/accelerator_words.h"
#include "report/accelerator_measures.h"
#include "report/accelerator_rows.h"

namespace ridge::report {

/// A colour and a name.
struct NamedColour {
  std::string name, colour;
};

/// "● pad none ● pad 16x16x16", on a line of its own.
std::string colour_keys(const std::vector<NamedColour>& keys);

/// Layers from left to right, of each a bar per point; a dot where the measure is logarithmic.
std::string layer_bars(const accelerator::Study& view, const Measure& measure,
                       std::span<const LayerRow> layers, const std::vector<NamedColour>& keys);

/// One line per combination of the other axes, over the numbers of `axis`, whose scale is
/// logarithmic where they span more than a decade.
std::string sweep_lines(const accelerator::Study& view, const std::vector<exports::Axis>& axes,
                        std::size_t axis, const Measure& measure);
/// The lines' names and colours; empty where there is but one.
std::vector<NamedColour> line_keys(const accelerator::Study& view,
                                   const std::vector<exports::Axis>& axes, std::size_t axis);

struct Spot {
  double x = 0, y = 0;
  std::string label;       ///< tooltip
  bool best = false;       ///< on the front, which a line joins
  std::size_t series = 0;  ///< fronts are of their own, and have that colour
};
std::string spots(const std::vector<Spot>& spots, const Measure& x, const Measure& y);

/// Whether every value is a number, and there are at least three.
bool numeric(const exports::Axis& axis);

}  // namespace ridge::report
