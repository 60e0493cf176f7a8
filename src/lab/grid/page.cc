// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/page.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "lab/grid/charts.h"
#include "lab/grid/figures.h"
#include "report/chart/keys.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"

namespace ridge::lab {
namespace {

std::optional<double> sorts_by(const GridFigure& figure, const GridCell* cell) {
  if (cell == nullptr || std::isnan((cell->*figure.estimate).value)) return std::nullopt;
  return (cell->*figure.estimate).value;
}

std::string figure_section(const Grid& grid, const GridFigure& figure) {
  std::string head = report::column(grid_title(grid), false);
  for (const std::string& name : grid.columns) head += report::column(printable(name), true);
  std::string rows;
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    rows += "<tr>" + report::text_cell(printable(grid.rows[row]));
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      const GridCell* cell = grid.at(row, column);
      rows += report::number_cell(sorts_by(figure, cell), cell_text(figure, cell));
    }
    rows += "</tr>\n";
  }
  std::string title(figure.title);
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  if (figure.estimate == &GridCell::speed_up) title += " over " + printable(grid.base);
  return report::section(
      title, fmt::format("<p class=\"sub\">{}.</p>\n", html_escape(figure.meaning)) +
                 report::scrolled(fmt::format(
                     "<table class=\"sortable\" id=\"{}\"><thead><tr>{}</tr></thead><tbody>\n{}"
                     "</tbody></table>\n",
                     figure.id, head, rows)));
}

std::string measured_section(const Grid& grid) {
  const std::string unknown(kNotKnown);
  std::string rows;
  for (const GridCell& cell : grid.cells) {
    const auto params =
        cell.params ? std::optional(static_cast<double>(*cell.params)) : std::nullopt;
    const auto samples =
        cell.samples > 0 ? std::optional(static_cast<double>(cell.samples)) : std::nullopt;
    rows += "<tr>" + report::text_cell(printable(grid.rows[cell.row])) +
            report::text_cell(printable(grid.columns[cell.column])) +
            report::text_cell(printable(cell.setting)) +
            report::number_cell(params, params ? si(*params) : unknown) +
            report::number_cell(samples, samples ? report::count_text(cell.samples) : unknown) +
            report::text_cell(counts_text(cell)) + "</tr>\n";
  }
  return report::section(
      "What was measured",
      report::scrolled("<table class=\"sortable\" id=\"measured\"><thead><tr>" +
                       report::column("row", false) + report::column("column", false) +
                       report::column("setting", false) + report::column("parameters", true) +
                       report::column("latencies", true) + report::column("results", false) +
                       "</tr></thead><tbody>\n" + rows + "</tbody></table>\n"));
}

std::string rules_list(const Grid& grid) {
  std::string out;
  for (const std::string_view rule : grid_rules()) out += "<li>" + html_escape(rule) + "</li>\n";
  for (const GridFigure& figure : grid_figures())
    if (!is_known(grid, figure))
      out += fmt::format("<li>{}: ?; {}</li>\n", html_escape(figure.title),
                         html_escape(figure.absent));
  return "<ul>\n" + out + "</ul>\n";
}

}  // namespace

std::string grid_sections(const Grid& grid) {
  std::string out = fmt::format(
      "<h1>{}</h1>\n<p class=\"sub\">{}, {}, {} measured</p>\n", html_escape(grid_title(grid)),
      counted(std::ssize(grid.rows), "row"), counted(std::ssize(grid.columns), "column"),
      counted(std::ssize(grid.cells), "cell"));
  out += rules_list(grid);
  for (const GridFigure& figure : grid_figures())
    if (is_known(grid, figure)) out += figure_section(grid, figure);
  return out + speed_up_chart(grid) + accuracy_chart(grid) + batch_charts(grid) +
         measured_section(grid);
}

std::string grid_page(const Grid& grid) {
  return report::page("ridge report: " + grid_title(grid), grid_sections(grid),
                      "<footer>Latencies and accuracies are measured; costs follow from prices "
                      "that were stated. Made by ridge.</footer>\n");
}

}  // namespace ridge::lab
