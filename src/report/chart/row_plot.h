// SPDX-License-Identifier: Apache-2.0
// Chart of rows: each has a label at its left, marks along one horizontal axis, a value at its
// right.
//
//   const RowPlot plot(log_axis(1e6, 1e8), {.labels = 70, .values = 110, .top = 42, .row = 15}, 3);
//   out = plot.grid(plot.x().ticks(), short_duration) + plot.label(0, "p50") +
//         interval_dot(plot.x(), plot.y(0), {.value = 2e6});
//   return plot.svg("ac ev wide", "percentiles", out);
//
// Texts are escaped here. Thread rule: immutable once made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/chart/axis.h"
#include "report/chart/plot.h"
#include "stats/samples.h"

namespace ridge::report {

/// Pixels of a chart of rows.
struct RowSize {
  double labels = 0, values = 0;  ///< widths beside the axis
  double top = 0, row = 0;        ///< heights above the rows, and of a row
  double width = 1200;
};

class RowPlot {
 public:
  RowPlot(const ChartAxis& x, const RowSize& size, std::size_t rows)
      : x_(x.over(size.labels, size.width - size.values)), size_(size), rows_(rows) {}

  const ChartAxis& x() const { return x_; }
  /// Middle of a row.
  double y(std::size_t row) const {
    return size_.top + size_.row * (static_cast<double>(row) + 0.5);
  }
  double floor() const { return size_.top + size_.row * static_cast<double>(rows_); }

  /// Lines at values, with labels above the rows, as many of them as fit.
  std::string grid(const std::vector<double>& values, const TickText& text) const;
  std::string label(std::size_t row, std::string_view words, std::string_view css = "end") const;
  /// Text at the right end of a row.
  std::string value(std::size_t row, std::string_view words, std::string_view css = "end") const;
  std::string svg(std::string_view css, std::string_view what, std::string_view markup) const;

 private:
  ChartAxis x_;
  RowSize size_;
  std::size_t rows_;
};

/// A value and its interval, as a dot with a line. `line` and `dot` are attributes (svg.h).
struct IntervalDot {
  double value = 0;
  std::optional<stats::Interval> interval;
  double radius = 4;
  std::string_view line = {}, dot = {};
};
/// A value beyond the axis is an arrow at its end.
std::string interval_dot(const ChartAxis& axis, double y, const IntervalDot& mark);

}  // namespace ridge::report
