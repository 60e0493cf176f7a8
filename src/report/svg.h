// Pieces of SVG that charts share: colours of series and their legend.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

inline constexpr std::size_t kSeriesColours = 8;

/// Series by weight, so that what matters has a colour of its own; the last colour is shared by all
/// further ones, "other".
class Series {
 public:
  explicit Series(const std::map<std::string, double>& weights);

  /// Position of the colour.
  std::size_t place(const std::string& name) const;
  std::string_view colour(const std::string& name) const;
  /// One name per colour used, the last "other" where it is shared.
  std::vector<std::string> names() const;
  /// Dots with names in one line, their centres at `y`.
  std::string legend(double x, double y) const;

 private:
  std::vector<std::string> names_;
};

std::string_view series_colour(std::size_t place);

}  // namespace ridge::report
