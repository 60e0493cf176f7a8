// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "export/comparison/words.h"
#include "report/chart/ratio_plot.h"
#include "report/comparison/sections.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using compare::Cell;
using compare::Comparison;
using compare::Row;

constexpr std::size_t kRowsAtFirst = 40;  ///< limit of visible rows at first

/// Data attribute that scripts sort by and tests read; "" for an unknown value.
std::string data(std::string_view key, const std::optional<double>& value) {
  return fmt::format(" data-{}=\"{}\"", key, value ? fmt::format("{:.9g}", *value) : "");
}

std::string words_cell(std::string_view css, std::string_view text) {
  return fmt::format("<span class=\"{}\">{}</span>", css, html_escape(text));
}

/// Rows of the tree, and its head. With two runs, difference, interval and verdict have their own
/// columns; with more, color and a sign show the verdict.
class TreeLines {
 public:
  explicit TreeLines(const Comparison& c)
      : c_(c), wide_(c.runs.size() == 2), plot_(c), per_item_(exports::batches_differ(c)) {
    for (const std::vector<Row>* rows : {&c.groups, &c.modules})
      for (const Row& row : *rows) widest_ = std::max(widest_, exports::apart(row));
  }

  /// CSS grid columns that head and rows share.
  std::string style() const {
    const std::size_t others = c_.runs.size() - 1;
    return wide_ ? "--columns:minmax(220px,1fr) 80px 80px 112px 150px 168px 140px;--least:1010px"
                 : fmt::format(
                       "--columns:minmax(220px,1fr) 80px repeat({},80px 150px {}px);"
                       "--least:{}px",
                       others, per_item_ ? 164 : 72, 320 + others * (per_item_ ? 420 : 320));
  }

  std::string head() const {
    std::string out = "<div class=\"leaf head\">" + words_cell("path", "module, nodes");
    const auto run = [&](std::size_t r) {
      const std::string& label = c_.runs[r].label;
      return fmt::format("<span class=\"n\" title=\"{}\">{}</span>", html_escape(label),
                         html_escape(shorten_middle(printable(label), 32)));
    };
    if (wide_)
      return out + run(0) + run(1) + words_cell("n", "difference") + plot_.axis() +
             words_cell("n", "ratio, interval") + words_cell("", c_.runs[1].label + " is") +
             "</div>\n";
    out += run(0);
    for (std::size_t r = 1; r < c_.runs.size(); ++r)
      out += run(r) + plot_.axis() + words_cell("", per_item_ ? "ratio, per item" : "ratio");
    return out + "</div>\n";
  }

  std::string line(const Row& row, std::string_view label) const {
    std::string out = words_cell("path", label);
    out += time(row.cells[0]);
    for (std::size_t r = 1; r < row.cells.size(); ++r)
      out += time(row.cells[r]) + (wide_ ? against(row.cells[r]) : briefly(row.cells[r]));
    return out;
  }

 private:
  static std::string time(const Cell& cell) {
    return fmt::format("<span class=\"n t\"{}>{}</span>", data("v", cell.time_ns),
                       html_escape(exports::cell_time(cell)));
  }

  static std::string marks(const Cell& cell) {
    std::string out = data("ratio", cell.ratio);
    if (cell.ratio_interval)
      out += data("low", cell.ratio_interval->lo) + data("high", cell.ratio_interval->hi);
    return out + fmt::format(" data-verdict=\"{}\"", html_escape(name(cell.verdict)));
  }

  std::string against(const Cell& cell) const {
    const std::string_view css = verdict_class(cell.verdict);
    std::string out = fmt::format("<span class=\"n d {}\"{}>", css, data("v", cell.difference_ns));
    if (cell.difference_ns)
      out += bar(std::abs(*cell.difference_ns) / std::max(widest_, 1.0), 34) + " " +
             html_escape(exports::signed_duration(*cell.difference_ns));
    out += "</span>" + plot_.plot(cell);
    out += fmt::format("<span class=\"n r\"{}>{} <small>{}</small>{}</span>", marks(cell),
                       exports::ratio_text(cell.ratio), exports::interval_text(cell.ratio_interval),
                       per_item(cell));
    return out + fmt::format("<span class=\"verdict {}\">{}</span>", css,
                             html_escape(exports::verdict_text(cell)));
  }

