// SPDX-License-Identifier: Apache-2.0
#include "report/chart/ratio_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/numeral.h"
#include "base/text.h"
#include "export/comparison/words.h"
#include "report/chart/row_plot.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

constexpr double kRatioWidth = 150, kRatioEdge = 8, kMiddle = 8;
constexpr double kEnds[] = {1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100};

/// Factor from 1, in either direction, within which nine tenths of the groups' ratios are.
double reach(const compare::Comparison& c) {
  std::vector<double> distances;
  for (const compare::Row& row : c.groups)
    for (std::size_t r = 1; r < row.cells.size(); ++r)
      if (row.cells[r].ratio) distances.push_back(std::abs(std::log(*row.cells[r].ratio)));
  if (distances.empty()) return 0;
  const std::size_t at = (distances.size() - 1) * 9 / 10;
  std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(at),
                   distances.end());
  return std::exp(distances[at]);
}

std::string ratio_tooltip(const compare::Cell& cell) {
  std::string out = fmt::format("ratio {}", exports::ratio_text(cell.ratio));
  if (cell.ratio_interval) out += " " + exports::interval_text(cell.ratio_interval);
  if (cell.detectable) out += ", could show " + exports::detectable_text(cell);
  return out + ", " + exports::verdict_text(cell);
}

}  // namespace

std::string_view verdict_class(compare::Verdict verdict) {
  switch (verdict) {
    case compare::Verdict::kBaseline:
      return "base";
    case compare::Verdict::kFaster:
      return "faster";
    case compare::Verdict::kSlower:
      return "slower";
    case compare::Verdict::kNotShown:
      return "same";
    case compare::Verdict::kDrift:
    case compare::Verdict::kNotJudged:
      break;
  }
  return "unjudged";
}

RatioPlot::RatioPlot(const compare::Comparison& c) : threshold_(c.threshold) {
  const double wanted = reach(c);
  const auto end = std::find_if(std::begin(kEnds), std::end(kEnds),
                                [&](double candidate) { return candidate >= wanted; });
  most_ = end == std::end(kEnds) ? kEnds[std::size(kEnds) - 1] : *end;
  axis_ = {1 / most_, most_, AxisSpacing::kLogarithmic, kRatioEdge, kRatioWidth - kRatioEdge};
}

std::string RatioPlot::axis() const {
  const std::string low = significant(1 / most_, 2), high = significant(most_, 3);
  return svg_chart("wk head", kRatioWidth, 16, fmt::format("ratio from {} to {}", low, high),
                   svg_text(axis_.at(1 / most_) + 4, 12, "", low) +
                       svg_text(axis_.at(1), 12, "", "1") +
                       svg_text(axis_.at(most_) - 4, 12, "", high));
}

std::string RatioPlot::plot(const compare::Cell& cell) const {
  const double low = axis_.at(1 / (1 + threshold_)), high = axis_.at(1 + threshold_);
  std::string marks = svg_rect({low, 0, std::max(high - low, 1.0), 16}, "class=\"none\"");
  std::string title;
  if (cell.ratio && *cell.ratio > 0) {
    title = ratio_tooltip(cell);
    marks += interval_dot(axis_, kMiddle,
                          {.value = *cell.ratio, .interval = cell.ratio_interval, .radius = 3.6});
  }
  return svg_cell(fmt::format("wk {}", verdict_class(cell.verdict)), kRatioWidth, 16, title, marks);
}

}  // namespace ridge::report
