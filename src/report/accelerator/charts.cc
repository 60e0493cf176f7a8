#include "report/accelerator/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "base/numeral.h"
#include "base/text.h"
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

enum class Spacing : std::uint8_t { kLinear, kLogarithmic };

Spacing spacing_of(const Measure& m) {
  return m.logarithmic ? Spacing::kLogarithmic : Spacing::kLinear;
}

/// Maps values to pixels; the values of a logarithmic scale must be positive.
class ValueScale {
 public:
  ValueScale(double low, double high, double from, double to, Spacing spacing)
      : from_(from), to_(to), logarithmic_(spacing == Spacing::kLogarithmic) {
    low_ = logarithmic_ ? std::log10(low) : low;
    high_ = std::max(logarithmic_ ? std::log10(high) : high, low_ + 1e-12);
  }
  double at(double value) const {
    const double v = logarithmic_ ? std::log10(value) : value;
    return from_ + (v - low_) / (high_ - low_) * (to_ - from_);
  }
  bool logarithmic() const { return logarithmic_; }
  /// Round values within the scale.
  std::vector<double> ticks() const {
    if (!logarithmic_) return round_values(low_, high_);
    std::vector<double> out;
    const bool few = high_ - low_ < 2;
    for (double e = std::floor(low_); e <= high_ + 1e-9; ++e)
      for (const double times : {1.0, 2.0, 5.0})
        if (const double v = times * std::pow(10, e);
            (times == 1 || few) && std::log10(v) >= low_ - 1e-9 && std::log10(v) <= high_ + 1e-9)
          out.push_back(v);
    return out;
  }

 private:
  double low_ = 0, high_ = 1, from_ = 0, to_ = 1;
  bool logarithmic_;
};

constexpr double kWide = 800;  ///< wider charts scroll on a narrow screen instead of shrinking

std::string study_svg(double width, double height, std::string_view what, std::string_view markup) {
  return fmt::format(
      "<svg class=\"ac{}\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n{}</svg>\n",
      width > kWide ? " wide" : "", width, height, html_escape(what), markup);
}

/// Title of an axis: "latency (logarithmic)".
std::string axis_title(std::string_view title, const ValueScale& scale) {
  return shorten(printable(title), 60) + (scale.logarithmic() ? " (logarithmic)" : "");
}

std::string value_grid(const ValueScale& y, const Measure& measure, double left, double right) {
  std::string out;
  for (const double v : y.ticks())
    out += svg_line(left, y.at(v), right, y.at(v)) +
           svg_text(left - 6, y.at(v) + 4, "end", v == 0 ? "0" : measure.text(v));
  return out;
}

struct ValueRange {
  double low = INFINITY, high = -INFINITY;
  void take(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return low > high; }
};

constexpr double kBarsWidth = 1200, kBarsHeight = 250, kBarsLeft = 84, kLayerBarsTop = 20,
                 kBarsFloor = 170;
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

constexpr double kLinesWidth = 590, kLinesHeight = 280, kLinesLeft = 76, kLinesRight = 16,
                 kLinesTop = 24, kLinesFloor = 236;

/// Scale from 0, or over the range of the layers where the measure is logarithmic on the page.
ValueScale layer_scale(const Study& view, const Measure& measure,
                       std::span<const LayerRow> layers) {
  ValueRange range;
  for (const LayerRow& row : layers)
    for (std::size_t p = 0; p < view.points.size(); ++p)
      if (const auto v = row.value(view, measure, p); v && *v > 0) range.take(*v);
  if (measure.logarithmic && !range.empty())
    return {range.low, range.high, kBarsFloor, kLayerBarsTop, Spacing::kLogarithmic};
  return {0, std::max(range.high, 1e-9), kBarsFloor, kLayerBarsTop, Spacing::kLinear};
}

