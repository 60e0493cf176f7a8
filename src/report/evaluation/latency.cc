#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "report/chart/axes.h"
#include "report/chart/keys.h"
#include "report/chart/svg.h"
#include "report/evaluation/sections.h"
#include "report/evaluation/series.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

using scenario::Percentile;

constexpr double kLatencyWidth = 1200, kLatencyLabels = 70, kLatencyValues = 110, kLatencyTop = 42,
                 kLatencyRow = 15, kLatencyGap = 9;

struct LatencyRange {
  double low = std::numeric_limits<double>::max(), high = 0;
  void take(double v) {
    if (!(v > 0)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return high <= 0; }
};

/// Range of the percentiles, their intervals and the bound.
LatencyRange percentile_range(const EvaluationView& view) {
  LatencyRange out;
  for (const EvaluationPoint& p : view.points) {
    if (!has_figures(p)) continue;
    for (const Percentile& percentile : p.figures->latency) {
      out.take(static_cast<double>(percentile.value_ns));
      if (percentile.interval) out.take(percentile.interval->lo), out.take(percentile.interval->hi);
    }
  }
  if (view.bound && !out.empty()) out.take(static_cast<double>(view.bound->latency_ns));
  return out;
}

std::vector<double> shares_of(const EvaluationView& view) {
  std::vector<double> out;
  for (const EvaluationPoint& p : view.points)
    if (has_figures(p))
      for (const Percentile& percentile : p.figures->latency)
        if (std::ranges::find(out, percentile.share) == out.end()) out.push_back(percentile.share);
  std::ranges::sort(out);
  return out;
}

/// The chart of percentiles: a row for each percentile and runtime.
class PercentileChart {
 public:
  PercentileChart(const EvaluationView& view, const LatencyRange& range)
      : view_(view), axis_(log_axis(range.low, range.high)), shares_(shares_of(view)) {}

  std::string draw() const {
    std::string out = svg_text((kLatencyLabels + kLatencyWidth - kLatencyValues) / 2, 11, "middle",
                               "latency, logarithmic axis");
    double last = -100;
    for (const double ns : axis_.ticks()) {
      const bool labeled = x(ns) - last >= 60;
      out += svg_line(x(ns), kLatencyTop - (labeled ? 6 : 3), x(ns), floor());
      if (!labeled) continue;
      last = x(ns);
      out += svg_text(x(ns), kLatencyTop - 9, "middle", short_duration(ns));
    }
    for (std::size_t s = 0; s < shares_.size(); ++s) out += row(s);
    return fmt::format(
        "<svg class=\"ac ev wide\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"percentiles "
        "of the latency with their intervals\">\n{}</svg>\n",
        kLatencyWidth, floor() + 8, out);
  }

 private:
  double x(double ns) const {
    return kLatencyLabels + axis_.share(ns) * (kLatencyWidth - kLatencyValues - kLatencyLabels);
  }
  double height() const {
    return kLatencyGap + kLatencyRow * static_cast<double>(view_.points.size());
  }
  double top(std::size_t share) const {
    return kLatencyTop + height() * static_cast<double>(share);
  }
  double floor() const { return top(shares_.size()); }

  std::string row(std::size_t s) const {
    const double middle = top(s) + height() / 2;
    std::string out =
        svg_text(kLatencyLabels - 10, middle + 4, "end", scenario::percentile_name(shares_[s]));
    if (view_.bound && view_.bound->percentile == shares_[s]) out += limit(top(s));
    for (std::size_t i = 0; i < view_.points.size(); ++i) {
      const EvaluationPoint& p = view_.points[i];
      if (!has_figures(p)) continue;
      for (const Percentile& percentile : p.figures->latency)
        if (percentile.share == shares_[s])
          out += mark(p, percentile, i,
                      top(s) + kLatencyGap / 2 + kLatencyRow * (static_cast<double>(i) + 0.5));
    }
    return out;
  }

