// SPDX-License-Identifier: Apache-2.0
#include "report/advice/gain_plot.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "export/advice/words.h"
#include "report/chart/keys.h"
#include "report/chart/row_plot.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

constexpr double kGainWidth = 220, kGainHeight = 26, kGainEdge = 10, kPredicted = 8, kAchieved = 18;

bool has_gain(const std::optional<stats::Estimate>& gain) {
  return gain && std::isfinite(gain->value);
}

}  // namespace

GainPlot::GainPlot(const std::vector<Gains>& gains) {
  ValueRange range;
  for (const Gains& g : gains)
    for (const std::optional<stats::Estimate>* gain : {&g.predicted, &g.achieved}) {
      if (!has_gain(*gain)) continue;
      range.take((*gain)->value);
      if (const auto& interval = (*gain)->interval)
        range.take(interval->lo), range.take(interval->hi);
    }
  range.take(0);
  axis_ =
      ChartAxis{.low = range.low, .high = range.high > range.low ? range.high : range.low + 1}.over(
          kGainEdge, kGainWidth - kGainEdge);
}

std::string GainPlot::axis() const {
  std::vector<double> ticks = axis_.ticks();
  ticks.insert(ticks.begin(), 0);  // has its label before all others
  std::string out;
  for (const TickLabel& label : axis_.labels(ticks, short_duration)) {
    const double x = axis_.at(label.value);
    out += svg_text(x, 12, x > kGainWidth - 24 ? "end" : x < 24 ? "start" : "middle", label.words);
  }
  return svg_chart("gp head", kGainWidth, 16,
                   fmt::format("gain from {} to {}", duration(axis_.low), duration(axis_.high)),
                   out);
}

std::string GainPlot::plot(const Gains& gains) const {
  std::string title, marks;
  const auto add = [&](std::string_view what, std::string_view css, const auto& gain, double y) {
    if (!has_gain(gain)) return;
    title += fmt::format("{}{} {}", title.empty() ? "" : "\n", what, exports::estimate_text(*gain));
    marks += svg_group(
        fmt::format("class=\"{}\"", css), "",
        interval_dot(axis_, y, {.value = gain->value, .interval = gain->interval, .radius = 3.6}));
  };
  add("predicted", "predicted", gains.predicted, kPredicted);
  add("achieved", fmt::format("achieved {}", gains.css), gains.achieved, kAchieved);
  const double zero = axis_.at(0);
  return svg_cell("gp", kGainWidth, kGainHeight, title.empty() ? "gain unknown" : title,
                  svg_line(zero, 0, zero, kGainHeight, "class=\"zero\"") + marks);
}

}  // namespace ridge::report
