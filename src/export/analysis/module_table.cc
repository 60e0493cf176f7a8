// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/module_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "export/analysis/figure_text.h"

namespace ridge::exports {
namespace {

using analysis::ModuleWork;
using analysis::OutlineRow;
using analysis::Resolved;

constexpr std::string_view kBranch = "├─ ", kLast = "└─ ", kRail = "│  ", kBlank = "   ";

/// Tree lines before each label. A row is the last of its parent if no row of its level follows
/// before one of a lower level.
///
/// Example: rows of levels 0, 1, 2, 1, processed backward. Row 3 is the last of level 1: "└─ ". Row
/// 2 is the last of level 2, and row 3 follows on level 1: "│  └─ ". Row 1: "├─ ". Row 0: "".
std::vector<std::string> rails(const std::vector<OutlineRow>& rows) {
  std::vector<std::string> out(rows.size());
  std::vector<bool> follows;  // by level: the parent has a later row
  for (std::size_t i = rows.size(); i-- > 0;) {
    const std::size_t level = rows[i].level;
    follows.resize(std::max(follows.size(), level + 1));
    for (std::size_t l = 1; l < level; ++l) out[i] += follows[l] ? kRail : kBlank;
    if (level > 0) out[i] += follows[level] ? kBranch : kLast;
    std::fill(follows.begin() + static_cast<std::ptrdiff_t>(level) + 1, follows.end(), false);
    follows[level] = true;
  }
  return out;
}

/// Replaces blanks by no-break spaces, because Markdown merges blanks.
std::string hard_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == ' ')
      out += "\u00a0";
    else
      out += c;
  return out;
}

std::string module_label(const Resolved& r, const OutlineRow& row) {
  if (row.level == 0) return file_name(r);
  return row.count > 1 && row.kind == OutlineRow::Kind::kModule
             ? fmt::format("{}  ×{}", row.label, row.count)
             : row.label;
}

std::string output_text(const Resolved& r, graph::ValueId v) {
  return v == graph::kNone ? "" : dims_text(r.type(v).shape, r.dims());
}

}  // namespace

Table module_tree(const Resolved& r, const analysis::OutlineOptions& options, TreeForm form) {
  using analysis::Totals;
  const bool all_known = r.totals().unknown == 0;
  const bool all_macs = !r.totals().incomplete.test(Totals::kMacs);
  std::vector<Column> columns = {{"module", Align::kLeft, 56}, {"operators", Align::kLeft, 40},
                                 {"output", Align::kLeft, 28}, {"nodes", Align::kRight},
                                 {"params", Align::kRight},    {"MACs", Align::kRight},
                                 {"share", Align::kRight},     {"bytes", Align::kRight}};
  if (!all_known) columns.push_back({"unknown", Align::kRight});
  Table table(std::move(columns));
  const std::vector<OutlineRow> rows = analysis::outline(r, options);
  const std::vector<std::string> lines = rails(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ModuleWork& w = rows[i].work;
    table.add({(form == TreeForm::kMarkdown ? hard_blanks(lines[i]) : lines[i]) +
                   module_label(r, rows[i]),
               rows[i].operators, output_text(r, w.output), fmt::format("{}", w.nodes),
               readable_or_dash(w.params), sum_or_dash(r, w.macs, w.incomplete.test(Totals::kMacs)),
               all_macs ? share(w.macs, r.totals().macs) : "?",
               sum_or_dash(r, r.dims().add(w.bytes_read, w.bytes_written),
                           w.incomplete.test(Totals::kBytesRead) ||
                               w.incomplete.test(Totals::kBytesWritten)),
               readable_or_dash(w.unknown)});
  }
  return table;
}

Table module_rows(const Resolved& r, std::optional<std::uint32_t> depth) {
  Table table({{"module"},
               {"depth"},
               {"operators"},
               {"output"},
               {"nodes"},
               {"params"},
               {"macs"},
               {"flops"},
               {"special"},
               {"int_ops"},
               {"bytes_read"},
               {"bytes_written"},
               {"unknown"}});
  const auto modules = r.model().modules();
  const std::uint32_t deepest = depth.value_or(UINT32_MAX);
  const analysis::WorkByModule work = analysis::work_by_module(r, deepest);
  const analysis::ModuleIndex index(r.model());
  for (const graph::ModuleId m : index.tree_order()) {
    if (modules[m].depth > deepest) continue;
    const ModuleWork& w = work[m];
    const auto nodes = index.nodes(m);
    const auto sum = [&](ops::Dim d, analysis::Totals::Figure figure) {
      return plain_sum(r, d, w.incomplete.test(figure));
    };
    table.add(
        {std::string(modules[m].path), fmt::format("{}", modules[m].depth),
         analysis::operators_text(r, nodes), output_text(r, w.output), fmt::format("{}", w.nodes),
         fmt::format("{}", w.params), sum(w.macs, analysis::Totals::kMacs),
         sum(w.flops, analysis::Totals::kFlops), sum(w.special, analysis::Totals::kSpecial),
         sum(w.int_ops, analysis::Totals::kIntOps), sum(w.bytes_read, analysis::Totals::kBytesRead),
         sum(w.bytes_written, analysis::Totals::kBytesWritten), fmt::format("{}", w.unknown)});
  }
  return table;
}

}  // namespace ridge::exports
