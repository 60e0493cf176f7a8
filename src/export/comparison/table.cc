// SPDX-License-Identifier: Apache-2.0
#include "export/comparison/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "export/comparison/words.h"
#include "export/table.h"

namespace ridge::exports {
namespace {

using compare::Cell;
using compare::Comparison;
using compare::Parts;
using compare::Row;
using stats::Interval;

Table runs_table(const Comparison& c) {
  const std::vector<compare::FactColumn> facts = facts_of(c).differing;
  std::vector<Column> columns = {{"run", Align::kLeft, 32}};
  for (const compare::FactColumn& fact : facts) columns.push_back({fact.title, Align::kLeft, 40});
  columns.insert(columns.end(), {{"latency", Align::kRight},
                                 {"interval, 95 %", Align::kLeft},
                                 {"ratio", Align::kRight},
                                 {"interval, 95 %", Align::kLeft},
                                 {"could show", Align::kRight},
                                 {"", Align::kLeft, kWhole}});
  if (batches_differ(c)) columns.push_back({"per item", Align::kRight});
  Table table(std::move(columns));
  for (std::size_t r = 0; r < c.runs.size(); ++r) {
    const Cell& cell = c.latency.cells[r];
    std::vector<std::string> cells = {c.runs[r].label};
    for (const compare::FactColumn& fact : facts) cells.push_back(fact.texts[r]);
    cells.insert(cells.end(),
                 {time_text(cell.time_ns), time_interval_text(cell.interval),
                  ratio_text(cell.ratio), interval_text(cell.ratio_interval), detectable_text(cell),
                  verdict_text(cell), ratio_text(cell.per_item_ratio)});
    table.add(std::move(cells));
  }
  return table;
}

/// Rows of that kind, in the comparison's order.
const std::vector<Row>& rows_of(const Comparison& c, CompareBy by) {
  switch (by) {
    case CompareBy::kGroup:
      break;
    case CompareBy::kModule:
      return c.modules;
    case CompareBy::kOperator:
      return c.operators;
  }
  return c.groups;
}

std::vector<const Row*> shown_rows(const Comparison& c, const ComparisonPage& page) {
  std::vector<const Row*> out;
  for (const Row& row : rows_of(c, page.by)) out.push_back(&row);
  std::stable_sort(out.begin(), out.end(),
                   [](const Row* a, const Row* b) { return apart(*a) > apart(*b); });
  if (page.top != 0 && out.size() > page.top) out.resize(page.top);
  return out;
}

std::string_view compared_title(CompareBy by) {
  switch (by) {
    case CompareBy::kGroup:
      break;
    case CompareBy::kModule:
      return "module";
    case CompareBy::kOperator:
      return "operator";
  }
  return "nodes";
}

/// Table of rows. With two runs, ratio, interval and verdict have their own columns; with more
/// there is one column for each further run.
class RowsTable {
 public:
  RowsTable(const Comparison& c, CompareBy by)
      : wide_(c.runs.size() == 2), per_item_(batches_differ(c)), table_(columns(c, by)) {}

  void add(const Row& row) {
    std::vector<std::string> cells = {row.label};
    for (const Cell& cell : row.cells) cells.push_back(cell_time(cell));
    for (std::size_t r = 1; r < row.cells.size(); ++r) {
      const Cell& cell = row.cells[r];
      if (wide_)
        cells.insert(cells.end(), {cell.difference_ns ? signed_duration(*cell.difference_ns) : "",
                                   ratio_text(cell.ratio), interval_text(cell.ratio_interval),
                                   detectable_text(cell)});
      if (per_item_) cells.push_back(ratio_text(cell.per_item_ratio));
      cells.push_back(wide_ ? verdict_text(cell)
                            : fmt::format("{:>6} {}", ratio_text(cell.ratio), name(cell.verdict)));
    }
    table_.add(std::move(cells));
  }

  const Table& table() const { return table_; }

 private:
  std::vector<Column> columns(const Comparison& c, CompareBy by) const {
    std::vector<Column> out = {{std::string(compared_title(by)), Align::kLeft, 56}};
    for (const compare::Run& run : c.runs) out.push_back({run.label, Align::kRight, 24});
    for (std::size_t r = 1; r < c.runs.size(); ++r) {
      const std::string& label = c.runs[r].label;
      if (wide_)
        out.insert(out.end(), {{"difference", Align::kRight},
                               {"ratio", Align::kRight},
                               {"interval, " + confidence_text(rows_of(c, by), r)},
                               {"could show", Align::kRight}});
      if (per_item_) out.push_back({wide_ ? "per item" : label + " per item", Align::kRight, 24});
      out.push_back({label + " is", Align::kLeft, kWhole});
    }
    return out;
  }

