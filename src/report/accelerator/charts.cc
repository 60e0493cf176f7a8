// SPDX-License-Identifier: Apache-2.0
#include "report/accelerator/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "base/numeral.h"
#include "base/text.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

using accelerator::Study;
using exports::Axis;

std::optional<double> parameter_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Pixels beyond which a chart scrolls on a narrow screen instead of shrinking.
constexpr double kWide = 800;

std::string study_svg(const Plot& plot, const PlotSize& size, std::string_view what,
                      std::string_view markup) {
  return plot.svg(size.width > kWide ? "ac wide" : "ac", what, markup);
}

/// Title of an axis: "latency (logarithmic)".
std::string axis_title(std::string_view title, const ChartAxis& axis) {
  return shorten(printable(title), 60) + (axis.logarithmic() ? " (logarithmic)" : "");
}

constexpr PlotSize kBarsSize = {
    .width = 1200, .height = 250, .left = 84, .right = 1200, .top = 20, .floor = 170};
constexpr PlotSize kLinesSize = {
    .width = 590, .height = 280, .left = 76, .right = 574, .top = 24, .floor = 236};
constexpr PlotSize kSpotsSize = {
    .width = 1200, .height = 340, .left = 84, .right = 1170, .top = 24, .floor = 290};
constexpr std::size_t kLayerNameLength = 18;
constexpr double kSparse = 15;  ///< pixels per slanted name

/// Distinctive part of a layer's name: its end, without the operator that exporters append.
std::string layer_name(const accelerator::Layer& layer) {
  std::string shown = printable(layer.name);
  if (shown.ends_with("/" + layer.op_type)) shown.resize(shown.size() - layer.op_type.size() - 1);
  if (shown.size() <= kLayerNameLength) return shown;
  const std::size_t slash = shown.find('/', shown.size() - kLayerNameLength);
  return slash == std::string::npos ? shorten_middle(shown, kLayerNameLength)
                                    : shown.substr(slash + 1);
}

/// Axis from 0, or over the range of the values where the measure is logarithmic on the page.
ChartAxis measure_axis(const Measure& measure, const ValueRange& range) {
  return measure.logarithmic && !range.empty() ? log_axis(range.low, range.high)
                                               : axis_from_zero(range.high);
}

/// Values of a layer at the points; nullopt where there is nothing to draw.
std::optional<double> drawn_value(const LayerRow& row, const Study& view, const Measure& measure,
                                  std::size_t point) {
  const std::optional<double> value = row.value(view, measure, point);
  return value && (*value > 0 || !measure.logarithmic) ? value : std::nullopt;
}

struct NamedPlace {
  ChartPlace at;
  std::string label;
};

/// Points grouped into lines by their values on the other axes, in the order of the points.
std::vector<std::pair<std::string, std::vector<std::size_t>>> lines_of(
    const Study& view, const std::vector<Axis>& axes, std::size_t axis) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> out;
  for (std::size_t i = 0; i < view.points.size(); ++i) {
    std::string name;
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (a != axis) name += (name.empty() ? "" : ", ") + axes[a].title + " " + axes[a].values[i];
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const auto& of) { return of.first == name; });
    if (known != out.end())
      known->second.push_back(i);
    else
      out.emplace_back(std::move(name), std::vector<std::size_t>{i});
  }
  return out;
}

/// Dots, joined from left to right.
std::string joined(std::vector<NamedPlace> places, const Plot& plot, std::string_view color) {
  std::ranges::stable_sort(places, {}, [](const NamedPlace& p) { return p.at.x; });
  std::vector<ChartPlace> line;
  std::string dots;
  for (const NamedPlace& p : places) {
    line.push_back(p.at);
    dots += plot.dot(p.at, 4, filled(color), p.label);
  }
  return plot.line(line, stroke(color)) + dots;
}

}  // namespace

bool numeric(const Axis& axis) {
  const std::set<std::string> distinct(axis.values.begin(), axis.values.end());
  return distinct.size() >= 3 && std::all_of(distinct.begin(), distinct.end(), [](const auto& v) {
           return parameter_number(v).has_value();
         });
}

