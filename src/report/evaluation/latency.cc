// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/row_plot.h"
#include "report/chart/svg.h"
#include "report/evaluation/sections.h"
#include "report/evaluation/series.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

using scenario::Percentile;

constexpr RowSize kLatencySize = {.labels = 70, .values = 160, .top = 42};
/// Heights of a runtime's part of a row, and between rows.
constexpr double kLatencyPart = 15, kLatencyGap = 9;

/// Range of positive values.
struct LatencyRange : ValueRange {
  void add(double v) {
    if (v > 0) take(v);
  }
};

/// Range of the percentiles, their intervals and the bound.
LatencyRange percentile_range(const Evaluation& e) {
  LatencyRange out;
  for (const EvaluatedPoint& p : e.points) {
    if (!has_figures(p)) continue;
    for (const Percentile& percentile : p.figures.latency.percentiles) {
      out.add(static_cast<double>(percentile.value_ns));
      if (percentile.interval) out.add(percentile.interval->lo), out.add(percentile.interval->hi);
    }
  }
  if (e.bound && !out.empty()) out.add(static_cast<double>(e.bound->latency_ns));
  return out;
}

std::vector<double> shares_of(const Evaluation& e) {
  std::vector<double> out;
  for (const EvaluatedPoint& p : e.points)
    if (has_figures(p))
      for (const Percentile& percentile : p.figures.latency.percentiles)
        if (std::ranges::find(out, percentile.share) == out.end()) out.push_back(percentile.share);
  std::ranges::sort(out);
  return out;
}

/// The chart of percentiles: a row for each percentile, in which each runtime has its part.
class PercentileChart {
 public:
  PercentileChart(const Evaluation& e, const LatencyRange& range)
      : evaluation_(e),
        shares_(shares_of(e)),
        height_(kLatencyGap + kLatencyPart * static_cast<double>(e.points.size())),
        plot_(log_axis(range.low, range.high), sized(height_), shares_.size()) {}

  std::string draw() const {
    const double middle = (plot_.x().from + plot_.x().to) / 2;
    std::string out = svg_text(middle, 11, "middle", "latency, logarithmic axis") +
                      plot_.grid(plot_.x().ticks(), short_duration);
    for (std::size_t s = 0; s < shares_.size(); ++s) out += row(s);
    return plot_.svg("ac ev wide", "percentiles of the latency with their intervals", out);
  }

 private:
  static RowSize sized(double height) {
    RowSize out = kLatencySize;
    out.row = height;
    return out;
  }

  std::string row(std::size_t s) const {
    std::string out = plot_.label(s, scenario::percentile_name(shares_[s]));
    if (evaluation_.bound && evaluation_.bound->percentile == shares_[s]) out += limit(s);
    const double first = plot_.y(s) - height_ / 2 + (kLatencyGap + kLatencyPart) / 2;
    for (std::size_t i = 0; i < evaluation_.points.size(); ++i) {
      const EvaluatedPoint& p = evaluation_.points[i];
      if (!has_figures(p)) continue;
      for (const Percentile& percentile : p.figures.latency.percentiles)
        if (percentile.share == shares_[s])
          out += mark(p, percentile, i, first + kLatencyPart * static_cast<double>(i));
    }
    return out;
  }

  std::string limit(std::size_t s) const {
    const auto ns = static_cast<double>(evaluation_.bound->latency_ns);
    const double x = plot_.x().at(ns), y = plot_.y(s);
    return svg_line(x, y - height_ / 2, x, y + height_ / 2, "class=\"limit\"") +
           plot_.value(s, "bound " + short_duration(ns), "end limit");
  }

  std::string mark(const EvaluatedPoint& p, const Percentile& percentile, std::size_t i,
                   double y) const {
    const auto ns = static_cast<double>(percentile.value_ns);
    std::string words = fmt::format("{}: {} {}", title_of(p),
                                    scenario::percentile_name(percentile.share), duration(ns));
    const std::string line = stroke(series_color(i));
    std::string dot = filled(series_color(i));
    if (percentile.interval) {
      words += fmt::format("\n95 % interval {} to {}", duration(percentile.interval->lo),
                           duration(percentile.interval->hi));
    } else {
      words += fmt::format("\nno interval: needs {} queries", count_text(percentile.needed));
      dot = fmt::format("style=\"fill:var(--paper);stroke:{}\"", series_color(i));
    }
    const double end = std::max(percentile.interval ? percentile.interval->hi : 0, ns);
    return svg_group(
        "class=\"whisker\"", words,
        interval_dot(plot_.x(), y,
                     {.value = ns, .interval = percentile.interval, .line = line, .dot = dot}) +
            svg_text(plot_.x().at(end) + 8, y + 4, "value", duration(ns)));
  }

  const Evaluation& evaluation_;
  std::vector<double> shares_;
  double height_;  ///< height of a row
  RowPlot plot_;
};

/// Position of a share on the horizontal axis: the number of nines.
double nines(double share, double most) {
  return share >= 1 ? most : std::min(most, -std::log10(1 - share));
}

std::string distribution(const Evaluation& e) {
  LatencyRange range;
  double most = 1;
  std::vector<std::vector<Quantile>> of;
  for (const EvaluatedPoint& p : e.points) {
    of.push_back(has_queries(p) ? quantiles(p.load) : std::vector<Quantile>());
    for (const Quantile& q : of.back()) range.add(static_cast<double>(q.latency_ns));
    if (has_queries(p))
      most = std::max(most, std::log10(static_cast<double>(p.load.queries.size())));
  }
  if (range.empty()) return "";
  if (e.bound) range.add(static_cast<double>(e.bound->latency_ns));
  const Plot plot({.low = 0, .high = most}, log_axis(range.low, range.high));
  std::string out = plot.grid_y(short_duration) + plot.x_label(0, "0 %") +
                    plot.x_title("share of the queries that is not slower");
  for (const double share : {0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999})
    if (nines(share, 1e9) <= most)
      out += plot.x_label(nines(share, most), fmt::format("{:g} %", 100 * share));
  if (e.bound) out += plot.level(static_cast<double>(e.bound->latency_ns), "bound");
  for (std::size_t i = 0; i < of.size(); ++i) {
    std::vector<ChartPlace> points;
    for (const Quantile& q : of[i])
      points.push_back({nines(q.share, most), static_cast<double>(q.latency_ns)});
    if (!points.empty()) out += plot.line(points, stroke(series_color(i)));
  }
  return captioned("Distribution of the latency (both axes logarithmic)",
                   plot.svg("ac ev", "latency by share of the queries", out));
}

}  // namespace

std::string evaluation_latency_section(const Evaluation& e) {
  const LatencyRange range = percentile_range(e);
  if (range.empty()) return "";
  return section(
      "Latency",
      points_legend(e) +
          "<p class=\"sub\">Dots are percentiles as recorded, lines their 95 % intervals; a hollow "
          "dot has too few queries for an interval. Below, each line goes through recorded "
          "latencies up to the slowest one.</p>\n" +
          scrolled(PercentileChart(e, range).draw()) + "<div class=\"charts ev\">\n" +
          distribution(e) + "</div>\n");
}

}  // namespace ridge::report
