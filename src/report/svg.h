// Pieces of SVG that charts share: colors of series and their legend.
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
  /// Dots with names in one line, their centers at `y`.
  std::string legend(double x, double y) const;

 private:
  std::vector<std::string> names_;
};

std::string_view series_color(std::size_t place);

}  // namespace ridge::report
