// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/text.h"

#include <gtest/gtest.h>

#include "lab/grid/figures.h"
#include "lab/grid/page.h"
#include "report/kit/testing.h"

namespace ridge::lab {
namespace {

using report::testing::count;
using report::testing::kHostile;

/// One row of two columns, of which nothing was measured in the second.
Grid half_empty(const std::string& name) {
  Grid grid{.rows_by = {Key::kModel},
            .columns_by = {Key::kHost},
            .rows = {name},
            .columns = {"a", name},
            .base = {},
            .cells = {}};
  GridCell cell{.host = "a", .setting = name};
  cell.runs = 1;
  cell.median_ns.value = cell.trimmed_mean_ns.value = 2e6;
  cell.trimmed_mean_ns.interval = stats::Interval{1e6, 3e6};
  cell.latency_batch = 1;
  cell.batches = {{1, {500, std::nullopt, 0}, 1, 1}, {2, {700, std::nullopt, 0}, 1, 1}};
  grid.cells.push_back(std::move(cell));
  return grid;
}

TEST(GridText, HasAQuestionMarkWhereNothingWasMeasured) {
  const Grid grid = half_empty("net");
  const std::string text = grid_text(grid);
  EXPECT_NE(text.find("net  2.000 ms [1.000 ms, 3.000 ms], batch 1    ?\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("accuracy: ?; ridge eval with data"), std::string::npos) << text;
  const std::string csv = grid_csv(grid);
  EXPECT_NE(csv.find("\nnet,net,,,,,,,,,,,,,,,,,,,,,,,,,,,,0,0,0,0,0\n"), std::string::npos) << csv;
  EXPECT_NE(grid_latex(grid).find(" batch 1}} & ? \\\\\n"), std::string::npos) << grid_latex(grid);
  EXPECT_EQ(count(grid_page(grid), "<td class=\"n\" data-v=\"\">?</td>"), 3)
      << "the second column, its parameters and number of latencies";
}

TEST(GridText, PageEscapesHostileNames) {
  const std::string page = grid_page(half_empty(kHostile));
  EXPECT_EQ(count(page, "<script>"), 1) << "its own";
  EXPECT_EQ(count(page, "<img"), 0);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(report::testing::unbalanced(page), "");
}

TEST(GridText, LatexHasNoCharacterWithAMeaning) {
  EXPECT_EQ(latex_escape("a\\b{c}$d&e#f_g%h^i~j"),
            "a\\textbackslash{}b\\{c\\}\\$d\\&e\\#f\\_g\\%h\\textasciicircum{}i"
            "\\textasciitilde{}j");
  EXPECT_EQ(latex_escape("\\input{/etc/passwd}"), "\\textbackslash{}input\\{/etc/passwd\\}");
  EXPECT_EQ(latex_escape("1.2 µs"), "1.2 \\textmu{}s");
  EXPECT_EQ(latex_escape("größe 層 😀"), "größe U+5C64 U+1F600");
  EXPECT_EQ(latex_escape("a\nb\xff"), "a\\textbackslash{}x0ab\\textbackslash{}xff");
  EXPECT_EQ(latex_escape("--[*]"), "-{}-{}{[}{*}{]}");
}

}  // namespace
}  // namespace ridge::lab