/// Bar from 0, or a dot on a logarithmic scale, which has no 0.
std::string layer_mark(double left, double wide, const ValueScale& y, double value,
                       std::string_view color, std::string_view title) {
  if (y.logarithmic())
    return fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"><title>{}</title></circle>\n",
        left + wide / 2, y.at(value), std::clamp(wide, 2.0, 4.0), color, title);
  return fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\">"
      "<title>{}</title></rect>\n",
      left, y.at(value), wide, std::max(kBarsFloor - y.at(value), 0.3), color, title);
}

struct PointPlace {
  double x = 0, y = 0;
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

std::string polyline(std::vector<PointPlace> places, const ValueScale& x, const ValueScale& y,
                     std::string_view color) {
  std::sort(places.begin(), places.end(),
            [](const PointPlace& a, const PointPlace& b) { return a.x < b.x; });
  std::string path, dots;
  for (const PointPlace& p : places) {
    path += fmt::format("{:.1f},{:.1f} ", x.at(p.x), y.at(p.y));
    dots += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"><title>{}</title>"
        "</circle>\n",
        x.at(p.x), y.at(p.y), color, html_escape(p.label));
  }
  return fmt::format("<polyline points=\"{}\" stroke=\"{}\"/>\n", path, color) + dots;
}

}  // namespace

bool numeric(const Axis& axis) {
  const std::set<std::string> distinct(axis.values.begin(), axis.values.end());
  return distinct.size() >= 3 && std::all_of(distinct.begin(), distinct.end(), [](const auto& v) {
           return parameter_number(v).has_value();
         });
}

std::string color_keys(const std::vector<NamedColor>& keys) {
  if (keys.empty()) return "";
  std::string out = "<p class=\"keys\">";
  for (const NamedColor& k : keys)
    out += fmt::format("<span><span class=\"key\" style=\"color:{}\"></span>{}</span>", k.color,
                       html_escape(k.name));
  return out + "</p>\n";
}

std::string layer_bars(const Study& view, const Measure& measure, std::span<const LayerRow> layers,
                       const std::vector<NamedColor>& keys) {
  const ValueScale y = layer_scale(view, measure, layers);
  std::string out = value_grid(y, measure, kBarsLeft, kBarsWidth);
  const double slot =
      (kBarsWidth - kBarsLeft) / static_cast<double>(std::max<std::size_t>(layers.size(), 1));
  const double wide = slot * 0.86 / static_cast<double>(view.points.size());
  const auto every = static_cast<std::size_t>(std::ceil(kSparse / slot));
  for (std::size_t at = 0; at < layers.size(); ++at) {
    const double left = kBarsLeft + slot * (static_cast<double>(at) + 0.07);
    const accelerator::Layer& layer = *layers[at].layer;
    for (std::size_t p = 0; p < view.points.size(); ++p) {
      const auto value = layers[at].value(view, measure, p);
      if (!value || (y.logarithmic() && !(*value > 0))) continue;
      const std::string title =
          html_escape(printable(layer.name) + "\n" + keys[p].name + ": " + measure.text(*value));
      out +=
          layer_mark(left + wide * static_cast<double>(p), wide, y, *value, keys[p].color, title);
    }
    if (at % every == 0)
      out += fmt::format(
          "<text class=\"slant\" transform=\"translate({:.1f} {:.1f}) rotate(-45)\">{}</text>\n",
          left + slot * 0.5, kBarsFloor + 12, html_escape(layer_name(layer)));
  }
  if (y.logarithmic()) out += svg_text(kBarsLeft + 4, kLayerBarsTop - 8, "", "logarithmic");
  return study_svg(kBarsWidth, kBarsHeight, std::string(measure.title) + " by layer", out);
}

std::vector<NamedColor> line_keys(const Study& view, const std::vector<Axis>& axes,
                                  std::size_t axis) {
  std::vector<NamedColor> out;
  for (const auto& [name, points] : lines_of(view, axes, axis))
    out.push_back({name, std::string(series_color(out.size()))});
  return out.size() > 1 ? out : std::vector<NamedColor>();
}

