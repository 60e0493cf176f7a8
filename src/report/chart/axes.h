// Axes and frame of the charts of an evaluation's page.
//
//   const Plot plot({.low = 0, .high = 10}, {.low = 1e6, .high = 1e8, .spacing = kLogarithmic});
//   out = plot.grid(seconds, short_duration) + plot.line(points, color);
//   return plot.svg("latency over time", out);
//
// Values beyond an axis are drawn at its end. Thread rule: immutable once made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

enum class AxisSpacing : std::uint8_t { kLinear, kLogarithmic };

/// Range of an axis; low < high, and 0 < low where it is logarithmic.
struct ChartAxis {
  double low = 0, high = 1;
  AxisSpacing spacing = AxisSpacing::kLinear;

  /// Position from 0 to 1.
  double share(double value) const;
  std::vector<double> ticks() const;
};

/// Axis from 0 that contains `most`.
ChartAxis axis_from_zero(double most);
/// Logarithmic axis that contains positive values from `least` to `most`.
ChartAxis log_axis(double least, double most);

struct PlotPoint {
  double x = 0, y = 0;
};

using TickText = std::function<std::string(double)>;

class Plot {
 public:
  static constexpr double kWidth = 600, kHeight = 270, kLeft = 72, kRight = 16, kTop = 14,
                          kFloor = 226;

  Plot(const ChartAxis& x, const ChartAxis& y) : x_(x), y_(y) {}

  double px(double x) const { return kLeft + x_.share(x) * (kWidth - kRight - kLeft); }
  double py(double y) const { return kFloor - y_.share(y) * (kFloor - kTop); }

  /// Lines and labels of the ticks, and the title of the horizontal axis.
  std::string grid(const TickText& x, const TickText& y, std::string_view x_title) const;
  std::string grid_y(const TickText& y) const;
  std::string x_title(std::string_view title) const;
  std::string x_label(double at, std::string_view words) const;
  std::string line(const std::vector<PlotPoint>& points, std::string_view color) const;
  /// Area between the line and the floor.
  std::string area(const std::vector<PlotPoint>& upper, const std::vector<PlotPoint>& lower,
                   std::string_view color, double opacity) const;
  /// Line across the chart at a value, with words at its right end.
  std::string level(double y, std::string_view words) const;
  std::string svg(std::string_view what, std::string_view markup) const;

  const ChartAxis& x() const { return x_; }

 private:
  ChartAxis x_, y_;
};

/// <figure> of a chart with its caption.
std::string captioned(std::string_view caption, std::string_view chart);

}  // namespace ridge::report
