// SPDX-License-Identifier: Apache-2.0
#include "export/comparison/diff_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/counts.h"
#include "base/checked.h"
#include "base/percent.h"
#include "base/text.h"
#include "compare/module_diff.h"
#include "export/analysis/figure_text.h"
#include "export/table.h"

namespace ridge::exports {
namespace {

using compare::at;
using compare::Change;
using compare::Diff;
using compare::difference;
using compare::Figures;
using compare::ModuleDiff;
using compare::NodeDiff;
using Number = std::optional<std::int64_t>;

std::string signed_text(Number n) {
  if (!n) return "?";
  if (*n == 0) return "-";
  return (*n > 0 ? "+" : "-") + si(std::abs(static_cast<double>(*n)));
}

Number minus(Number b, Number a) { return a && b ? checked_sub(*b, *a) : std::nullopt; }

std::string changed_percent(Number a, Number b) {
  const Number change = minus(b, a);
  if (!change || *change == 0) return "";
  if (*a == 0) return "new";
  return signed_percent(static_cast<double>(*change) / static_cast<double>(*a));
}

Number bytes(const Figures& f) {
  const Number read = at(f, compare::Figure::kBytesRead),
               written = at(f, compare::Figure::kBytesWritten);
  return read && written ? checked_add(*read, *written) : std::nullopt;
}

std::string plain_text(Number n) { return n ? fmt::format("{}", *n) : ""; }

std::string id_text(graph::NodeId id) { return id == graph::kNone ? "" : fmt::format("{}", id); }

std::string counts_text(const Diff& d) {
  std::string out;
  for (std::size_t i = 0; i < compare::kChanges; ++i)
    out += fmt::format("{}{} {}", i == 0 ? "" : ", ", d.counts[i], name(static_cast<Change>(i)));
  return out;
}

std::string total_text(Number total, Number at_least) {
  const bool some = !total && at_least && *at_least > 0;
  return some ? ">= " + count_text(at_least) : count_text(total);
}

/// Meaning of the bytes where operators are fused; "" where they are not.
std::string fuse_text(const DiffSides& sides, std::string_view before, std::string_view after) {
  if (sides.fuse == "none") return "";
  return fmt::format("{}at the boundaries of operators that run as one (--fuse {}){}", before,
                     sides.fuse, after);
}

Table totals_table(const Diff& d, const DiffSides& sides) {
  Table table({{"total"},
               {file_name(sides.a), Align::kRight, 32},
               {file_name(sides.b), Align::kRight, 32},
               {"difference", Align::kRight},
               {"", Align::kRight},
               {""}});
  for (const compare::TotalDiff& t : d.totals)
    table.add({std::string(t.name), total_text(t.a, t.a_at_least), total_text(t.b, t.b_at_least),
               signed_text(minus(t.b, t.a)), changed_percent(t.a, t.b),
               t.at_least() ? "some nodes are not known" : ""});
  return table;
}

/// Nodes that differ in more than their name, largest difference of MACs first.
std::vector<const NodeDiff*> told(const Diff& d, const DiffSides& sides) {
  const auto weight = [&](const NodeDiff& n) {
    const auto size = [](Number x) { return x ? std::abs(static_cast<double>(*x)) : 0; };
    const Figures change = change_of(n, sides.a, sides.b);
    return std::tuple(size(at(change, compare::Figure::kMacs)),
                      size(at(change, compare::Figure::kFlops)) +
                          size(at(change, compare::Figure::kSpecial)) +
                          size(at(change, compare::Figure::kIntOps)),
                      size(bytes(change)));
  };
  std::vector<std::pair<std::tuple<double, double, double>, const NodeDiff*>> weighed;
  for (const NodeDiff& n : d.nodes)
    if (n.change != Change::kSame && n.change != Change::kRenamed)
      weighed.emplace_back(weight(n), &n);
  std::stable_sort(weighed.begin(), weighed.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<const NodeDiff*> rows;
  for (const auto& [key, node] : weighed) rows.push_back(node);
  return rows;
}

Table nodes_table(const std::vector<const NodeDiff*>& rows, std::size_t top,
                  const DiffSides& sides) {
  Table table({{"change"},
               {"A", Align::kRight},
               {"B", Align::kRight},
               {"name", Align::kLeft, 40},
               {"operator", Align::kLeft, 24},
               {"MACs", Align::kRight},
               {"params", Align::kRight},
               {"bytes", Align::kRight},
               {"what", Align::kLeft, kWhole}});
  for (const NodeDiff* n : std::span(rows).first(std::min(top, rows.size()))) {
    const Figures change = change_of(*n, sides.a, sides.b);
    const graph::Node& node = node_of(*n, sides);
    table.add({std::string(name(n->change)), id_text(n->a), id_text(n->b), std::string(node.name),
               analysis::operator_name(node), signed_text(at(change, compare::Figure::kMacs)),
               signed_text(at(change, compare::Figure::kParams)), signed_text(bytes(change)),
               fmt::format("{}", fmt::join(n->what, "; "))});
  }
  return table;
}

Table modules_table(const Diff& d, const DiffSides& sides, std::optional<std::uint32_t> depth) {
  constexpr std::size_t kRows = 24;
  std::uint32_t shown = depth.value_or(1);
  const auto rows_at = [&](std::uint32_t most) {
    return std::count_if(d.modules.begin(), d.modules.end(), [&](const ModuleDiff& m) {
      return m.depth > 0 && m.depth <= most && m.differs;
    });
  };
  for (std::uint32_t more = 2; !depth && more <= 16; ++more)
    if (rows_at(more) <= static_cast<std::ptrdiff_t>(kRows)) shown = more;
  Table table({{"module", Align::kLeft, 48},
               {"MACs A", Align::kRight},
               {"MACs B", Align::kRight},
               {"difference", Align::kRight},
               {"", Align::kRight},
               {"params", Align::kRight},
               {"bytes", Align::kRight},
               {"nodes", Align::kRight}});
  for (const ModuleDiff& m : d.modules) {
    if (m.depth == 0 || m.depth > shown || !m.differs) continue;
    const compare::ModuleWork work = module_work(d, m, sides.a, sides.b);
    const Number a = at(work.work_a, compare::Figure::kMacs),
                 b = at(work.work_b, compare::Figure::kMacs);
    const Figures change = difference(work.work_a, work.work_b);
    table.add({std::string(2 * (m.depth - 1), ' ').append(m.path.substr(m.path.rfind('/') + 1)),
               count_text(a), count_text(b), signed_text(minus(b, a)), changed_percent(a, b),
               signed_text(at(change, compare::Figure::kParams)), signed_text(bytes(change)),
               signed_text(work.nodes_b - work.nodes_a)});
  }
  return table;
}

std::string more_rows_text(std::size_t rows, std::size_t top) {
  return rows > top ? fmt::format("... {} more; --top 0 shows all\n", rows - top) : "";
}

}  // namespace

void write_diff_text(const Diff& d, const DiffSides& sides, const DiffPage& page, Sink& sink) {
  std::string out =
      fmt::format("A {}\nB {}\n  nodes: {}\n{}\n", printable(sides.a.model().document().path),
                  printable(sides.b.model().document().path), counts_text(d),
                  fuse_text(sides, "  bytes: ", "\n"));
  out += totals_table(d, sides).text();
  const auto rows = told(d, sides);
  const std::size_t top = page.top == 0 ? rows.size() : page.top;
  if (!rows.empty())
    out += "\nNodes, largest change of work first\n" + nodes_table(rows, top, sides).text() +
           more_rows_text(rows.size(), top);
  if (const Table modules = modules_table(d, sides, page.depth); !modules.empty())
    out += "\nBy module, where anything differs\n" + modules.text();
  sink.write(out);
}

void write_diff_markdown(const Diff& d, const DiffSides& sides, const DiffPage& page, Sink& sink) {
  std::string out = fmt::format("# Difference\n\nNodes: {}\n\n{}## Totals\n\n", counts_text(d),
                                fuse_text(sides, "Bytes: ", "\n\n"));
  out += totals_table(d, sides).markdown();
  const auto rows = told(d, sides);
  const std::size_t top = page.top == 0 ? rows.size() : page.top;
  if (!rows.empty())
    out += "\n## Nodes\n\n" + nodes_table(rows, top, sides).markdown() +
           (rows.size() > top ? "\n" + more_rows_text(rows.size(), top) : "");
  if (const Table modules = modules_table(d, sides, page.depth); !modules.empty())
    out += "\n## Modules\n\n" + modules.markdown();
  sink.write(out);
}

void write_diff_csv(const Diff& d, const DiffSides& sides, DiffRows rows, Sink& sink) {
  std::vector<Column> columns = {{"change"}, {"a"},       {"b"},      {"name_a"},
                                 {"name_b"}, {"op_type"}, {"domain"}, {"what"}};
  for (const char* side : {"_a", "_b"})
    for (const std::string_view figure : compare::kFigureNames)
      columns.push_back({std::string(figure) + side});
  Table table(std::move(columns));
  const auto label = [](const analysis::Resolved& r, graph::NodeId n) {
    return n == graph::kNone ? "" : std::string(r.model().node(n).name);
  };
  for (const NodeDiff& n : d.nodes) {
    if (rows == DiffRows::kDifferent && n.change == Change::kSame) continue;
    const graph::Node& node = node_of(n, sides);
    std::vector<std::string> cells = {std::string(name(n.change)),
                                      id_text(n.a),
                                      id_text(n.b),
                                      label(sides.a, n.a),
                                      label(sides.b, n.b),
                                      std::string(node.op_type),
                                      std::string(node.domain),
                                      fmt::format("{}", fmt::join(n.what, "; "))};
    for (const Figures& side : {compare::work_of(sides.a, n.a), compare::work_of(sides.b, n.b)})
      for (std::size_t i = 0; i < compare::kFigures; ++i)
        cells.push_back(plain_text(at(side, static_cast<compare::Figure>(i))));
    table.add(std::move(cells));
  }
  sink.write(table.csv());
}

}  // namespace ridge::exports
