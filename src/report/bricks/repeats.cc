// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/bricks/sections.h"
#include "report/chart/keys.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using bricks::ModelSharing;

std::string sharing_bar(const ModelSharing& m) {
  const auto all = static_cast<double>(m.pieces().pieces);
  if (all == 0) return "";
  const auto part = [&](std::string_view css, const bricks::Amount& amount,
                        std::string_view what) -> BarPart {
    const double share = static_cast<double>(amount.pieces) / all;
    return {
        css, share,
        fmt::format("{} {}: {}", count_text(amount.pieces), what, exports::percent_text(share))};
  };
  return parts_bar({part("known", m.known, "known from models before"),
                    part("repeated", m.repeated, "repeated in this model"),
                    part("fresh", m.fresh, "new")});
}

std::string repeats_row(const bricks::PlannedModel& model, const ModelSharing& m) {
  const std::int64_t pieces = m.pieces().pieces;
  const auto count = [](std::int64_t n) {
    return number_cell(static_cast<double>(n), count_text(n));
  };
  const double per_brick =
      m.unique == 0 ? 0 : static_cast<double>(pieces) / static_cast<double>(m.unique);
  return "<tr>" + text_cell(printable(model.name)) +
         number_cell(static_cast<double>(model.macs), si(static_cast<double>(model.macs))) +
         count(pieces) + count(m.unique) +
         (m.unique == 0 ? number_cell(std::nullopt, "?")
                        : number_cell(per_brick, fmt::format("{:.1f}", per_brick))) +
         count(m.added) + fmt::format("<td data-v=\"{}\">{}</td>", m.added, sharing_bar(m)) +
         count(static_cast<std::int64_t>(m.nodes_left_over)) + "</tr>\n";
}

}  // namespace

std::string repeats_section(const BricksView& view) {
  if (view.plan->models.empty()) return "";
  std::string rows;
  for (std::size_t m = 0; m < view.plan->models.size(); ++m)
    rows += repeats_row(view.plan->models[m], view.sharing.models[m]);
  return section(
      "Repeats",
      "<p class=\"sub\">All equal pieces are one brick. A brick is new in the first model of the "
      "plan that has it.</p>\n" +
          legend({"piece", "brick", "left over"}) +
          "<p class=\"keys\"><span class=\"key known\">pieces known from models before</span><span "
          "class=\"key repeated\">repeated in this model</span><span class=\"key "
          "fresh\">new</span></p>\n"
          "<div class=\"scroll\"><table class=\"sortable packed\" id=\"repeats\"><thead><tr>" +
          column("model", false) + column("MACs", true) + column("pieces", true) +
          column("unique", true) + column("pieces per brick", true) + column("new", true) +
          "<th class=\"wide\" data-sort=\"number\">pieces: known, repeated, new</th>" +
          column("nodes left over", true) + "</tr></thead><tbody>\n" + rows +
          "</tbody></table></div>\n");
}

}  // namespace ridge::report