std::string layer_bars(const Study& view, const Measure& measure, std::span<const LayerRow> layers,
                       const std::vector<NamedColor>& keys) {
  ValueRange range;
  for (const LayerRow& row : layers)
    for (std::size_t p = 0; p < view.points.size(); ++p)
      if (const auto value = drawn_value(row, view, measure, p)) range.take(*value);
  const double all = static_cast<double>(std::max<std::size_t>(layers.size(), 1));
  const Plot plot({.low = 0, .high = all}, measure_axis(measure, range), kBarsSize);
  const double slot = (kBarsSize.right - kBarsSize.left) / all;
  const double wide = 0.86 / static_cast<double>(view.points.size());
  const auto every = static_cast<std::size_t>(std::ceil(kSparse / slot));
  std::string out = plot.grid_y(measure.text);
  for (std::size_t at = 0; at < layers.size(); ++at) {
    const auto left = static_cast<double>(at);
    const accelerator::Layer& layer = *layers[at].layer;
    for (std::size_t p = 0; p < view.points.size(); ++p) {
      const auto value = drawn_value(layers[at], view, measure, p);
      if (!value) continue;
      const double from = left + 0.07 + wide * static_cast<double>(p);
      const std::string title =
          printable(layer.name) + "\n" + keys[p].name + ": " + measure.text(*value);
      // A logarithmic axis has no 0 from which a bar could rise.
      out += plot.y().logarithmic()
                 ? plot.dot({from + wide / 2, *value}, std::clamp(wide * slot, 2.0, 4.0),
                            filled(keys[p].color), title)
                 : plot.bar(from, from + wide, *value, filled(keys[p].color), title);
    }
    if (at % every == 0)
      out += svg_turned_text({plot.x().at(left + 0.5), kBarsSize.floor + 12}, -45, "slant",
                             layer_name(layer));
  }
  if (plot.y().logarithmic()) out += plot.y_title("logarithmic");
  return study_svg(plot, kBarsSize, std::string(measure.title) + " by layer", out);
}

std::vector<NamedColor> line_keys(const Study& view, const std::vector<Axis>& axes,
                                  std::size_t axis) {
  std::vector<NamedColor> out;
  for (const auto& [name, points] : lines_of(view, axes, axis))
    out.push_back({name, series_color(out.size())});
  return out.size() > 1 ? out : std::vector<NamedColor>();
}

std::string sweep_lines(const Study& view, const std::vector<Axis>& axes, std::size_t axis,
                        const Measure& measure) {
  ValueRange xs, ys;
  std::vector<std::vector<NamedPlace>> all;
  std::set<double> stops;
  for (const auto& [name, points] : lines_of(view, axes, axis)) {
    all.emplace_back();
    for (const std::size_t i : points) {
      const auto x = parameter_number(axes[axis].values[i]);
      const auto y = measure.of_point(view.points[i]);
      if (!x || !y) continue;
      xs.take(*x);
      ys.take(*y);
      stops.insert(*x);
      all.back().push_back({{*x, *y},
                            (name.empty() ? "" : name + ", ") + axes[axis].title + " " +
                                axes[axis].values[i] + "\n" + std::string(measure.title) + " " +
                                measure.text(*y)});
    }
  }
  if (ys.empty()) return "";
  const bool decades = xs.low > 0 && xs.high > 10 * xs.low;
  const Plot plot({.low = xs.low,
                   .high = xs.high,
                   .spacing = decades ? AxisSpacing::kLogarithmic : AxisSpacing::kLinear},
                  measure_axis(measure, ys), kLinesSize);
  std::string out = plot.grid_y(measure.text) +
                    plot.x_labels({stops.begin(), stops.end()},
                                  [](double stop) { return significant(stop, 6); }) +
                    plot.x_title(axis_title(axes[axis].title, plot.x()));
  if (plot.y().logarithmic()) out += plot.y_title("logarithmic");
  for (std::size_t i = 0; i < all.size(); ++i) out += joined(all[i], plot, series_color(i));
  return study_svg(plot, kLinesSize, std::string(measure.title) + " over " + axes[axis].title, out);
}

std::string spots(const std::vector<Spot>& all, const Measure& x_measure,
                  const Measure& y_measure) {
  ValueRange xs, ys;
  for (const Spot& s : all) {
    xs.take(s.x);
    ys.take(s.y);
  }
  if (xs.empty()) return "";
  const auto axis = [](const Measure& m, const ValueRange& r) {
    const double margin = std::max({0.15 * (r.high - r.low), 0.02 * r.high, 1e-9});
    return m.logarithmic ? log_axis(r.low, r.high)
                         : ChartAxis{.low = std::max(r.low - margin, 0.0), .high = r.high + margin};
  };
  const Plot plot(axis(x_measure, xs), axis(y_measure, ys), kSpotsSize);
  std::string out =
      plot.grid(x_measure.text, y_measure.text, axis_title(x_measure.title, plot.x())) +
      plot.y_title(axis_title(y_measure.title, plot.y()));
  std::map<std::size_t, std::vector<NamedPlace>> fronts;
  for (const Spot& s : all) {
    if (s.best)
      fronts[s.series].push_back({{s.x, s.y}, s.label});
    else
      out += plot.dot({s.x, s.y}, 4, "class=\"dim\"", s.label);
  }
  for (auto& [series, front] : fronts) out += joined(std::move(front), plot, series_color(series));
  return study_svg(plot, kSpotsSize,
                   std::string(y_measure.title) + " against " + std::string(x_measure.title), out);
}

}  // namespace ridge::report
