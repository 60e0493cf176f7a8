// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/chart/keys.h"
#include "report/chart/row_plot.h"
#include "report/chart/svg.h"
#include "report/evaluation/sections.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

constexpr RowSize kStepsSize = {.labels = 230, .values = 100, .top = 2, .row = 34};
constexpr double kStepsBar = 22;
/// Colors of run and wait, as in the charts over time, and of the steps before them.
constexpr std::size_t kRunColor = 2, kWaitColor = 4;
constexpr std::array<std::size_t, 6> kStepColors = {0, 1, 3, 5, 6, 7};

/// A part of what a query takes.
struct Part {
  std::string name;
  std::size_t color = 0;
  double mean_ns = 0, median_ns = 0;
  std::int64_t count = 0;
  std::string_view how;
};

/// Mean and median of values; `values` is not empty.
Part part_of(std::string name, std::size_t color, std::vector<std::int64_t> values,
             std::string_view how) {
  Part out{std::move(name), color, 0, 0, std::ssize(values), how};
  double sum = 0;
  for (const std::int64_t v : values) sum += static_cast<double>(v);
  out.mean_ns = sum / static_cast<double>(values.size());
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::ranges::nth_element(values, middle);
  out.median_ns = static_cast<double>(*middle);
  return out;
}

/// Steps, those beyond the colors as one, then wait and run of the queries.
std::vector<Part> parts_of(const std::vector<ShownStep>& steps, const EvaluatedPoint& p) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const ShownStep& step = steps[i];
    if (i >= kStepColors.size()) {
      out.back().name = "other steps";
      out.back().mean_ns += step.mean_ns;
      out.back().median_ns += step.median_ns;
      continue;
    }
    out.push_back({printable(step.name), kStepColors[i], step.mean_ns, step.median_ns, step.count,
                   "made ahead of the load, once for each sample"});
  }
  std::vector<std::int64_t> waits, runs;
  for (const scenario::Query& q : p.load.queries) {
    if (q.failed == 1) continue;
    waits.push_back(q.issued_ns - q.scheduled_ns);
    runs.push_back(q.done_ns - q.issued_ns);
  }
  if (runs.empty()) return {};
  out.push_back(
      part_of("wait", kWaitColor, std::move(waits), "from the due time to issue, under load"));
  out.push_back(part_of("run", kRunColor, std::move(runs), "from issue to answer, in its worker"));
  return out;
}

double sum_of(const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& part : parts) sum += part.mean_ns;
  return sum;
}

std::string steps_bar(const RowPlot& plot, std::size_t row, const EvaluatedPoint& p,
                      const std::vector<Part>& parts) {
  std::string out = plot.label(row, shorten_middle(title_of(p), 28));
  double at = 0;
  for (const Part& part : parts) {
    const double left = plot.x().at(at), right = plot.x().at(at += part.mean_ns);
    out += svg_rect({left, plot.y(row) - kStepsBar / 2, right - left, kStepsBar},
                    filled(series_color(part.color)),
                    fmt::format("{}: {}", part.name, duration(part.mean_ns)));
  }
  return out + svg_text(plot.x().at(at) + 8, plot.y(row) + 4, "start", duration(at));
}

std::string table_rows(const EvaluatedPoint& p, const std::vector<Part>& parts) {
  std::string out;
  const double sum = sum_of(parts);
  for (const Part& part : parts)
    out += "<tr>" + text_cell(title_of(p)) + "<td>" + html_escape(part.name) + "</td>" +
           number_cell(part.mean_ns, duration(part.mean_ns)) +
           number_cell(part.mean_ns / sum, exports::percent_text(part.mean_ns / sum)) +
           number_cell(part.median_ns, duration(part.median_ns)) +
           number_cell(static_cast<double>(part.count), count_text(part.count)) + "<td>" +
           html_escape(part.how) + "</td></tr>\n";
  return out;
}

std::string legend_of(const std::vector<Part>& parts) {
  std::vector<NamedColor> keys;
  for (const Part& part : parts) keys.push_back({part.name, series_color(part.color)});
  return color_keys(keys);
}

}  // namespace

std::string evaluation_steps_section(const Evaluation& e, const std::vector<ShownStep>& steps) {
  std::vector<std::pair<const EvaluatedPoint*, std::vector<Part>>> all;
  double most = 0;
  for (const EvaluatedPoint& p : e.points) {
    if (!has_queries(p)) continue;
    std::vector<Part> parts = parts_of(steps, p);
    if (!(sum_of(parts) > 0)) continue;
    most = std::max(most, sum_of(parts));
    all.emplace_back(&p, std::move(parts));
  }
  if (all.empty()) return "";
  const RowPlot plot({.low = 0, .high = most}, kStepsSize, all.size());
  std::string bars, table;
  for (std::size_t row = 0; row < all.size(); ++row) {
    bars += steps_bar(plot, row, *all[row].first, all[row].second);
    table += table_rows(*all[row].first, all[row].second);
  }
  const std::string_view ahead =
      steps.empty() ? ""
                    : " Steps before the model run ahead of the load and are not part of a "
                      "query's latency; a service that makes them for each query adds them.";
  return section(
      "Steps of the application",
      fmt::format("<p class=\"sub\">Means of all queries and samples; their medians are in the "
                  "table.{}</p>\n",
                  ahead) +
          legend_of(all.front().second) +
          scrolled(plot.svg("ac ev wide", "steps of the application", bars)) +
          scrolled("<table class=\"sortable packed\" id=\"steps\"><thead><tr>" +
                   column("runtime", false) + column("step", false) + column("mean", true) +
                   column("share", true) + column("median", true) + column("spans", true) +
                   "<th>what it is</th></tr></thead><tbody>\n" + table + "</tbody></table>"));
}

std::string evaluation_levels_section(const std::vector<trace::StackLevel>& levels) {
  if (levels.empty()) return "";
  std::string rows;
  for (const trace::StackLevel& level : levels) {
    const auto time = static_cast<double>(level.time_ns);
    const auto below = static_cast<double>(level.children_ns);
    const auto rest = static_cast<double>(level.remainder_ns());
    const auto exceeding = static_cast<std::int64_t>(level.exceeding);
    const auto spans = static_cast<std::int64_t>(level.spans);
    rows += "<tr><td>" + html_escape(printable(level.name)) + "</td>" +
            number_cell(static_cast<double>(spans), count_text(spans)) +
            number_cell(time, duration(time)) + number_cell(below, duration(below)) +
            number_cell(rest, fmt::format("{} ({})", duration(rest),
                                          exports::percent_text(time > 0 ? rest / time : 0))) +
            number_cell(static_cast<double>(exceeding),
                        exceeding == 0 ? "0"
                                       : fmt::format("{}, by up to {}", count_text(exceeding),
                                                     duration(level.max_excess_ns))) +
            "</tr>\n";
  }
  return section(
      "Across the stack",
      "<p class=\"sub\">What the spans of the trace consist of: queries of wait and run, runs of "
      "layers for those that ran with the runtime's profiler after the load. What nothing below "
      "explains is the level's own time; children that exceed their parent are a fault of clocks "
      "or of the runtime's report.</p>\n" +
          scrolled("<table class=\"sortable packed\" id=\"levels\"><thead><tr>" +
                   column("level", false) + column("spans", true) + column("time", true) +
                   column("explained below", true) + column("not explained", true) +
                   column("exceeded by their children", true) + "</tr></thead><tbody>\n" + rows +
                   "</tbody></table>"));
}

}  // namespace ridge::report
