// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/bricks/sections.h"
#include "report/chart/keys.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using bricks::Brick;

constexpr std::size_t kMaxBricks = 50;    ///< rows of the table of bricks
constexpr std::size_t kMaxMissing = 100;  ///< rows of a table of what is missing
constexpr double kWeightBarPixels = 80;

/// A brick with what all its occurrences take together.
struct Weighed {
  const Brick* brick = nullptr;
  std::size_t models = 0;
  std::optional<double> ns;  ///< time of one occurrence; nullopt if not measured
  double weight = 0;         ///< time of all occurrences, or MACs before any brick is measured
};

std::vector<Weighed> weighed(const BricksView& view) {
  std::vector<Weighed> out;
  for (const Brick& brick : view.plan->bricks) {
    if (brick.occurrences.empty()) continue;
    Weighed w{.brick = &brick};
    std::set<std::string_view> models;
    for (const bricks::Occurrence& o : brick.occurrences) models.insert(o.model);
    w.models = models.size();
    if (view.measured())
      if (const bricks::BrickTime* time = view.times->find(brick.key)) w.ns = time->mean_ns();
    w.weight = static_cast<double>(brick.occurrences.size()) *
               (view.measured() ? w.ns.value_or(0) : static_cast<double>(brick.macs));
    out.push_back(w);
  }
  const auto bytes = [](const Weighed& w) {
    return static_cast<double>(w.brick->occurrences.size()) * static_cast<double>(w.brick->bytes);
  };
  std::ranges::stable_sort(out, [&](const Weighed& a, const Weighed& b) {
    return a.weight != b.weight ? a.weight > b.weight : bytes(a) > bytes(b);
  });
  return out;
}

/// Kernels in their order, equal neighbors together: "Reshape, Gemm x2".
std::string kernels_text(const std::vector<std::string>& kernels) {
  std::string out;
  for (std::size_t i = 0; i < kernels.size();) {
    std::size_t equal = 1;
    while (i + equal < kernels.size() && kernels[i + equal] == kernels[i]) ++equal;
    out += (out.empty() ? "" : ", ") + printable(kernels[i]);
    if (equal > 1) out += fmt::format(" x{}", equal);
    i += equal;
  }
  return out;
}

/// Work or time of all pieces, and the first brick's, whose bar is the longest.
struct Whole {
  double weight = 0, most = 0;
};

std::string share_cell(double weight, const Whole& whole) {
  if (!(whole.weight > 0)) return number_cell(std::nullopt, "?");
  const double share = weight / whole.weight;
  return number_cell(share, exports::percent_text(share));
}

std::string bar_cell(double weight, const Whole& whole) {
  if (!(whole.most > 0)) return "<td></td>";
  return fmt::format("<td>{}</td>", bar(weight / whole.most, kWeightBarPixels));
}

std::string count_cell(std::size_t n) {
  return number_cell(static_cast<double>(n), count_text(static_cast<std::int64_t>(n)));
}

std::string weight_row(const BricksView& view, const Weighed& w, const Whole& whole) {
  const Brick& b = *w.brick;
  std::string out = "<tr>" + text_cell(printable(b.file)) + "<td>" +
                    html_escape(kernels_text(b.kernels)) + "</td>" +
                    count_cell(b.occurrences.size()) + count_cell(w.models) +
                    number_cell(static_cast<double>(b.macs), si(static_cast<double>(b.macs))) +
                    number_cell(static_cast<double>(b.bytes), exports::readable(b.bytes, "B"));
  if (view.measured()) out += number_cell(w.ns, w.ns ? duration(*w.ns) : "?");
  return out + share_cell(w.weight, whole) + bar_cell(w.weight, whole) + "</tr>\n";
}

/// One row for the bricks beyond the first kMaxBricks.
std::string rest_row(const BricksView& view, std::span<const Weighed> rest, const Whole& whole) {
  if (rest.empty()) return "";
  std::size_t occurrences = 0;
  double weight = 0;
  for (const Weighed& w : rest) {
    occurrences += w.brick->occurrences.size();
    weight += w.weight;
  }
  return fmt::format(
      "<tfoot><tr><td>{}</td><td></td>{}<td></td><td></td><td></td>{}{}<td></td></tr></tfoot>\n",
      html_escape(fmt::format("{} more", counted(std::ssize(rest), "brick"))),
      count_cell(occurrences), view.measured() ? "<td></td>" : "", share_cell(weight, whole));
}

