#include "report/chart/ratio_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/numeral.h"
#include "base/text.h"
#include "export/comparison/words.h"

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
}

double RatioPlot::x(double ratio) const {
  const double share = std::log(ratio) / std::log(most_);  // -1..1 within the scale
  return kRatioWidth / 2 + std::clamp(share, -1.0, 1.0) * (kRatioWidth / 2 - kRatioEdge);
}

std::string RatioPlot::axis() const {
  return fmt::format(
      "<svg class=\"wk head\" viewBox=\"0 0 {0} 16\" role=\"img\" aria-label=\"ratio from {1} to "
      "{2}\"><text x=\"{3:.1f}\" y=\"12\">{1}</text><text x=\"{4:.1f}\" y=\"12\">1</text><text "
      "x=\"{5:.1f}\" y=\"12\">{2}</text></svg>",
      kRatioWidth, significant(1 / most_, 2), significant(most_, 3), x(1 / most_) + 4, x(1),
      x(most_) - 4);
}

std::string RatioPlot::plot(const compare::Cell& cell) const {
  std::string out = fmt::format("<svg class=\"wk {}\" viewBox=\"0 0 {} 16\" role=\"img\">",
                                verdict_class(cell.verdict), kRatioWidth);
  const double low = x(1 / (1 + threshold_)), high = x(1 + threshold_);
  out += fmt::format("<rect class=\"none\" x=\"{:.1f}\" y=\"0\" width=\"{:.1f}\" height=\"16\"/>",
                     low, std::max(high - low, 1.0));
  if (!cell.ratio || !(*cell.ratio > 0)) return out + "</svg>";
  out += "<title>" + html_escape(ratio_tooltip(cell)) + "</title>";
  if (cell.ratio_interval)
    out += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>",
                       cell.ratio_interval->lo > 0 ? x(cell.ratio_interval->lo) : x(1 / most_),
                       x(std::max(cell.ratio_interval->hi, 1 / most_)), kMiddle, kMiddle);
  const double at = x(*cell.ratio);
  const bool above = *cell.ratio > most_ * 1.0001, below = *cell.ratio < 1 / (most_ * 1.0001);
  if (above || below) {
    const double tip = above ? 6 : -6;
    return out + fmt::format("<path d=\"M{:.1f} {} l0 8 l{} -4 z\"/></svg>", at, kMiddle - 4, tip);
  }
  return out + fmt::format("<circle cx=\"{:.1f}\" cy=\"{}\" r=\"3.6\"/></svg>", at, kMiddle);
}

}  // namespace ridge::report
