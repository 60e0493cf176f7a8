// SPDX-License-Identifier: Apache-2.0
#include "report/chart/row_plot.h"

#include <fmt/format.h>

#include <cmath>

#include "report/chart/svg.h"

namespace ridge::report {
namespace {

constexpr double kBeyond = 1e-4;  ///< share of a value by which it must exceed its axis

}  // namespace

std::string RowPlot::grid(const std::vector<double>& values, const TickText& text) const {
  std::string out;
  for (const double v : values) out += svg_line(x_.at(v), size_.top - 6, x_.at(v), floor());
  for (const TickLabel& label : x_.labels(values, text))
    out += svg_text(x_.at(label.value), size_.top - 11, "middle", label.words);
  return out;
}

std::string RowPlot::label(std::size_t row, std::string_view words, std::string_view css) const {
  return svg_text(size_.labels - 10, y(row) + 4, css, words);
}

std::string RowPlot::value(std::size_t row, std::string_view words, std::string_view css) const {
  return svg_text(size_.width, y(row) + 4, css, words);
}

std::string RowPlot::svg(std::string_view css, std::string_view what,
                         std::string_view markup) const {
  return svg_chart(css, size_.width, floor() + 4, what, markup);
}

std::string interval_dot(const ChartAxis& axis, double y, const IntervalDot& mark) {
  std::string out;
  if (mark.interval)
    out = svg_line(axis.at(mark.interval->lo), y, axis.at(mark.interval->hi), y, mark.line);
  const double at = axis.at(mark.value), size = mark.radius + 0.4;
  const bool above = mark.value > axis.high + kBeyond * std::abs(axis.high);
  if (above || mark.value < axis.low - kBeyond * std::abs(axis.low))
    return out + fmt::format("<path{}{} d=\"M{:.1f} {:.1f} l0 {:.1f} l{:.1f} {:.1f} z\"/>",
                             mark.dot.empty() ? "" : " ", mark.dot, at, y - size, 2 * size,
                             (above ? 1.6 : -1.6) * size, -size);
  return out + svg_dot({at, y}, mark.radius, mark.dot);
}

}  // namespace ridge::report
