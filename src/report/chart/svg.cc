#include "report/chart/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace ridge::report {
namespace {

/// Color-blind safe (Okabe and Ito 2008), readable on white and on dark gray.
constexpr std::string_view kColors[kSeriesColors] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#8c6d31", "#808080"};
constexpr std::size_t kLongestLegendName = 18;
constexpr double kLegendLetter = 7.4, kLegendRow = 18;  ///< pixels

}  // namespace

std::string svg_text(double x, double y, std::string_view css, std::string_view words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, css,
                     html_escape(words));
}

std::string svg_line(double x1, double y1, double x2, double y2) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1, y1,
                     x2, y2);
}

std::vector<double> round_values(double low, double high) {
  const double rough = (high - low) / 5, decade = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double times : {5.0, 2.0, 1.0})
    if (times * decade >= rough) step = times * decade;
  std::vector<double> out;
  for (double v = std::ceil(low / step - 1e-9) * step; v <= high * (1 + 1e-9); v += step)
    out.push_back(v);
  return out;
}

std::string_view series_color(std::size_t place) {
  return kColors[std::min(place, kSeriesColors - 1)];
}

Series::Series(const std::map<std::string, double>& weights) {
  for (const auto& [name, weight] : weights) names_.push_back(name);
  std::stable_sort(names_.begin(), names_.end(),
                   [&](const auto& a, const auto& b) { return weights.at(a) > weights.at(b); });
}

std::size_t Series::place(const std::string& name) const {
  const auto at =
      static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  return std::min(at, kSeriesColors - 1);
}

std::string_view Series::color(const std::string& name) const { return kColors[place(name)]; }

std::vector<std::string> Series::names() const {
  if (names_.size() <= kSeriesColors) return names_;
  std::vector<std::string> out(names_.begin(), names_.begin() + kSeriesColors - 1);
  out.emplace_back("other");
  return out;
}

std::vector<Series::Entry> Series::entries(double x, double right) const {
  std::vector<Entry> out;
  std::map<std::string, int> cut_alike;
  double at = x, row = 0;
  for (const std::string& whole : names()) {
    std::string name = shorten_middle(printable(whole), kLongestLegendName);
    if (const int before = cut_alike[name]++; before > 0) name += fmt::format(" ({})", before + 1);
    const double width = 36 + kLegendLetter * static_cast<double>(name.size());
    if (at > x && at + width - 26 > right) at = x, row += kLegendRow;
    out.push_back({std::move(name), at, row});
    at += width;
  }
  return out;
}

double Series::legend_growth(double x, double right) const {
  const std::vector<Entry> all = entries(x, right);
  return all.empty() ? 0 : all.back().y;
}

std::string Series::legend(double x, double y, double right) const {
  std::string out;
  const std::vector<Entry> all = entries(x, right);
  for (std::size_t i = 0; i < all.size(); ++i)
    out += fmt::format(
        "<circle cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"5\" fill=\"{}\"/><text x=\"{:.0f}\" "
        "y=\"{:.0f}\">{}</text>\n",
        all[i].x, y + all[i].y, kColors[i], all[i].x + 10, y + all[i].y + 4,
        html_escape(all[i].name));
  return out;
}

}  // namespace ridge::report
