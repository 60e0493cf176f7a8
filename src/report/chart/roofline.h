// SPDX-License-Identifier: Apache-2.0
// Roofline chart as one SVG: log-log axes, the measured roofs, and a bubble per layer or model
// whose area is its share of the time.
//
//   chart.roofs = …; chart.points = …;   std::string svg = roofline_svg(chart);
//
// Coordinates: x = arithmetic intensity in FLOP/B, y = FLOP/s; a multiply-add counts as 2. Points
// without an intensity or rate (no arithmetic, no time) cannot be drawn on logarithmic axes; the
// caption counts them. Names are untrusted text and escaped here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/chart/arrows.h"
#include "roofline/roofs.h"

namespace ridge::report {

struct ChartPoint {
  double intensity = 0;  ///< FLOP/B
  double flop_per_s = 0;
  double share = 0;    ///< share of the time, 0..1: the bubble's area
  std::string label;   ///< first line of the tooltip
  std::string series;  ///< color and legend: operator type, or model
  std::string id;      ///< links a bubble with its table row; [a-z0-9-] only
};

/// Where a reader finds what a bubble stands for.
enum class PointNames : std::uint8_t {
  kInLegend,  ///< its series' color, in a legend below the chart
  kBeside,    ///< its label, beside the bubble: for few points, each a run of its own
};

struct Chart {
  roofline::Roofs roofs;
  /// Data type whose compute roof ends the bandwidth roofs; if it is unknown, the highest compute
  /// roof ends them
  std::string dtype = "float32";
  std::vector<ChartPoint> points;
  PointNames names = PointNames::kInLegend;
  /// Between points; one with an end that cannot be drawn is left out.
  std::vector<ChartArrow> arrows = {};
};

/// Standalone <svg> element. Colors are CSS variables with defaults inside, so that it works alone
/// and in the report, light and dark.
std::string roofline_svg(const Chart& chart);
/// Content of the <style> in it.
std::string_view roofline_style();

}  // namespace ridge::report
