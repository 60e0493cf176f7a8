// SPDX-License-Identifier: Apache-2.0
// Axis of a chart: its range, its spacing, and the pixels that it spans.
//
//   const ChartAxis axis = log_axis(1e6, 1e9).over(72, 584);
//   for (const auto& [ns, words] : axis.labels(axis.ticks(), short_duration))
//     out += svg_text(axis.at(ns), 12, "middle", words);
//
// Values beyond an axis are drawn at its end. Thread rule: plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ridge::report {

enum class AxisSpacing : std::uint8_t { kLinear, kLogarithmic };

using TickText = std::function<std::string(double)>;

struct TickLabel {
  double value = 0;
  std::string words;
};

struct ChartAxis {
  double low = 0, high = 1;  ///< 0 < low where it is logarithmic
  AxisSpacing spacing = AxisSpacing::kLinear;
  double from = 0, to = 1;  ///< pixels of `low` and `high`

  bool logarithmic() const { return spacing == AxisSpacing::kLogarithmic; }
  /// Returns the same range on other pixels.
  ChartAxis over(double first, double last) const { return {low, high, spacing, first, last}; }
  /// Pixel of a value.
  double at(double value) const;
  /// Round values: about `parts` of them, or the ticks of a logarithmic axis.
  std::vector<double> ticks(double parts = 5) const;
  /// Labels of a horizontal axis, without those that would lie on one before them.
  std::vector<TickLabel> labels(const std::vector<double>& values, const TickText& text) const;
};

/// Axis from 0 that contains `most`.
ChartAxis axis_from_zero(double most);
/// Logarithmic axis that contains positive values from `least` to `most`.
ChartAxis log_axis(double least, double most);
/// Logarithmic axis over the whole decades that contain `least` to `most`.
ChartAxis decade_axis(double least, double most);

/// Smallest range that contains some values.
struct ValueRange {
  double low, high;
  ValueRange();
  void take(double value);
  bool empty() const { return low > high; }
};

}  // namespace ridge::report
