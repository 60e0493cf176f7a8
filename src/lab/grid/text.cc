// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/text.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/text.h"
#include "export/table.h"
#include "lab/grid/figures.h"

namespace ridge::lab {
namespace {

using exports::Align;
using exports::Table;

Table figure_table(const Grid& grid, const GridFigure& figure) {
  std::vector<exports::Column> heads = {{"", Align::kLeft, 40}};
  for (const std::string& column : grid.columns)
    heads.push_back({column, Align::kRight, exports::kWhole});
  Table out(std::move(heads));
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    std::vector<std::string> cells = {grid.rows[row]};
    for (std::size_t column = 0; column < grid.columns.size(); ++column)
      cells.push_back(cell_text(figure, grid.at(row, column)));
    out.add(std::move(cells));
  }
  return out;
}

Table measured_table(const Grid& grid) {
  Table out({{"row", Align::kLeft, 40},
             {"column", Align::kLeft, 40},
             {"setting", Align::kLeft, exports::kWhole},
             {"parameters", Align::kRight},
             {"measured", Align::kLeft, exports::kWhole}});
  for (const GridCell& cell : grid.cells)
    out.add({grid.rows[cell.row], grid.columns[cell.column], cell.setting,
             cell.params ? fmt::format("{}", *cell.params) : std::string(kNotKnown),
             counts_text(cell)});
  return out;
}

/// The figures that no cell has.
std::string absent_text(const Grid& grid) {
  std::string out;
  for (const GridFigure& figure : grid_figures())
    if (!is_known(grid, figure)) out += fmt::format("{}: ?; {}\n", figure.title, figure.absent);
  return out;
}

std::string with_base(const Grid& grid, const GridFigure& figure) {
  const bool shows = figure.estimate == &GridCell::speed_up && !grid.base.empty();
  return shows ? fmt::format("{} over {}", figure.title, grid.base) : std::string(figure.title);
}

/// Numbers of a line of CSV; empty for what is not known.
class Numbers {
 public:
  explicit Numbers(std::vector<std::string>& cells) : cells_(cells) {}
  void add(const stats::Estimate& e) {
    add(e.value);
    add(e.low());
    add(e.high());
  }
  void add(double value) { cells_.push_back(std::isfinite(value) ? fmt::format("{}", value) : ""); }
  void add(const std::optional<std::int64_t>& value) {
    cells_.push_back(value ? fmt::format("{}", *value) : "");
  }

 private:
  std::vector<std::string>& cells_;
};

std::vector<std::string> csv_line(const GridCell& cell, std::string row, std::string column) {
  std::vector<std::string> out = {std::move(row), std::move(column), cell.host, cell.setting,
                                  cell.accuracy_metric};
  Numbers numbers(out);
  numbers.add(cell.accuracy);
  numbers.add(cell.latency_batch);
  for (const stats::Estimate* e : {&cell.median_ns, &cell.trimmed_mean_ns, &cell.p90_ns})
    numbers.add(*e);
  numbers.add(cell.items_batch);
  for (const stats::Estimate* e : {&cell.items_per_s, &cell.cost_per_million, &cell.speed_up})
    numbers.add(*e);
  numbers.add(cell.params);
  for (const std::int64_t n :
       {cell.runs, cell.processes, cell.samples, cell.evaluations, cell.left_out})
    numbers.add(std::optional(n));
  return out;
}

std::vector<exports::Column> csv_heads() {
  std::vector<exports::Column> out;
  for (const char* title : {"row",
                            "column",
                            "host",
                            "setting",
                            "accuracy_metric",
                            "accuracy",
                            "accuracy_low",
                            "accuracy_high",
                            "latency_batch",
                            "median_ns",
                            "median_low_ns",
                            "median_high_ns",
                            "trimmed_mean_ns",
                            "trimmed_mean_low_ns",
                            "trimmed_mean_high_ns",
                            "p90_ns",
                            "p90_low_ns",
                            "p90_high_ns",
                            "items_batch",
                            "items_per_s",
                            "items_low_per_s",
                            "items_high_per_s",
                            "cost_per_million",
                            "cost_per_million_low",
                            "cost_per_million_high",
                            "speed_up",
                            "speed_up_low",
                            "speed_up_high",
                            "params",
                            "runs",
                            "processes",
                            "samples",
                            "evaluations",
                            "left_out"})
    out.push_back({title});
  return out;
}

}  // namespace

std::string grid_text(const Grid& grid) {
  std::string out;
  for (const GridFigure& figure : grid_figures())
    if (is_known(grid, figure))
      out += fmt::format("{}: {}\n\n{}\n", printable(with_base(grid, figure)), figure.meaning,
                         figure_table(grid, figure).text());
  out += measured_table(grid).text();
  if (const std::string absent = absent_text(grid); !absent.empty()) out += "\n" + absent;
  return out;
}

std::string grid_markdown(const Grid& grid) {
  std::string out = fmt::format("# {}\n\n", grid_title(grid));
  for (const GridFigure& figure : grid_figures())
    if (is_known(grid, figure))
      out += fmt::format("## {}\n\n{}{}.\n\n{}\n", figure.title, figure.meaning,
                         figure.estimate == &GridCell::speed_up ? "; the base is 1" : "",
                         figure_table(grid, figure).markdown());
  out += "## What was measured\n\n" + measured_table(grid).markdown() + "\n";
  for (const std::string_view rule : grid_rules()) out += fmt::format("- {}\n", rule);
  for (const GridFigure& figure : grid_figures())
    if (!is_known(grid, figure)) out += fmt::format("- {}: ?; {}\n", figure.title, figure.absent);
  return out;
}

std::string grid_csv(const Grid& grid) {
  Table out(csv_heads());
  for (std::size_t row = 0; row < grid.rows.size(); ++row)
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      const GridCell* cell = grid.at(row, column);
      out.add(csv_line(cell == nullptr ? GridCell{} : *cell, grid.rows[row], grid.columns[column]));
    }
  return out.csv();
}

}  // namespace ridge::lab
