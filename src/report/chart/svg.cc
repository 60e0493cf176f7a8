// SPDX-License-Identifier: Apache-2.0
#include "report/chart/svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ridge::report {
namespace {

/// Color-blind safe (Okabe and Ito 2008), readable on white and on dark gray.
constexpr std::string_view kColors[kSeriesColors] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#8c6d31", "#808080"};
constexpr std::size_t kLongestLegendName = 18;
constexpr double kLegendLetter = 7.4, kLegendRow = 18;  ///< pixels

/// With at most two decimals.
std::string pixels(double value) {
  std::string out = fmt::format("{:.2f}", value);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

/// Text before an attribute: " class=...".
std::string spaced_look(std::string_view look) {
  return look.empty() ? "" : fmt::format(" {}", look);
}

std::string with_class(std::string_view css) {
  return css.empty() ? "" : fmt::format(" class=\"{}\"", css);
}

std::string tooltip(std::string_view title) {
  return title.empty() ? "" : fmt::format("<title>{}</title>", html_escape(title));
}

/// The end of an element that may have a tooltip.
std::string closed(std::string_view element, std::string_view title) {
  return title.empty() ? "/>" : fmt::format(">{}</{}>", tooltip(title), element);
}

}  // namespace

std::string svg_text(double x, double y, std::string_view css, std::string_view words,
                     std::string_view title) {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}{}</text>\n", pixels(x), pixels(y),
                     with_class(css), html_escape(words), tooltip(title));
}

std::string svg_turned_text(ChartPlace at, double degrees, std::string_view css,
                            std::string_view words, std::string_view title) {
  return fmt::format("<text{} transform=\"translate({} {}) rotate({})\">{}{}</text>\n",
                     with_class(css), pixels(at.x), pixels(at.y), pixels(degrees),
                     html_escape(words), tooltip(title));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view look) {
  return fmt::format("<line{} x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>", spaced_look(look),
                     pixels(x1), pixels(x2), pixels(y1), pixels(y2));
}

std::string svg_rect(const ChartBox& box, std::string_view look, std::string_view title) {
  return fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}\n", spaced_look(look),
                     pixels(box.x), pixels(box.y), pixels(box.width), pixels(box.height),
                     closed("rect", title));
}

std::string svg_dot(ChartPlace at, double radius, std::string_view look, std::string_view title) {
  return fmt::format("<circle{} cx=\"{}\" cy=\"{}\" r=\"{}\"{}", spaced_look(look), pixels(at.x),
                     pixels(at.y), pixels(radius), closed("circle", title));
}

std::string svg_points(std::string_view element, const std::vector<ChartPlace>& points,
                       std::string_view look) {
  std::string places;
  for (const ChartPlace& p : points)
    places += fmt::format("{}{},{}", places.empty() ? "" : " ", pixels(p.x), pixels(p.y));
  return fmt::format("<{}{} points=\"{}\"/>\n", element, spaced_look(look), places);
}

std::string svg_group(std::string_view look, std::string_view title, std::string_view markup) {
  return fmt::format("<g{}>{}{}</g>\n", spaced_look(look), tooltip(title), markup);
}

std::string svg_chart(std::string_view css, double width, double height, std::string_view what,
                      std::string_view markup, std::string_view more) {
  return fmt::format(
      "<svg class=\"{}\"{} viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n", css,
      spaced_look(more), pixels(width), pixels(height), html_escape(what), markup);
}

std::string svg_cell(std::string_view css, double width, double height, std::string_view title,
                     std::string_view markup) {
  return fmt::format("<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\">{}{}</svg>", css,
                     pixels(width), pixels(height), tooltip(title), markup);
}

std::string svg_key(ChartPlace at, std::string_view look, std::string_view words) {
  return svg_dot(at, 5, look) + svg_text(at.x + 10, at.y + 4, "", words);
}

std::string stroke(std::string_view color) { return fmt::format("style=\"stroke:{}\"", color); }
std::string filled(std::string_view color) { return fmt::format("style=\"fill:{}\"", color); }

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
    out += svg_key({all[i].x, y + all[i].y}, filled(kColors[i]), all[i].name);
  return out;
}

}  // namespace ridge::report
