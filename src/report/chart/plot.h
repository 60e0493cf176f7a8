// SPDX-License-Identifier: Apache-2.0
// Plane of a chart: two axes, grid, labels and marks.
//
//   const Plot plot({.low = 0, .high = 10}, log_axis(1e6, 1e8));
//   out = plot.grid(seconds, short_duration, "time") + plot.line(points, stroke(color));
//   return plot.svg("ac ev", "latency over time", out);
//
// Values beyond an axis are drawn at its end. Texts are escaped here; `look`, the attributes of a
// mark (svg.h), is trusted. Thread rule: immutable once made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/chart/axis.h"
#include "report/chart/svg.h"

namespace ridge::report {

/// Pixels of a chart and of the plane in it.
struct PlotSize {
  double width = 600, height = 270;
  double left = 72, right = 584, top = 14, floor = 226;
};

class Plot {
 public:
  Plot(const ChartAxis& x, const ChartAxis& y, const PlotSize& size = {})
      : x_(x.over(size.left, size.right)), y_(y.over(size.floor, size.top)), size_(size) {}

  const ChartAxis& x() const { return x_; }
  const ChartAxis& y() const { return y_; }
  ChartPlace at(ChartPlace value) const { return {x_.at(value.x), y_.at(value.y)}; }

  /// Lines and labels of the ticks, and the title of the horizontal axis.
  std::string grid(const TickText& x, const TickText& y, std::string_view x_title) const;
  std::string grid_y(const TickText& y, double parts = 5) const;
  /// Labels below the plane, as many of them as fit.
  std::string x_labels(const std::vector<double>& values, const TickText& x) const;
  std::string x_label(double at, std::string_view words) const;
  std::string x_title(std::string_view title) const;
  /// Title above the vertical axis.
  std::string y_title(std::string_view title) const;

  std::string line(std::vector<ChartPlace> points, std::string_view look) const;
  /// Area between two lines.
  std::string area(const std::vector<ChartPlace>& upper, const std::vector<ChartPlace>& lower,
                   std::string_view color, double opacity) const;
  std::string dot(ChartPlace at, double radius, std::string_view look,
                  std::string_view title = "") const;
  /// Bar from the floor to `value`, between two values of the horizontal axis.
  std::string bar(double from, double to, double value, std::string_view look,
                  std::string_view title = "") const;
  /// Line across the plane at a value, with words at its right end.
  std::string level(double y, std::string_view words) const;
  std::string segment(ChartPlace from, ChartPlace to, std::string_view look = "") const;
  /// Line from the floor to the top.
  std::string upright(double x, std::string_view look) const;
  std::string svg(std::string_view css, std::string_view what, std::string_view markup) const;

 private:
  ChartAxis x_, y_;
  PlotSize size_;
};

/// <figure> of a chart with its caption.
std::string captioned(std::string_view caption, std::string_view chart);

}  // namespace ridge::report
