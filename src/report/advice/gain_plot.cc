#include "report/advice/gain_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/advice/view.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

constexpr double kGainWidth = 220, kGainHeight = 26, kGainEdge = 10, kPredicted = 8, kAchieved = 18;
constexpr double kLabelRoom = 52;  ///< pixels between the labels of two ticks

bool has_gain(const std::optional<profile::Estimate>& gain) {
  return gain && std::isfinite(gain->median);
}

/// duration() without zeros at its end: "500 µs", "1.5 ms".
std::string tick_text(double ns) {
  std::string out = duration(ns);
  const std::size_t point = out.find('.'), unit = out.find(' ');
  if (point == std::string::npos || unit == std::string::npos) return out;
  std::size_t end = unit;
  while (out[end - 1] == '0') --end;
  if (out[end - 1] == '.') --end;
  return out.erase(end, unit - end);
}

bool has_interval(const profile::Estimate& e) {
  return std::isfinite(e.low) && std::isfinite(e.high);
}

}  // namespace

GainPlot::GainPlot(const std::vector<Gains>& gains) {
  double low = 0, high = 0;
  for (const Gains& g : gains)
    for (const std::optional<profile::Estimate>* gain : {&g.predicted, &g.achieved}) {
      if (!has_gain(*gain)) continue;
      const profile::Estimate& e = **gain;
      low = std::min({low, e.median, has_interval(e) ? e.low : low});
      high = std::max({high, e.median, has_interval(e) ? e.high : high});
    }
  if (high > low) low_ = low, high_ = high;
}

double GainPlot::x(double ns) const {
  const double share = std::clamp((ns - low_) / (high_ - low_), 0.0, 1.0);
  return kGainEdge + share * (kGainWidth - 2 * kGainEdge);
}

std::string GainPlot::axis() const {
  std::string out = fmt::format(
      "<svg class=\"gp head\" viewBox=\"0 0 {} 16\" role=\"img\" aria-label=\"gain from {} to "
      "{}\">",
      kGainWidth, duration(low_), duration(high_));
  double last = -kLabelRoom;
  const std::vector<double> ticks = round_values(low_, high_);
  for (const double ns : ticks) {
    const double at = x(ns);
    if (at - last < kLabelRoom && ns != 0) continue;
    last = at;
    out += svg_text(at, 12,
                    at > kGainWidth - 24 ? "end"
                    : at < 24            ? "start"
                                         : "middle",
                    ns == 0 ? "0" : tick_text(ns));
  }
  return out + "</svg>";
}

std::string GainPlot::mark(std::string_view css, const profile::Estimate& gain, double y) const {
  std::string out = fmt::format("<g class=\"{}\">", css);
  if (has_interval(gain))
    out += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>", x(gain.low),
                       x(gain.high), y, y);
  return out + fmt::format("<circle cx=\"{:.1f}\" cy=\"{}\" r=\"3.6\"/></g>", x(gain.median), y);
}

std::string GainPlot::plot(const Gains& gains) const {
  std::string title, marks;
  if (has_gain(gains.predicted)) {
    title = "predicted " + estimate_text(*gains.predicted);
    marks = mark("predicted", *gains.predicted, kPredicted);
  }
  if (has_gain(gains.achieved)) {
    title += (title.empty() ? "achieved " : "\nachieved ") + estimate_text(*gains.achieved);
    marks += mark(fmt::format("achieved {}", gains.css), *gains.achieved, kAchieved);
  }
  std::string out =
      fmt::format("<svg class=\"gp\" viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title>",
                  kGainWidth, kGainHeight, html_escape(title.empty() ? "gain unknown" : title));
  out += fmt::format("<line class=\"zero\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\"/>",
                     x(0), kGainHeight);
  return out + marks + "</svg>";
}

}  // namespace ridge::report