std::string rows_beyond(std::size_t rows) {
  return rows <= kMaxMissing
             ? std::string()
             : fmt::format("<p class=\"sub\">{} more rows.</p>\n",
                           count_text(static_cast<std::int64_t>(rows - kMaxMissing)));
}

std::string left_over_table(const bricks::Plan& plan) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> nodes;  // model and reason
  for (const bricks::LeftOver& l : plan.left_over) nodes[{l.model, l.why}] += l.nodes.size();
  if (nodes.empty()) return "";
  std::string rows;
  std::size_t shown = 0;
  for (const auto& [key, count] : nodes) {
    if (++shown > kMaxMissing) break;
    rows += "<tr>" + text_cell(printable(key.first)) + count_cell(count) + "<td>" +
            html_escape(printable(key.second)) + "</td></tr>\n";
  }
  return section("Left over", "<p class=\"sub\">Nodes that no brick stands for.</p>\n" +
                                  legend({"node", "left over"}) +
                                  "<div class=\"scroll\"><table class=\"sortable packed\" "
                                  "id=\"left\"><thead><tr>" +
                                  column("model", false) + column("nodes", true) +
                                  column("reason", false) + "</tr></thead><tbody>\n" + rows +
                                  "</tbody></table></div>\n" + rows_beyond(nodes.size()));
}

std::string unmeasured_table(const BricksView& view) {
  if (!view.measured()) return "";
  std::string rows;
  std::size_t all = 0;
  for (const Brick& b : view.plan->bricks) {
    if (b.occurrences.empty() || view.times->find(b.key) != nullptr || ++all > kMaxMissing)
      continue;
    const std::string why = view.times->lost(b.key);
    rows += "<tr>" + text_cell(printable(b.file)) + "<td>" + html_escape(kernels_text(b.kernels)) +
            "</td>" + count_cell(b.occurrences.size()) + "<td>" +
            html_escape(why.empty() ? "not reached yet" : printable(why)) + "</td></tr>\n";
  }
  if (rows.empty()) return "";
  return section("Bricks not measured",
                 legend({"brick", "kernel"}) +
                     "<div class=\"scroll\"><table class=\"sortable packed\" "
                     "id=\"unmeasured\"><thead><tr>" +
                     column("file", false) + column("kernels", false) +
                     column("occurrences", true) + column("reason", false) +
                     "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n" +
                     rows_beyond(all));
}

}  // namespace

std::string top_bricks_section(const BricksView& view) {
  const std::vector<Weighed> bricks = weighed(view);
  if (bricks.empty()) return "";
  Whole whole{.most = bricks.front().weight};
  for (const Weighed& w : bricks) whole.weight += w.weight;
  const std::size_t shown = std::min(bricks.size(), kMaxBricks);
  std::string rows;
  for (std::size_t i = 0; i < shown; ++i) rows += weight_row(view, bricks[i], whole);
  const std::string_view by = view.measured() ? "time" : "multiply-accumulates";
  return section(
      "Bricks",
      fmt::format("<p class=\"sub\">Most {0} first, over all occurrences; the share is of the {0} "
                  "of all pieces.{1}</p>\n",
                  by, view.measured() ? " A brick that was not measured counts as 0." : "") +
          legend({"brick", "kernel"}) +
          "<div class=\"scroll\"><table class=\"sortable packed\" id=\"bricks\"><thead><tr>" +
          column("file", false) + column("kernels", false) + column("occurrences", true) +
          column("models", true) + column("MACs", true) + column("bytes", true) +
          (view.measured() ? column("time", true) : std::string()) +
          fmt::format("<th class=\"n\" data-sort=\"number\" aria-sort=\"descending\">share of all "
                      "{}</th><th></th>",
                      view.measured() ? "time" : "MACs") +
          "</tr></thead><tbody>\n" + rows + "</tbody>" +
          rest_row(view, std::span(bricks).subspan(shown), whole) + "</table></div>\n");
}

std::string missing_section(const BricksView& view) {
  return unmeasured_table(view) + left_over_table(*view.plan);
}

}  // namespace ridge::report
