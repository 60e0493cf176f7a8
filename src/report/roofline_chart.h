// The roofline as one SVG: log-log, the measured roofs drawn, a bubble per layer or model with an
// area by its share of the time.
//
//   chart.roofs = …; chart.points = …;   std::string svg = report::roofline_svg(chart);
//
// Coordinates: x = arithmetic intensity in FLOP/B, y = FLOP/s, a multiply-add as 2. Points without
// an intensity or rate (no arithmetic, no time) cannot be drawn on logarithmic axes; they are
// counted in the caption, never dropped silently. Names are hostile: escaped here.
#pragma once

#include <string>
#include <vector>

#include "roofline/roofs.h"

namespace ridge::report {

struct ChartPoint {
  double intensity = 0;  ///< FLOP/B
  double flop_per_s = 0;
  double share = 0;    ///< of the time, 0..1: the bubble's area
  std::string label;   ///< tooltip, first line of what the point is
  std::string series;  ///< colour and legend: operator type, or model
  std::string id;      ///< links a bubble with its table row; [a-z0-9-] only
};

struct Chart {
  roofline::Roofs roofs;
  std::string dtype = "float32";  ///< compute roof that bounds the bandwidth roofs
  std::vector<ChartPoint> points;
};

/// A standalone <svg> element, colours by CSS classes with defaults inside (works alone and in the
/// report, light and dark).
std::string roofline_svg(const Chart& chart);

}  // namespace ridge::report