  std::string limit(double y) const {
    const double at = x(static_cast<double>(view_.bound->latency_ns));
    return fmt::format(
               "<line class=\"limit\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" "
               "y2=\"{2:.1f}\"/>\n",
               at, y, y + height()) +
           svg_text(kLatencyWidth, y + height() / 2 + 4, "end limit",
                    "bound " + short_duration(static_cast<double>(view_.bound->latency_ns)));
  }

  std::string mark(const EvaluationPoint& p, const Percentile& percentile, std::size_t i,
                   double y) const {
    std::string words =
        fmt::format("{}: {} {}", title_of(p), scenario::percentile_name(percentile.share),
                    duration(percentile.value_ns));
    std::string out;
    if (percentile.interval) {
      const stats::Interval& in = *percentile.interval;
      words += fmt::format("\n95 % interval {} to {}", duration(in.lo), duration(in.hi));
      out += fmt::format(
          "<line style=\"stroke:{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" "
          "y2=\"{:.1f}\"/>",
          series_color(i), x(in.lo), x(in.hi), y, y);
    } else {
      words += fmt::format("\nno interval: needs {} queries", count_text(percentile.needed));
    }
    const std::string look = percentile.interval
                                 ? fmt::format("fill:{}", series_color(i))
                                 : fmt::format("fill:var(--paper);stroke:{}", series_color(i));
    out += fmt::format("<circle style=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", look,
                       x(static_cast<double>(percentile.value_ns)), y);
    const double end = percentile.interval ? percentile.interval->hi : 0;
    out += svg_text(x(std::max(end, static_cast<double>(percentile.value_ns))) + 8, y + 4, "value",
                    duration(percentile.value_ns));
    return fmt::format("<g class=\"whisker\"><title>{}</title>{}</g>\n", html_escape(words), out);
  }

  const EvaluationView& view_;
  ChartAxis axis_;
  std::vector<double> shares_;
};

/// Position of a share on the horizontal axis: the number of nines.
double nines(double share, double most) {
  return share >= 1 ? most : std::min(most, -std::log10(1 - share));
}

std::string distribution(const EvaluationView& view) {
  LatencyRange range;
  double most = 1;
  std::vector<std::vector<Quantile>> of;
  for (const EvaluationPoint& p : view.points) {
    of.push_back(has_queries(p) ? quantiles(*p.load) : std::vector<Quantile>());
    for (const Quantile& q : of.back()) range.take(static_cast<double>(q.latency_ns));
    if (has_queries(p))
      most = std::max(most, std::log10(static_cast<double>(p.load->queries.size())));
  }
  if (range.empty()) return "";
  if (view.bound) range.take(static_cast<double>(view.bound->latency_ns));
  const Plot plot({0, most}, log_axis(range.low, range.high));
  std::string out = plot.grid_y(short_duration) + plot.x_label(0, "0 %") +
                    plot.x_title("share of the queries that is not slower");
  for (const double share : {0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999})
    if (nines(share, 1e9) <= most)
      out += plot.x_label(nines(share, most), fmt::format("{:g} %", 100 * share));
  if (view.bound) out += plot.level(static_cast<double>(view.bound->latency_ns), "bound");
  for (std::size_t i = 0; i < of.size(); ++i) {
    std::vector<PlotPoint> points;
    for (const Quantile& q : of[i])
      points.push_back({nines(q.share, most), static_cast<double>(q.latency_ns)});
    if (!points.empty()) out += plot.line(points, series_color(i));
  }
  return captioned("Distribution of the latency (both axes logarithmic)",
                   plot.svg("latency by share of the queries", out));
}

}  // namespace

std::string evaluation_latency_section(const EvaluationView& view) {
  const LatencyRange range = percentile_range(view);
  if (range.empty()) return "";
  return section(
      "Latency",
      points_legend(view) +
          "<p class=\"sub\">Dots are percentiles as recorded, lines their 95 % intervals; a hollow "
          "dot has too few queries for an interval. Below, each line goes through recorded "
          "latencies up to the slowest one.</p>\n" +
          scrolled(PercentileChart(view, range).draw()) + "<div class=\"charts ev\">\n" +
          distribution(view) + "</div>\n");
}

}  // namespace ridge::report