std::string sweep_lines(const Study& view, const std::vector<Axis>& axes, std::size_t axis,
                        const Measure& measure) {
  ValueRange xs, ys;
  std::vector<std::vector<PointPlace>> all;
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
      all.back().push_back({*x, *y,
                            (name.empty() ? "" : name + ", ") + axes[axis].title + " " +
                                axes[axis].values[i] + "\n" + std::string(measure.title) + " " +
                                measure.text(*y)});
    }
  }
  if (ys.empty()) return "";
  const bool decades = xs.low > 0 && xs.high > 10 * xs.low;
  const ValueScale x(xs.low, xs.high, kLinesLeft, kLinesWidth - kLinesRight,
                     decades ? Spacing::kLogarithmic : Spacing::kLinear);
  const ValueScale y(measure.logarithmic ? ys.low : 0, std::max(ys.high, 1e-9), kLinesFloor,
                     kLinesTop, spacing_of(measure));
  std::string out = value_grid(y, measure, kLinesLeft, kLinesWidth - kLinesRight);
  double free_from = 0;
  for (const double stop : stops) {
    if (x.at(stop) < free_from) continue;
    free_from = x.at(stop) + 40;
    out += svg_text(x.at(stop), kLinesFloor + 18, "middle", significant(stop, 6));
  }
  out += svg_text((kLinesLeft + kLinesWidth) / 2, kLinesHeight - 6, "middle",
                  axis_title(axes[axis].title, x));
  if (y.logarithmic()) out += svg_text(kLinesLeft + 4, kLinesTop - 12, "", "logarithmic");
  for (std::size_t i = 0; i < all.size(); ++i) out += polyline(all[i], x, y, series_color(i));
  return study_svg(kLinesWidth, kLinesHeight,
                   std::string(measure.title) + " over " + axes[axis].title, out);
}

std::string spots(const std::vector<Spot>& all, const Measure& x_measure,
                  const Measure& y_measure) {
  ValueRange xs, ys;
  for (const Spot& s : all) {
    xs.take(s.x);
    ys.take(s.y);
  }
  if (xs.empty()) return "";
  constexpr double kWidth = 1200, kHeight = 340, kFloor = 290;
  const auto scale = [](const Measure& m, const ValueRange& r, double from, double to) {
    const double margin = std::max({0.15 * (r.high - r.low), 0.02 * r.high, 1e-9});
    return m.logarithmic ? ValueScale(r.low, r.high, from, to, Spacing::kLogarithmic)
                         : ValueScale(std::max(r.low - margin, 0.0), r.high + margin, from, to,
                                      Spacing::kLinear);
  };
  const ValueScale x = scale(x_measure, xs, kBarsLeft, kWidth - 30),
                   y = scale(y_measure, ys, kFloor, kLinesTop);
  std::string out = value_grid(y, y_measure, kBarsLeft, kWidth - 30);
  for (const double v : x.ticks())
    out += svg_text(x.at(v), kFloor + 18, "middle", v == 0 ? "0" : x_measure.text(v));
  out += svg_text(kWidth / 2, kHeight - 6, "middle", axis_title(x_measure.title, x));
  out += svg_text(kBarsLeft + 4, kLinesTop - 12, "", axis_title(y_measure.title, y));
  std::map<std::size_t, std::vector<PointPlace>> fronts;
  for (const Spot& s : all) {
    if (s.best)
      fronts[s.series].push_back({s.x, s.y, s.label});
    else
      out += fmt::format(
          "<circle class=\"dim\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>{}</title></circle>\n",
          x.at(s.x), y.at(s.y), html_escape(s.label));
  }
  for (auto& [series, front] : fronts)
    out += polyline(std::move(front), x, y, series_color(series));
  return study_svg(kWidth, kHeight,
                   std::string(y_measure.title) + " against " + std::string(x_measure.title), out);
}

}  // namespace ridge::report
