// Pieces of SVG that charts share: text, lines, round values of a scale, colors of series and their
// legend.
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

/// <text> with escaped words.
std::string svg_text(double x, double y, std::string_view css, std::string_view words);
std::string svg_line(double x1, double y1, double x2, double y2);

/// About five multiples of 1, 2 or 5 times a power of ten from `low` to `high`: (0, 9) gives 0, 2,
/// 4, 6, 8. `high` is greater than `low`.
std::vector<double> round_values(double low, double high);

std::string_view series_color(std::size_t place);

}  // namespace ridge::report
