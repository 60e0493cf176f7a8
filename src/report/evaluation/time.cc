// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/numeral.h"
#include "base/text.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"
#include "report/evaluation/sections.h"
#include "report/evaluation/series.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

/// Queries up to which each is drawn as a dot.
constexpr std::int64_t kMaxDots = 800;
/// Bins that one step of the rate is over.
constexpr std::size_t kMerged = 5;

/// Axes that all runtimes share, so that their charts compare.
struct Axes {
  ChartAxis time, latency, parts, rate;
};

double seconds_of(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

struct Binned {
  const EvaluatedPoint* point = nullptr;
  TimeBins time;

  /// Answers per second in `kMerged` bins each: fewer, so that chance moves them less.
  std::vector<double> rates() const {
    std::vector<double> out;
    for (std::size_t i = 0; i < time.bins.size(); i += kMerged) {
      double completed = 0, width = 0;
      for (std::size_t k = i; k < std::min(i + kMerged, time.bins.size()); ++k) {
        completed += static_cast<double>(time.bins[k].completed);
        width += seconds_of(time.width_ns);
      }
      out.push_back(completed / width);
    }
    return out;
  }
  double at_s(std::size_t bin) const {
    return static_cast<double>(bin) * seconds_of(time.width_ns);
  }
};

Axes time_axes(const std::vector<Binned>& all, const std::optional<scenario::LatencyBound>& bound) {
  double last = 0, least = std::numeric_limits<double>::max(), most = 0, part = 0, rate = 0;
  for (const Binned& b : all) {
    last = std::max(last, seconds_of(b.point->load.ended_ns - b.point->load.begun_ns));
    for (const double r : b.rates()) rate = std::max(rate, r);
    for (const TimeBin& bin : b.time.bins) {
      if (bin.queries == 0) continue;
      least = std::min(least, static_cast<double>(std::max<std::int64_t>(1, bin.min_ns)));
      most = std::max(most, static_cast<double>(bin.max_ns));
      part = std::max(part, bin.mean_wait_ns + bin.mean_run_ns);
    }
  }
  if (bound && most > 0) {
    const auto at = static_cast<double>(bound->latency_ns);
    least = std::min(least, at);
    most = std::max(most, at);
  }
  return {{.low = 0, .high = last},
          log_axis(std::min(least, std::max(most, 1.0)), most),
          axis_from_zero(part),
          axis_from_zero(rate)};
}

std::string seconds_text(double s) { return fmt::format("{:g} s", s); }

/// Mark of the last due time, where the load begins to drain.
std::string drain(const Plot& plot, const Binned& b) {
  const double at = seconds_of(b.time.last_scheduled_ns);
  const double end = seconds_of(b.point->load.ended_ns - b.point->load.begun_ns);
  if (end - at < 0.02 * plot.x().high) return "";
  const double x = plot.x().at(at);
  return plot.upright(at, "class=\"drain\"") + svg_text(x + (x > 400 ? -4 : 4), PlotSize().top + 10,
                                                        x > 400 ? "end" : "start",
                                                        "last query scheduled");
}

std::string dots(const Plot& plot, const scenario::Load& load, std::string_view color) {
  std::string out;
  for (const scenario::Query& q : load.queries)
    if (q.failed == 0)
      out += plot.dot(
          {seconds_of(q.scheduled_ns - load.begun_ns), static_cast<double>(q.latency_ns())}, 2, "");
  return svg_group(fmt::format("style=\"fill:{};opacity:.55\"", color), "", out);
}

/// The corners of a step line over the bins that have queries.
template <typename Value>
std::vector<ChartPlace> step_points(const Binned& b, Value value) {
  std::vector<ChartPlace> out;
  for (std::size_t i = 0; i < b.time.bins.size(); ++i) {
    const TimeBin& bin = b.time.bins[i];
    out.push_back({b.at_s(i), value(bin)});
    out.push_back({b.at_s(i + 1), value(bin)});
  }
  return out;
}

std::string latency_chart(const Evaluation& e, const Axes& axes, const Binned& b,
                          std::string_view color) {
  const Plot plot(axes.time, axes.latency);
  std::string out = plot.grid(seconds_text, short_duration, "due time of the query");
  const scenario::Load& load = b.point->load;
  if (std::ssize(load.queries) <= kMaxDots) {
    out += dots(plot, load, color);
  } else {
    std::vector<ChartPlace> upper, lower, middle;
    for (std::size_t i = 0; i < b.time.bins.size(); ++i) {
      const TimeBin& bin = b.time.bins[i];
      if (bin.queries == 0) continue;
      const double at = (b.at_s(i) + b.at_s(i + 1)) / 2;
      upper.push_back({at, static_cast<double>(bin.max_ns)});
      lower.push_back({at, static_cast<double>(bin.min_ns)});
      middle.push_back({at, static_cast<double>(bin.median_ns)});
    }
    out += plot.area(upper, lower, color, 0.3) + plot.line(middle, stroke(color));
  }
  if (e.bound) out += plot.level(static_cast<double>(e.bound->latency_ns), "bound");
  return captioned(title_of(*b.point) + ": latency",
                   plot.svg("ac ev", "latency over time", out + drain(plot, b)));
}

std::string parts_chart(const Axes& axes, const Binned& b) {
  const Plot plot(axes.time, axes.parts);
  const auto run = step_points(b, [](const TimeBin& bin) { return bin.mean_run_ns; });
  const auto all =
      step_points(b, [](const TimeBin& bin) { return bin.mean_run_ns + bin.mean_wait_ns; });
  const std::vector<ChartPlace> floor = {{0, 0}, {axes.time.high, 0}};
  return captioned(title_of(*b.point) + ": run and wait, means",
                   plot.svg("ac ev", "run and wait over time",
                            plot.grid(seconds_text, short_duration, "due time of the query") +
                                plot.area(run, floor, series_color(2), 0.8) +
                                plot.area(all, run, series_color(4), 0.8) + drain(plot, b)));
}

std::string rate_chart(const Axes& axes, const Binned& b, std::string_view color) {
  const Plot plot(axes.time, axes.rate);
  std::string out = plot.grid(
      seconds_text, [](double v) { return si(v); }, "time of the answer");
  const std::vector<double> rates = b.rates();
  std::vector<ChartPlace> line;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    line.push_back({b.at_s(i * kMerged), rates[i]});
    line.push_back({b.at_s(std::min((i + 1) * kMerged, b.time.bins.size())), rates[i]});
  }
  out += plot.line(line, stroke(color));
  return captioned(title_of(*b.point) + ": answers per second",
                   plot.svg("ac ev", "throughput over time", out + drain(plot, b)));
}

}  // namespace