  bool wide_, per_item_;
  Table table_;
};

Table rows_table(const Comparison& c, const ComparisonPage& page) {
  RowsTable table(c, page.by);
  for (const Row* row : shown_rows(c, page)) table.add(*row);
  return table.table();
}

/// Table of the parts of the latency, and of their sum in percent of it.
Table parts_table(const Comparison& c) {
  std::vector<Column> columns = {{"where the time goes"}};
  for (const compare::Run& run : c.runs) columns.push_back({run.label, Align::kRight, 24});
  for (std::size_t r = 1; r < c.runs.size(); ++r)
    columns.push_back(
        {c.runs.size() == 2 ? "difference" : c.runs[r].label + " adds", Align::kRight, 24});
  Table table(std::move(columns));
  for (const Part& part : shown_parts(c)) {
    if (part.ns == &Parts::unexplained_ns) continue;
    std::vector<std::string> cells = {std::string(part.title)};
    for (const std::optional<Parts>& p : c.parts) {
      const double ns = p ? *p.*part.ns : 0;
      cells.push_back(!p ? "?" : (ns < 0 ? "-" : "") + duration(std::abs(ns)));
    }
    for (std::size_t r = 1; r < c.runs.size(); ++r)
      cells.push_back(c.differences[r] ? signed_duration(*c.differences[r].*part.ns) : "?");
    table.add(std::move(cells));
  }
  std::vector<std::string> sums = {"the parts add up to"};
  for (const std::optional<Parts>& p : c.parts) sums.push_back(add_up_text(p));
  if (std::any_of(sums.begin() + 1, sums.end(), [](const auto& sum) { return !sum.empty(); }))
    table.add(std::move(sums));
  return table;
}

std::string comparison_head(const Comparison& c) {
  const std::string shared = facts_of(c).shared;
  return printable(c.runs[0].profile.subject.path) + ": " + scope_text(c) +
         (shared.empty() ? "" : "; in each " + printable(shared));
}

/// Closing lines, escaped for a terminal.
std::vector<std::string> closing_lines(const Comparison& c) {
  std::vector<std::string> out;
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    out.push_back(printable(tally_text(c, r)));
    if (const std::string power = power_text(c, r); !power.empty()) out.push_back(printable(power));
  }
  out.push_back("fastest run of each group: " + printable(best_text(c)));
  return out;
}

std::string more_changes_text(const Comparison& c, const ComparisonPage& page) {
  const std::size_t rows = rows_of(c, page.by).size();
  if (page.top == 0 || rows <= page.top) return "";
  return fmt::format("... {} more; --top 0 shows all\n", rows - page.top);
}

}  // namespace

void write_comparison_text(const Comparison& c, const ComparisonPage& page, Sink& sink) {
  std::string out = comparison_head(c) + "\n";
  for (const std::string& note : c.notes) out += "note: " + printable(note) + "\n";
  out += "\n" + runs_table(c).text() + "\n" + rows_table(c, page).text() +
         more_changes_text(c, page) + "\n" + parts_table(c).text() + "\n";
  for (const std::string& line : closing_lines(c)) out += line + "\n";
  if (c.untimed > 0) out += untimed_text(c) + "\n";
  sink.write(out);
}

void write_comparison_markdown(const Comparison& c, const ComparisonPage& page, Sink& sink) {
  std::string notes;
  for (const std::string& note : c.notes) notes += "- note: " + printable(note) + "\n";
  if (!notes.empty()) notes += "\n";
  std::string out = "# Comparison\n\n" + comparison_head(c) + "\n\n" + notes +
                    runs_table(c).markdown() + "\n" + rows_table(c, page).markdown();
  if (const std::string more = more_changes_text(c, page); !more.empty()) out += "\n" + more;
  out += "\n" + parts_table(c).markdown() + "\n";
  for (const std::string& line : closing_lines(c)) out += "- " + line + "\n";
  sink.write(out);
}

void write_comparison_csv(const Comparison& c, CompareBy by, Sink& sink) {
  Table table({{std::string(compared_title(by))},
               {"run"},
               {"layers"},
               {"time_ns"},
               {"time_low"},
               {"time_high"},
               {"ratio"},
               {"ratio_low"},
               {"ratio_high"},
               {"verdict"},
               {"detectable"}});
  const auto number = [](const std::optional<double>& x) { return x ? fmt::format("{}", *x) : ""; };
  const auto low = [](const std::optional<Interval>& x) {
    return x ? fmt::format("{}", x->lo) : "";
  };
  const auto high = [](const std::optional<Interval>& x) {
    return x ? fmt::format("{}", x->hi) : "";
  };
  const auto add = [&](const Row& row) {
    for (std::size_t r = 0; r < c.runs.size(); ++r) {
      const Cell& cell = row.cells[r];
      const bool layered = &row != &c.latency;
      table.add({row.label, c.runs[r].label, layered ? fmt::format("{}", cell.layers) : "",
                 number(cell.time_ns), low(cell.interval), high(cell.interval), number(cell.ratio),
                 low(cell.ratio_interval), high(cell.ratio_interval),
                 std::string(name(cell.verdict)), number(cell.detectable)});
    }
  };
  for (const Row& row : rows_of(c, by)) add(row);
  if (by == CompareBy::kGroup)
    for (const Row* row : {&c.inserted, &c.unattributed}) add(*row);
  add(c.latency);
  sink.write(table.csv());
}

}  // namespace ridge::exports