  std::string briefly(const Cell& cell) const {
    using compare::Verdict;
    const std::string_view sign = cell.verdict == Verdict::kFaster      ? " ▼"
                                  : cell.verdict == Verdict::kSlower    ? " ▲"
                                  : cell.verdict == Verdict::kNotJudged ? " ?"
                                                                        : "";
    return plot_.plot(cell) +
           fmt::format("<span class=\"verdict r {}\" title=\"{}\"{}>{}{}{}</span>",
                       verdict_class(cell.verdict), html_escape(exports::verdict_text(cell)),
                       marks(cell), exports::ratio_text(cell.ratio), sign, per_item(cell));
  }

  std::string per_item(const Cell& cell) const {
    return per_item_ && cell.per_item_ratio ? fmt::format(" <small>{} per item</small>",
                                                          exports::ratio_text(cell.per_item_ratio))
                                            : "";
  }

  const Comparison& c_;
  bool wide_;
  RatioPlot plot_;
  bool per_item_;
  double widest_ = 0;
};

/// Content of an expanded group: its nodes, and the layers that execute them.
class Insides {
 public:
  explicit Insides(const Comparison& c) : c_(c), layers_(c.groups.size()) {
    const auto groups = groups_of_layers(c);
    for (std::uint32_t r = 0; r < c.runs.size(); ++r)
      for (std::uint32_t l = 0; l < groups[r].size(); ++l)
        if (groups[r][l] != Branch::kNone) layers_[groups[r][l]].push_back({r, l});
  }

  std::string of(std::uint32_t group) const {
    std::string out =
        "<div class=\"inside\"><table><thead><tr><th class=\"n\">node</th><th>operator</th><th>name"
        "</th><th>output</th><th class=\"n\">MACs</th></tr></thead><tbody>\n";
    for (const std::uint32_t common : c_.groups[group].nodes) out += node(common);
    out +=
        "</tbody></table><table><thead><tr><th>run</th><th class=\"n\">layer</th><th>type</th>"
        "<th>implementation</th><th>precision</th><th>layout</th><th class=\"n\">time</th></tr>"
        "</thead><tbody>\n";
    for (const auto& [run, at] : layers_[group]) out += layer(run, c_.runs[run].profile.layers[at]);
    return out + "</tbody></table></div>";
  }

 private:
  std::string node(std::uint32_t common) const {
    const compare::NodeJoin::Place place = c_.join.nodes[common];
    const profile::Node& n = c_.runs[place.run].profile.nodes[place.node];
    return fmt::format(
        "<tr><td class=\"n\">{}</td><td>{}</td>{}<td>{}</td><td class=\"n\">{}</td>"
        "</tr>\n",
        n.index, html_escape(n.op_type), text_cell(n.name), html_escape(n.output_shape),
        exports::count_text(n.work.macs));
  }

  std::string layer(std::uint32_t run, const profile::Layer& l) const {
    std::string out = "<tr><td>" + html_escape(c_.runs[run].label) + "</td>";
    out += fmt::format("<td class=\"n\">{}</td>", l.index);
    for (const std::string* text : {&l.type, &l.implementation, &l.precision, &l.layout})
      out += "<td>" + html_escape(*text) + "</td>";
    return out +
           number_cell(l.corrected_ns,
                       (l.below_resolution ? "< " : "") + duration(l.corrected_ns)) +
           "</tr>\n";
  }

  const Comparison& c_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> layers_;
};