std::string evaluation_time_section(const Evaluation& e) {
  std::vector<Binned> all;
  std::vector<std::string_view> colors;
  for (std::size_t i = 0; i < e.points.size(); ++i)
    if (has_queries(e.points[i])) {
      all.push_back({&e.points[i], time_bins(e.points[i].load)});
      colors.push_back(series_color(i));
    }
  if (all.empty()) return "";
  const Axes axes = time_axes(all, e.bound);
  std::string latency, parts, rate, widths;
  for (std::size_t i = 0; i < all.size(); ++i) {
    latency += latency_chart(e, axes, all[i], colors[i]);
    parts += parts_chart(axes, all[i]);
    rate += rate_chart(axes, all[i], colors[i]);
    widths += fmt::format("{}{} of {}", widths.empty() ? "" : "; ",
                          counted(std::ssize(all[i].time.bins), "part"),
                          short_duration(static_cast<double>(all[i].time.width_ns)));
  }
  return section(
      "Over time",
      fmt::format(
          "<p class=\"sub\">The time of the load is divided into equal parts ({}). Latency: "
          "each query up to {} of them; beyond, the median of each part, and from its "
          "fastest to its slowest query. Warm-up runs come before and are not "
          "recorded.</p>\n",
          html_escape(widths), kMaxDots) +
          points_legend(e) +
          color_keys({{"run: from issue to answer", series_color(2)},
                      {"wait: from the due time to issue", series_color(4)}}) +
          "<div class=\"charts ev\">\n" + latency + parts + rate + "</div>\n");
}

}  // namespace ridge::report
