// SPDX-License-Identifier: Apache-2.0
// Pieces of SVG that charts share: marks, colors of series and their legend.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

inline constexpr std::size_t kSeriesColors = 8;

/// Colors of series, assigned by descending weight. The last color is shared by all further series,
/// "other".
class Series {
 public:
  explicit Series(const std::map<std::string, double>& weights);

  /// Position of the color.
  std::size_t place(const std::string& name) const;
  std::string_view color(const std::string& name) const;
  /// One name per color in use; the last is "other" where its color is shared.
  std::vector<std::string> names() const;
  /// Rows of dots with names between `x` and `right`, the centers of the first row at `y`.
  std::string legend(double x, double y, double right) const;
  /// Height of the rows of legend() after the first.
  double legend_growth(double x, double right) const;

 private:
  struct Entry {
    std::string name;     ///< as shown
    double x = 0, y = 0;  ///< center of its dot; `y` from the first row's
  };
  std::vector<Entry> entries(double x, double right) const;

  std::vector<std::string> names_;
};

/// A place in pixels, y downwards; or in the values of two axes (plot.h).
struct ChartPlace {
  double x = 0, y = 0;
};
struct ChartBox {
  double x = 0, y = 0, width = 0, height = 0;
};

// Marks. `look` is trusted: the attributes of the element, `class="dim"`. Words and titles, which
// are tooltips, are escaped here.

std::string svg_text(double x, double y, std::string_view css, std::string_view words,
                     std::string_view title = "");
/// Text from a place in the direction of `degrees`, clockwise.
std::string svg_turned_text(ChartPlace at, double degrees, std::string_view css,
                            std::string_view words, std::string_view title = "");
std::string svg_line(double x1, double y1, double x2, double y2, std::string_view look = "");
std::string svg_rect(const ChartBox& box, std::string_view look, std::string_view title = "");
std::string svg_dot(ChartPlace at, double radius, std::string_view look,
                    std::string_view title = "");
/// <polyline> or <polygon>.
std::string svg_points(std::string_view element, const std::vector<ChartPlace>& points,
                       std::string_view look);
std::string svg_group(std::string_view look, std::string_view title, std::string_view markup);
/// A key in a legend: a dot, and words at its right.
std::string svg_key(ChartPlace at, std::string_view look, std::string_view words);
/// <svg>. `what` tells a reader who does not see it; `more`: further attributes.
std::string svg_chart(std::string_view css, double width, double height, std::string_view what,
                      std::string_view markup, std::string_view more = "");

/// <svg> for a cell of a table, with a tooltip.
std::string svg_cell(std::string_view css, double width, double height, std::string_view title,
                     std::string_view markup);

/// `style="stroke:#0072b2"`, and the same with `fill`.
std::string stroke(std::string_view color);
std::string filled(std::string_view color);

std::string_view series_color(std::size_t place);

}  // namespace ridge::report
