// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/bricks/sections.h"
#include "report/chart/keys.h"
#include "report/chart/svg.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using bricks::Amount;

/// Models up to which cells have numbers.
constexpr std::size_t kMaxNumbers = 16;
constexpr std::size_t kMatrixNameLength = 26;
constexpr double kPageWidth = 1200, kMatrixGap = 8;
/// Width of a letter, in a wide font, and of the shortest name.
constexpr double kMatrixLetter = 6.6, kShortest = 60;

/// Quantity whose share a cell shows: the row's pieces, or their MACs.
enum class Weight : std::uint8_t { kPieces, kMacs };

double weight_of(const Amount& amount, Weight weight) {
  return weight == Weight::kPieces ? static_cast<double>(amount.pieces) : amount.macs;
}

/// Sizes in pixels: cells become smaller with the number of models, down to the height of a label.
struct Grid {
  double names = 0, cell_width = 0, cell_height = 0;
  std::size_t models = 0;
  bool numbers = false;

  double x(std::size_t column) const { return static_cast<double>(column) * cell_width; }
  double y(std::size_t row) const { return top() + static_cast<double>(row) * cell_height; }
  /// Height of the names of the columns, which stand at 45 degrees, or upright where cells are
  /// narrow.
  double top() const { return (numbers ? 0.72 * names : names) + 2 * kMatrixGap; }
  double width() const { return x(models) + (numbers ? 0.72 * names : 0) + kMatrixGap; }
  double height() const { return y(models) + 1; }
};

std::string matrix_name(const BricksView& view, std::size_t model) {
  return shorten_middle(view.names[model], kMatrixNameLength);
}

Grid grid_of(const BricksView& view) {
  Grid grid{
      .names = kShortest, .models = view.names.size(), .numbers = view.names.size() <= kMaxNumbers};
  for (std::size_t m = 0; m < grid.models; ++m)
    grid.names = std::max(
        grid.names,
        kMatrixLetter * static_cast<double>(std::min(kMatrixNameLength, view.names[m].size())));
  if (grid.numbers) {
    grid.cell_width = 46;
    grid.cell_height = 26;
    return grid;
  }
  const double free = (kPageWidth - grid.names - 2 * kMatrixGap) / static_cast<double>(grid.models);
  grid.cell_width = grid.cell_height = std::clamp(free, 11.5, 24.0);
  return grid;
}

/// Share in percent without its unit. Only a share of exactly 1 is "100".
std::string share_number(double share) {
  if (share < 0.005) return "<1";
  if (share < 1 && share > 0.99) return "99";
  return fmt::format("{:.0f}", 100 * share);
}

std::string sizes(const Amount& amount, Weight weight) {
  return weight == Weight::kPieces ? count_text(amount.pieces) : si(amount.macs);
}

std::string matrix_cell(const BricksView& view, const Grid& grid, std::size_t row,
                        std::size_t column, const std::vector<std::size_t>& order, Weight weight) {
  const std::size_t of = order[row], with = order[column];
  const Amount common = view.sharing.common(of, with), all = view.sharing.models[of].pieces();
  if (!(weight_of(common, weight) > 0)) return "";
  const double share = weight_of(common, weight) / weight_of(all, weight);
  const std::string_view unit = weight == Weight::kPieces ? "pieces" : "MACs";
  const std::string title =
      of == with ? fmt::format("{}: {} {}", view.names[of], sizes(all, weight), unit)
                 : fmt::format("{}: {} of {} {} ({})\nwhose brick {} has too", view.names[of],
                               sizes(common, weight), sizes(all, weight), unit,
                               exports::percent_text(share), view.names[with]);
  std::string out =
      svg_rect({grid.x(column), grid.y(row), grid.cell_width - 1, grid.cell_height - 1},
               fmt::format("class=\"{}\" style=\"fill-opacity:{:.3f}\"", of == with ? "self" : "c",
                           of == with ? 1.0 : 0.08 + 0.92 * share),
               title);
  if (grid.numbers && of != with)
    out += svg_text(grid.x(column) + grid.cell_width / 2, grid.y(row) + grid.cell_height / 2 + 4,
                    share > 0.5 ? "in dark" : "in", share_number(share));
  return out;
}

std::string column_name(const BricksView& view, const Grid& grid, std::size_t column,
                        std::size_t model) {
  const double x = grid.x(column) + grid.cell_width / 2;
  return svg_turned_text({grid.numbers ? x : x + 4, grid.top() - kMatrixGap},
                         grid.numbers ? -45 : -90, "", matrix_name(view, model), view.names[model]);
}

std::string matrix_svg(std::string_view css, double width, double height, std::string_view what,
                       std::string_view markup) {
  return svg_chart(fmt::format("bm {}", css), width, height, what, markup,
                   fmt::format("width=\"{:.0f}\" height=\"{:.0f}\"", width, height));
}

/// Names of the rows stay in view while the cells scroll.
std::string matrix(const BricksView& view, const std::vector<std::size_t>& order, Weight weight) {
  const Grid grid = grid_of(view);
  std::string rows;
  std::string cells =
      svg_rect({0, grid.y(0), grid.x(grid.models) - 1, grid.y(grid.models) - grid.y(0) - 1},
               "class=\"ground\"");
  for (std::size_t row = 0; row < grid.models; ++row) {
    rows += svg_text(grid.names + kMatrixGap, grid.y(row) + grid.cell_height / 2 + 4, "end",
                     matrix_name(view, order[row]), view.names[order[row]]);
    cells += column_name(view, grid, row, order[row]);
    for (std::size_t column = 0; column < grid.models; ++column)
      cells += matrix_cell(view, grid, row, column, order, weight);
  }
  const std::string_view what =
      weight == Weight::kPieces ? "shared pieces" : "multiply-accumulates of shared pieces";
  return scrolled("<div class=\"matrix\">" +
                  matrix_svg("names", grid.names + 2 * kMatrixGap, grid.height(), "models", rows) +
                  matrix_svg("cells", grid.width(), grid.height(), what, cells) + "</div>");
}

std::string matrix_scale() {
  std::string out = "<p class=\"keys shades\">";
  for (const int percent : {1, 25, 50, 75, 100})
    out +=
        fmt::format("<span><span class=\"key shade\" style=\"opacity:{:.2f}\"></span>{} %</span>",
                    0.08 + 0.92 * percent / 100, percent);
  return out + "<span class=\"key self\">the model itself</span></p>\n";
}

}  // namespace

std::string sharing_section(const BricksView& view) {
  const std::size_t models = view.plan->models.size();
  if (models < 2) return "";
  if (models > bricks::kMaxOrdered)
    return section("What models share",
                   fmt::format("<p class=\"sub\">A matrix is drawn for up to {} models.</p>\n",
                               bricks::kMaxOrdered));
  const std::vector<std::size_t> order = bricks::family_order(view.sharing);
  return section(
      "What models share",
      fmt::format("<p class=\"sub\">Share of the pieces of the row's model whose brick the "
                  "column's model has too{}. Similar models are neighbors.</p>\n",
                  models <= kMaxNumbers ? ", in percent" : "") +
          legend({"piece", "brick"}) + matrix_scale() + matrix(view, order, Weight::kPieces) +
          figure("Share of the multiply-accumulates", matrix(view, order, Weight::kMacs),
                 Folded::kClosed));
}

}  // namespace ridge::report
