// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/numeral.h"
#include "base/text.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"
#include "report/kit/markup.h"
#include "report/sharing/page.h"
#include "report/sharing/sections.h"

namespace ridge::report {
namespace {

using sharing::ReplayCase;
using sharing::ReplayRow;

double memory_of(const ReplayCase& of) { return static_cast<double>(of.memory.count); }

std::string memory_text(double bytes) { return binary_bytes(static_cast<std::int64_t>(bytes)); }

/// A figure that a chart draws over memory.
struct ReplayFigure {
  std::string_view title;
  std::function<double(const ReplayRow&)> value;
  TickText text;
  ChartAxis axis;
  bool bounded = false;  ///< the bound is drawn
};

ChartAxis memory_axis(const ReplayGroup& group) {
  ValueRange range;
  for (const ReplayRow* row : group.rows) range.take(std::max(memory_of(row->of), 1.0));
  if (range.high > range.low) return log_axis(range.low, range.high);
  return {.low = 0.9 * range.low, .high = 1.1 * range.high};
}

std::vector<std::string> policies_of(const ReplayGroup& group) {
  std::vector<std::string> out;
  for (const ReplayRow* row : group.rows)
    if (std::ranges::find(out, row->policy) == out.end()) out.push_back(row->policy);
  return out;
}

std::string policy_line(const ReplayGroup& group, const std::string& policy,
                        const ReplayFigure& figure, const Plot& plot, std::string_view color) {
  std::vector<ChartPlace> points;
  std::string dots;
  for (const ReplayRow* row : group.rows) {
    if (row->policy != policy) continue;
    const ChartPlace point{memory_of(row->of), figure.value(*row)};
    points.push_back(point);
    dots += plot.dot(
        point, 3.5, filled(color),
        fmt::format("{}, {}: {}", printable(policy), memory_text(point.x), figure.text(point.y)));
  }
  return plot.line(points, stroke(color)) + dots;
}

/// Rows of the first policy: one for each budget.
std::vector<const ReplayRow*> budgets_of(const ReplayGroup& group) {
  std::vector<const ReplayRow*> out;
  for (const ReplayRow* row : group.rows)
    if (row->policy == group.rows[0]->policy) out.push_back(row);
  return out;
}

std::string bound_line(const ReplayGroup& group, const Plot& plot) {
  std::vector<ChartPlace> points;
  std::string dots;
  for (const ReplayRow* row : budgets_of(group)) {
    const ChartPlace point{memory_of(row->of), row->bound_share()};
    points.push_back(point);
    dots += plot.dot(
        point, 2.5, "class=\"dim\"",
        fmt::format("{}, {}: {:.2f} %", row->bound.exact ? "optimum" : "no policy has more",
                    memory_text(point.x), 100 * point.y));
  }
  return plot.line(points, "class=\"limit\"") + dots;
}

std::string replay_chart(const ReplayGroup& group, const ReplayFigure& figure) {
  const Plot plot(memory_axis(group), figure.axis);
  std::vector<double> memories;
  for (const ReplayRow* row : budgets_of(group)) memories.push_back(memory_of(row->of));
  std::string out =
      plot.grid_y(figure.text) + plot.x_labels(memories, memory_text) + plot.x_title("memory");
  if (figure.bounded) out += bound_line(group, plot);
  const std::vector<std::string> policies = policies_of(group);
  for (std::size_t i = 0; i < policies.size(); ++i)
    out += policy_line(group, policies[i], figure, plot, series_color(i));
  return captioned(figure.title, plot.svg("ac ev", figure.title, out));
}

ReplayFigure hits_figure() {
  return {.title = "hits, and the bound (dashed)",
          .value = [](const ReplayRow& row) { return row.hit_share(); },
          .text = [](double v) { return fmt::format("{:.3g} %", 100 * v); },
          .axis = axis_from_zero(1),
          .bounded = true};
}

ReplayFigure cold_figure(const ReplayGroup& group) {
  const auto value = [](const ReplayRow& row) {
    return static_cast<double>(row.result.ready.p99.count);
  };
  double most = 1;
  for (const ReplayRow* row : group.rows) most = std::max(most, value(*row));
  return {.title = "time until ready, 99th percentile",
          .value = value,
          .text = short_duration,
          .axis = axis_from_zero(most)};
}

std::string group_title(const ReplayCase& of) {
  std::string out = printable(of.trace);
  if (of.clients > 0) out += ", " + counted(of.clients, "client");
  return fmt::format("{}, {}", out, counted(of.models, "model"));
}

bool same_group(const ReplayCase& a, const ReplayCase& b) {
  return a.trace == b.trace && a.clients == b.clients && a.share == b.share;
}

}  // namespace

std::vector<ReplayGroup> replay_groups(const sharing::Replay& replay) {
  std::vector<ReplayGroup> out;
  for (const ReplayRow& row : replay.rows) {
    auto at = std::ranges::find_if(
        out, [&](const ReplayGroup& group) { return same_group(group.rows[0]->of, row.of); });
    if (at == out.end())
      at = out.insert(out.end(), ReplayGroup{.title = group_title(row.of), .rows = {}});
    at->rows.push_back(&row);
  }
  for (ReplayGroup& group : out)
    std::ranges::stable_sort(group.rows, {}, [](const ReplayRow* row) { return row->of.memory; });
  return out;
}

std::string replay_charts(const std::vector<ReplayGroup>& groups) {
  std::string out;
  for (std::size_t i = 0; i < std::min(groups.size(), kChartedCases); ++i) {
    const ReplayGroup& group = groups[i];
    std::vector<NamedColor> keys;
    const std::vector<std::string> policies = policies_of(group);
    for (std::size_t p = 0; p < policies.size(); ++p)
      keys.push_back({printable(policies[p]), series_color(p)});
    out += section(group.title, color_keys(keys) + "<div class=\"charts ev\">\n" +
                                    replay_chart(group, hits_figure()) +
                                    replay_chart(group, cold_figure(group)) + "</div>\n");
  }
  if (groups.size() > kChartedCases)
    out += fmt::format("<p class=\"sub\">{} more of them are in the table alone.</p>\n",
                       groups.size() - kChartedCases);
  return out;
}

}  // namespace ridge::report
