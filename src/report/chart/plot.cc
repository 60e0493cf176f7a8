// SPDX-License-Identifier: Apache-2.0
#include "report/chart/plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/chart/free_labels.h"

namespace ridge::report {

std::string Plot::grid_y(const TickText& y, double parts) const {
  std::string out;
  for (const double v : y_.ticks(parts))
    out += svg_line(size_.left, y_.at(v), size_.right, y_.at(v)) +
           svg_text(size_.left - 7, y_.at(v) + 4, "end", v == 0 ? "0" : y(v));
  return out;
}

std::string Plot::x_label(double at, std::string_view words) const {
  const double x = x_.at(at);
  const bool fits = x + text_width(words) / 2 < size_.width;
  return svg_line(x, size_.floor, x, size_.floor + 4) +
         svg_text(x, size_.floor + 18, fits ? "middle" : "end", words);
}

std::string Plot::x_labels(const std::vector<double>& values, const TickText& x) const {
  std::string out;
  for (const TickLabel& label : x_.labels(values, x)) out += x_label(label.value, label.words);
  return out;
}

std::string Plot::x_title(std::string_view title) const {
  return svg_text((size_.left + size_.right) / 2, size_.floor + 37, "middle", title);
}

std::string Plot::y_title(std::string_view title) const {
  return svg_text(size_.left + 4, size_.top - 12, "", title);
}

std::string Plot::grid(const TickText& x, const TickText& y, std::string_view title) const {
  return grid_y(y) + x_labels(x_.ticks(), x) + x_title(title);
}

std::string Plot::line(std::vector<ChartPlace> points, std::string_view look) const {
  for (ChartPlace& p : points) p = at(p);
  return svg_points("polyline", points, look);
}

std::string Plot::area(const std::vector<ChartPlace>& upper, const std::vector<ChartPlace>& lower,
                       std::string_view color, double opacity) const {
  std::vector<ChartPlace> around = upper;
  around.insert(around.end(), lower.rbegin(), lower.rend());
  for (ChartPlace& p : around) p = at(p);
  return svg_points("polygon", around,
                    fmt::format("style=\"fill:{};opacity:{:.2f}\"", color, opacity));
}

std::string Plot::dot(ChartPlace value, double radius, std::string_view look,
                      std::string_view title) const {
  return svg_dot(at(value), radius, look, title);
}

std::string Plot::bar(double from, double to, double value, std::string_view look,
                      std::string_view title) const {
  const double left = x_.at(from), height = std::max(size_.floor - y_.at(value), 0.3);
  return svg_rect({left, size_.floor - height, x_.at(to) - left, value > 0 ? height : 0}, look,
                  title);
}

std::string Plot::level(double y, std::string_view words) const {
  const double at = y_.at(y);
  return svg_line(size_.left, at, size_.right, at, "class=\"limit\"") +
         svg_text(size_.right - 4, at < size_.top + 14 ? at + 14 : at - 5, "end limit", words);
}

std::string Plot::segment(ChartPlace from, ChartPlace to, std::string_view look) const {
  return svg_line(x_.at(from.x), y_.at(from.y), x_.at(to.x), y_.at(to.y), look);
}

std::string Plot::upright(double x, std::string_view look) const {
  return svg_line(x_.at(x), size_.top, x_.at(x), size_.floor, look);
}

std::string Plot::svg(std::string_view css, std::string_view what, std::string_view markup) const {
  return svg_chart(css, size_.width, size_.height, what, markup);
}

std::string captioned(std::string_view caption, std::string_view chart) {
  return fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", html_escape(caption),
                     chart);
}

}  // namespace ridge::report
