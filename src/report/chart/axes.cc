#include "report/chart/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

/// Decades up to which 2 and 5 times a power of ten are ticks too, up to which all multiples are,
/// and up to which multiples of a smaller step are.
constexpr double kFewDecades = 2.2, kOneDecade = 1.1, kPartOfDecade = 0.6;
constexpr double kAxisTickRoom = 56;  ///< pixels between the labels of two ticks

std::string coordinates(const Plot& plot, const std::vector<PlotPoint>& points) {
  std::string out;
  for (const PlotPoint& p : points)
    out += fmt::format("{}{:.1f},{:.1f}", out.empty() ? "" : " ", plot.px(p.x), plot.py(p.y));
  return out;
}

}  // namespace

double ChartAxis::share(double value) const {
  const bool log = spacing == AxisSpacing::kLogarithmic;
  if (log && !(value > 0)) return 0;
  const double at =
      log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return std::clamp(at, 0.0, 1.0);
}

std::vector<double> ChartAxis::ticks() const {
  if (spacing == AxisSpacing::kLinear) return round_values(low, high);
  const double decades = std::log10(high / low);
  if (decades < kPartOfDecade) return round_values(low, high);
  const double step = std::max(1.0, std::ceil(decades / 8));
  std::vector<double> out;
  for (double e = std::floor(std::log10(low)); e <= std::log10(high); e += step)
    for (const double times : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0})
      if (const double v = times * std::pow(10, e);
          (times == 1 || decades < kOneDecade ||
           (decades < kFewDecades && (times == 2 || times == 5))) &&
          v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9))
        out.push_back(v);
  return out.size() < 3 ? round_values(low, high) : out;
}

ChartAxis axis_from_zero(double most) { return {0, most > 0 ? 1.06 * most : 1}; }

ChartAxis log_axis(double least, double most) {
  const double low = std::max(least, 1e-9);
  return {low / 1.15, std::max(most, low) * 1.15, AxisSpacing::kLogarithmic};
}

std::string Plot::grid_y(const TickText& y) const {
  std::string out;
  for (const double v : y_.ticks())
    out += svg_line(kLeft, py(v), kWidth - kRight, py(v)) +
           svg_text(kLeft - 7, py(v) + 4, "end", y(v));
  return out;
}

std::string Plot::x_label(double at, std::string_view words) const {
  return svg_line(px(at), kFloor, px(at), kFloor + 4) +
         svg_text(px(at), kFloor + 18, px(at) > kWidth - kRight - 20 ? "end" : "middle", words);
}

std::string Plot::x_title(std::string_view title) const {
  return svg_text((kLeft + kWidth - kRight) / 2, kHeight - 8, "middle", title);
}

std::string Plot::grid(const TickText& x, const TickText& y, std::string_view title) const {
  std::string out = grid_y(y);
  double last = -kAxisTickRoom;
  for (const double v : x_.ticks()) {
    if (px(v) - last < kAxisTickRoom) continue;
    last = px(v);
    out += x_label(v, x(v));
  }
  return out + x_title(title);
}

std::string Plot::line(const std::vector<PlotPoint>& points, std::string_view color) const {
  return fmt::format("<polyline style=\"stroke:{}\" points=\"{}\"/>\n", color,
                     coordinates(*this, points));
}

std::string Plot::area(const std::vector<PlotPoint>& upper, const std::vector<PlotPoint>& lower,
                       std::string_view color, double opacity) const {
  std::vector<PlotPoint> around = upper;
  around.insert(around.end(), lower.rbegin(), lower.rend());
  return fmt::format("<polygon style=\"fill:{};opacity:{:.2f}\" points=\"{}\"/>\n", color, opacity,
                     coordinates(*this, around));
}

std::string Plot::level(double y, std::string_view words) const {
  return fmt::format(
             "<line class=\"limit\" x1=\"{:.0f}\" x2=\"{:.0f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
             kLeft, kWidth - kRight, py(y), py(y)) +
         svg_text(kWidth - kRight - 4, py(y) < kTop + 14 ? py(y) + 14 : py(y) - 5, "end limit",
                  words);
}

std::string Plot::svg(std::string_view what, std::string_view markup) const {
  return fmt::format(
      "<svg class=\"ac ev\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n{}</svg>\n",
      kWidth, kHeight, html_escape(what), markup);
}

std::string captioned(std::string_view caption, std::string_view chart) {
  return fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", html_escape(caption),
                     chart);
}

}  // namespace ridge::report