/// Data attributes by which a script sorts siblings.
std::string sort_keys(const Row& row) {
  double lost = -INFINITY, gained = -INFINITY;
  for (std::size_t r = 1; r < row.cells.size(); ++r) {
    const std::optional<double>& d = row.cells[r].difference_ns;
    lost = std::max(lost, d.value_or(-INFINITY));
    gained = std::max(gained, d ? -*d : -INFINITY);
  }
  const auto finite = [](double x) { return std::isfinite(x) ? std::optional(x) : std::nullopt; };
  const std::uint32_t first =
      row.nodes.empty() ? 0 : *std::min_element(row.nodes.begin(), row.nodes.end());
  return data("apart", exports::apart(row)) + data("lost", finite(lost)) +
         data("gained", finite(gained)) + fmt::format(" data-first=\"{}\"", first);
}

/// True if a row outside all modules (inserted, not attributed) has layers in some run.
bool says_anything(const Row& row) {
  return std::any_of(row.cells.begin(), row.cells.end(),
                     [](const Cell& cell) { return cell.layers > 0; });
}

/// Confidence of the intervals, "97.3 % of groups, 96 % of modules"; all distinct texts of the
/// runs.
std::string confidences(const Comparison& c) {
  std::vector<std::string> out;
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    const std::string groups = exports::confidence_text(c.groups, r);
    const std::string modules = exports::confidence_text(c.modules, r);
    std::string text = fmt::format("{} of groups, {} of modules", groups, modules);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(out, "; "));
}

}  // namespace

std::string group_id(std::size_t group) { return fmt::format("group-{}", group); }

std::string tree_section(const Comparison& c, const ComparisonTree& tree) {
  const TreeLines lines(c);
  const Insides insides(c);
  std::vector<TreeRow> rows;
  std::size_t seen = tree.roots().size();
  for (const ComparisonTree::Visit& visit : tree.preorder()) {
    const Branch& b = tree[visit.branch];
    TreeRow row{.depth = visit.depth, .line = lines.line(*b.row, b.label)};
    if (b.group != Branch::kNone) {
      row.inside = insides.of(b.group);
      row.attributes = fmt::format(" id=\"{}\" class=\"group\"", group_id(b.group));
    } else {
      row.attributes = fmt::format(" class=\"module\" data-path=\"{}\"", html_escape(b.row->label));
      row.open = visit.depth == 0 && seen + b.children.size() <= kRowsAtFirst;
      seen += row.open ? b.children.size() : 0;
    }
    row.attributes += sort_keys(*b.row);
    rows.push_back(std::move(row));
  }
  for (const Row* row : {&c.inserted, &c.unattributed})
    if (says_anything(*row))
      rows.push_back({.line = lines.line(*row, row->label),
                      .attributes = " class=\"rest\"" + sort_keys(*row)});
  std::string out = fmt::format(
      "<p class=\"sub\">Largest time difference first, in every module. A module expands to its "
      "content, a group of nodes to its nodes and to the layers that execute it; a group is the "
      "smallest set of nodes that every run times on its own. Ratios are to {}; a whisker is their "
      "interval ({}){}. - means no layer, &lt; a time below the profiler's resolution.</p>\n",
      html_escape(c.runs[0].label), confidences(c),
      c.threshold > 0 ? fmt::format(", the band covers differences that do not matter (±{:.3g} %)",
                                    100 * c.threshold)
                      : "");
  out += legend({"group", "node", "layer", "inserted", "resolution"});
  out += "<p class=\"controls\" id=\"tree-controls\" hidden></p>\n";
  return section(
      "Module by module",
      out + fmt::format("<div class=\"scroll{}\" style=\"{}\">\n<div class=\"cmp\">\n{}{}"
                        "</div></div>\n",
                        c.runs.size() == 2 ? " fits" : "", lines.style(), lines.head(),
                        ridge::report::tree(rows)));
}

}  // namespace ridge::report
