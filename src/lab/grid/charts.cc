// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/numeral.h"
#include "base/text.h"
#include "lab/grid/figures.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/row_plot.h"
#include "report/kit/markup.h"

namespace ridge::lab {
namespace {

using report::ChartAxis;
using report::ChartPlace;
using report::Plot;

/// Ratio of the largest value to the smallest from which an axis is logarithmic.
constexpr double kLogarithmicFrom = 8;
/// Rows with a chart of their own; the table has all.
constexpr std::size_t kMostCharts = 24;
constexpr std::size_t kLongestName = 48;

std::string_view color_of(std::size_t column) {
  return report::series_color(std::min(column, report::kSeriesColors - 1));
}

std::string short_name(const std::string& name) {
  return shorten_middle(printable(name), kLongestName);
}

/// Legend of the columns that `shown` has; those beyond the colors share the last.
std::string legend_of(const Grid& grid, const std::map<std::size_t, bool>& shown) {
  std::vector<report::NamedColor> keys;
  for (const auto& [column, is] : shown)
    keys.push_back({short_name(grid.columns[column]), color_of(column)});
  return report::color_keys(keys);
}

ChartAxis axis_over(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  if (least > 0 && most >= kLogarithmicFrom * least) return report::log_axis(least, most);
  return report::axis_from_zero(most);
}

std::string rate_words(double per_s) { return significant(per_s, 3); }

bool has_both(const GridCell& cell) {
  return std::isfinite(cell.accuracy.value) && cell.trimmed_mean_ns.value > 0;
}

/// Accuracies near each other are told apart.
ChartAxis accuracy_axis(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  const double room = std::max(0.1 * (most - least), 0.01 * std::max(std::abs(most), 1e-9));
  return {.low = least - room, .high = most + room};
}

/// The intervals of a cell as a cross, and its dot.
std::string accuracy_mark(const Grid& grid, const GridCell& cell, const Plot& plot) {
  const double x = cell.trimmed_mean_ns.value, y = cell.accuracy.value;
  const std::string line = report::stroke(color_of(cell.column));
  std::string out;
  if (const auto& i = cell.trimmed_mean_ns.interval)
    out += plot.segment({std::max(i->lo, plot.x().low), y}, {i->hi, y}, line);
  if (const auto& i = cell.accuracy.interval) out += plot.segment({x, i->lo}, {x, i->hi}, line);
  const auto figures = grid_figures();
  return out + plot.dot({x, y}, 4.5, report::filled(color_of(cell.column)),
                        fmt::format("{}, {}: {}, {}", short_name(grid.rows[cell.row]),
                                    short_name(grid.columns[cell.column]),
                                    cell_text(figures[0], &cell), cell_text(figures[1], &cell)));
}

std::string batch_chart(const Grid& grid, std::size_t row,
                        const std::vector<const GridCell*>& cells) {
  std::vector<double> batches, rates;
  std::map<std::size_t, bool> shown;
  for (const GridCell* cell : cells)
    for (const BatchThroughput& at : cell->batches) {
      if (!std::isfinite(at.items_per_s.value)) continue;
      batches.push_back(static_cast<double>(at.batch));
      rates.push_back(at.items_per_s.interval ? at.items_per_s.interval->hi : at.items_per_s.value);
      shown[cell->column] = true;
    }
  if (batches.empty()) return "";
  const Plot plot(report::log_axis(std::ranges::min(batches), std::ranges::max(batches)),
                  report::axis_from_zero(std::ranges::max(rates)));
  std::ranges::sort(batches);
  std::string out = plot.grid_y(rate_words) + plot.x_labels(batches, [](double v) {
    return fmt::format("{:.0f}", v);
  }) + plot.x_title("batch");
  for (const GridCell* cell : cells) {
    const std::string line = report::stroke(color_of(cell->column));
    std::vector<ChartPlace> points;
    for (const BatchThroughput& at : cell->batches) {
      if (!std::isfinite(at.items_per_s.value)) continue;
      const double x = static_cast<double>(at.batch);
      points.push_back({x, at.items_per_s.value});
      if (const auto& i = at.items_per_s.interval)
        out += plot.segment({x, i->lo}, {x, i->hi}, line);
      out += plot.dot(points.back(), 3.5, report::filled(color_of(cell->column)),
                      fmt::format("{}, batch {}: {}/s", short_name(grid.columns[cell->column]),
                                  at.batch, rate_words(at.items_per_s.value)));
    }
    out += plot.line(points, line);
  }
  const std::string what =
      fmt::format("{}: items per second over batch (logarithmic)", short_name(grid.rows[row]));
  return legend_of(grid, shown) + report::captioned(what, plot.svg("ac ev", what, out));
}

}  // namespace

std::string accuracy_chart(const Grid& grid) {
  std::vector<double> times, accuracies;
  std::map<std::size_t, bool> shown;
  for (const GridCell& cell : grid.cells) {
    if (!has_both(cell)) continue;
    times.push_back(cell.trimmed_mean_ns.value);
    for (const double a : {cell.accuracy.value, cell.accuracy.low(), cell.accuracy.high()})
      if (std::isfinite(a)) accuracies.push_back(a);
    shown[cell.column] = true;
  }
  if (times.empty()) return "";
  const Plot plot(axis_over(times), accuracy_axis(accuracies), {.left = 84});
  std::string out = plot.grid(
      report::short_duration, [](double v) { return significant(v, 3); },
      "trimmed mean of the latency");
  for (const GridCell& cell : grid.cells)
    if (has_both(cell)) out += accuracy_mark(grid, cell, plot);
  return report::section("Accuracy against latency",
                         legend_of(grid, shown) + "<div class=\"charts ev\">\n" +
                             report::captioned("Each dot is a cell; lines are 95 % intervals.",
                                               plot.svg("ac ev", "accuracy against latency", out)) +
                             "</div>\n");
}

std::string batch_charts(const Grid& grid) {
  std::map<std::size_t, std::vector<const GridCell*>> rows;
  for (const GridCell& cell : grid.cells)
    if (cell.batches.size() > 1) rows[cell.row].push_back(&cell);
  if (rows.empty()) return "";
  std::string out;
  std::size_t drawn = 0;
  for (const auto& [row, cells] : rows)
    if (drawn++ < kMostCharts) out += "<div>" + batch_chart(grid, row, cells) + "</div>\n";
  out = "<div class=\"charts ev\">\n" + out + "</div>\n";
  if (rows.size() > kMostCharts)
    out += fmt::format("<p class=\"sub\">{} more rows are in the document.</p>\n",
                       rows.size() - kMostCharts);
  return report::section("Throughput over batch", out);
}

std::string speed_up_chart(const Grid& grid) {
  std::vector<const GridCell*> cells;
  report::ValueRange range;
  range.take(1);
  for (const GridCell& cell : grid.cells) {
    if (!(cell.speed_up.value > 0) || grid.columns[cell.column] == grid.base) continue;
    cells.push_back(&cell);
    for (const double v : {cell.speed_up.value, cell.speed_up.low(), cell.speed_up.high()})
      if (v > 0 && std::isfinite(v)) range.take(v);
  }
  if (cells.empty()) return "";
  const ChartAxis axis = report::log_axis(range.low * 0.9, range.high * 1.1);
  const report::RowPlot plot(axis, {.labels = 420, .values = 220, .top = 34, .row = 20},
                             cells.size());
  std::string out = plot.grid(plot.x().ticks(), [](double v) { return significant(v, 2) + " x"; });
  const double one = plot.x().at(1);
  out += report::svg_line(one, 34, one, plot.floor(), "class=\"limit\"");
  const GridFigure& figure = grid_figures().back();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const GridCell& cell = *cells[i];
    const std::string line = report::stroke(color_of(cell.column));
    const std::string dot = report::filled(color_of(cell.column));
    out += plot.label(
        i,
        shorten_middle(
            printable(fmt::format("{}, {}", grid.rows[cell.row], grid.columns[cell.column])), 56));
    out += report::interval_dot(plot.x(), plot.y(i),
                                {.value = cell.speed_up.value,
                                 .interval = cell.speed_up.interval,
                                 .line = line,
                                 .dot = dot});
    out += plot.value(i, value_text(figure, &cell) + " " + interval_text(figure, &cell));
  }
  return report::section("Speed-ups over " + short_name(grid.base),
                         report::scrolled(plot.svg("ac ev wide", "speed-ups with intervals", out)));
}

}  // namespace ridge::lab
