#include "export/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/text.h"
#include "compare/run_labels.h"
#include "export/table.h"

namespace ridge::exports {
namespace {

using compare::Cell;
using compare::Comparison;
using compare::Parts;
using compare::Row;
using compare::RunFacts;
using compare::Tally;
using compare::Verdict;
using stats::Interval;

std::string time_text(const std::optional<double>& ns) { return ns ? duration(*ns) : "?"; }

std::string signed_time(double ns) { return (ns < 0 ? "-" : "+") + duration(std::abs(ns)); }

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.3f}", *ratio) : "";
}

std::string interval_text(const std::optional<Interval>& ci) {
  return ci ? fmt::format("[{:.3f}, {:.3f}]", ci->lo, ci->hi) : "";
}

std::string verdict_text(const Cell& cell) {
  std::string out(name(cell.verdict));
  return cell.verdict == Verdict::kNotJudged ? cell.reason : out;
}

/// A time, marked where the profiler cannot resolve it, a dash where the runtime has no layer.
std::string cell_time(const Cell& cell) {
  if (!cell.time_ns) return "?";
  if (cell.layers == 0) return "-";
  return (cell.below_resolution ? "<" : "") + duration(*cell.time_ns);
}

bool batches_differ(const Comparison& c) {
  return std::any_of(c.runs.begin(), c.runs.end(), [&](const compare::Run& run) {
    return run.profile.batch != c.runs[0].profile.batch;
  });
}

/// A column of the table of runs, which stands there where it says anything.
struct FactColumn {
  std::string title;
  std::function<std::string(const RunFacts&)> text;
};

Table runs_table(const Comparison& c) {
  const std::vector<FactColumn> all = {{"runtime", [](const RunFacts& f) { return f.runtime; }},
                                       {"threads", [](const RunFacts& f) { return f.threads; }},
                                       {"sizes", [](const RunFacts& f) { return f.sizes; }},
                                       {"options", [](const RunFacts& f) { return f.options; }},
                                       {"model", [](const RunFacts& f) { return f.model; }},
                                       {"machine", [](const RunFacts& f) { return f.machine; }}};
  std::vector<RunFacts> facts;
  for (const compare::Run& run : c.runs) facts.push_back(compare::facts_of(run.profile));
  const auto differs = [&](const FactColumn& column) {
    return std::any_of(facts.begin(), facts.end(),
                       [&](const RunFacts& f) { return column.text(f) != column.text(facts[0]); });
  };
  // What every reader asks for first, then what differs.
  std::vector<FactColumn> shown(all.begin(), all.begin() + 3);
  std::copy_if(all.begin() + 3, all.end(), std::back_inserter(shown), differs);

  std::vector<Column> columns = {{"run", Align::kLeft, 32}};
  for (const FactColumn& column : shown) columns.push_back({column.title, Align::kLeft, 40});
  columns.insert(columns.end(), {{"latency", Align::kRight},
                                 {"95 %", Align::kLeft},
                                 {"ratio", Align::kRight},
                                 {"95 %", Align::kLeft},
                                 {"", Align::kLeft, 40}});
  if (batches_differ(c)) columns.push_back({"per item", Align::kRight});
  Table table(std::move(columns));
  for (std::size_t r = 0; r < c.runs.size(); ++r) {
    const Cell& cell = c.latency.cells[r];
    std::vector<std::string> cells = {c.runs[r].label};
    for (const FactColumn& column : shown) cells.push_back(column.text(facts[r]));
    const std::string ci = cell.interval ? fmt::format("[{}, {}]", duration(cell.interval->lo),
                                                       duration(cell.interval->hi))
                                         : "";
    cells.insert(cells.end(), {time_text(cell.time_ns), ci, ratio_text(cell.ratio),
                               interval_text(cell.ratio_interval), verdict_text(cell),
                               ratio_text(cell.per_item_ratio)});
    table.add(std::move(cells));
  }
  return table;
}

double apart(const Row& row) {
  double least = INFINITY, most = 0;
  for (const Cell& cell : row.cells) {
    if (!cell.time_ns) continue;
    least = std::min(least, *cell.time_ns);
    most = std::max(most, *cell.time_ns);
  }
  return std::isfinite(least) ? most - least : most;
}

std::vector<const Row*> shown_rows(const Comparison& c, const ComparisonPage& page) {
  std::vector<const Row*> out;
  for (const Row& row : rows_of(c, page.by)) out.push_back(&row);
  std::stable_sort(out.begin(), out.end(),
                   [](const Row* a, const Row* b) { return apart(*a) > apart(*b); });
  if (page.top != 0 && out.size() > page.top) out.resize(page.top);
  return out;
}

std::string_view title_of(CompareBy by) {
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

/// "97.3 %": of the intervals of a column, which all have the same.
std::string confidence_text(const std::vector<Row>& rows, std::size_t column) {
  for (const Row& row : rows)
    if (row.cells[column].confidence > 0)
      return fmt::format("{:.4g} %", 100 * row.cells[column].confidence);
  return "95 %";
}

/// Two runs: ratio, interval and verdict in columns of their own. More: one column for each.
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
        cells.insert(cells.end(), {cell.difference_ns ? signed_time(*cell.difference_ns) : "",
                                   ratio_text(cell.ratio), interval_text(cell.ratio_interval)});
      if (per_item_) cells.push_back(ratio_text(cell.per_item_ratio));
      cells.push_back(wide_ ? verdict_text(cell)
                            : fmt::format("{:>6} {}", ratio_text(cell.ratio), name(cell.verdict)));
    }
    table_.add(std::move(cells));
  }

  const Table& table() const { return table_; }

 private:
  std::vector<Column> columns(const Comparison& c, CompareBy by) const {
    std::vector<Column> out = {{std::string(title_of(by)), Align::kLeft, 56}};
    for (const compare::Run& run : c.runs) out.push_back({run.label, Align::kRight, 24});
    for (std::size_t r = 1; r < c.runs.size(); ++r) {
      const std::string& label = c.runs[r].label;
      if (wide_)
        out.insert(out.end(), {{"difference", Align::kRight},
                               {"ratio", Align::kRight},
                               {confidence_text(rows_of(c, by), r)}});
      if (per_item_) out.push_back({wide_ ? "per item" : label + " per item", Align::kRight, 24});
      out.push_back({label + " is", Align::kLeft, 40});
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

/// What the latency is made of, so that every column adds up.
Table parts_table(const Comparison& c) {
  struct Part {
    const char* title;
    double Parts::*ns;
  };
  constexpr std::array<Part, 6> kParts = {Part{"groups of nodes", &Parts::groups_ns},
                                          {"inserted by the runtime", &Parts::inserted_ns},
                                          {"not attributed to nodes", &Parts::unattributed_ns},
                                          {"outside layers", &Parts::outside_ns},
                                          {"unexplained", &Parts::unexplained_ns},
                                          {"latency", &Parts::latency_ns}};
  std::vector<Column> columns = {{"where the time goes"}};
  for (const compare::Run& run : c.runs) columns.push_back({run.label, Align::kRight, 24});
  for (std::size_t r = 1; r < c.runs.size(); ++r)
    columns.push_back(
        {c.runs.size() == 2 ? "difference" : c.runs[r].label + " adds", Align::kRight, 24});
  Table table(std::move(columns));
  for (const Part& part : kParts) {
    std::vector<std::string> cells = {part.title};
    bool any = part.ns == &Parts::latency_ns || part.ns == &Parts::groups_ns;
    for (const std::optional<Parts>& p : c.parts) {
      any = any || (p && *p.*part.ns != 0);
      const double ns = p ? *p.*part.ns : 0;
      cells.push_back(!p ? "?" : (ns < 0 ? "-" : "") + duration(std::abs(ns)));
    }
    for (std::size_t r = 1; r < c.runs.size(); ++r)
      cells.push_back(c.differences[r] ? signed_time(*c.differences[r].*part.ns) : "?");
    if (any) table.add(std::move(cells));
  }
  return table;
}

std::string tally_text(const Comparison& c, std::size_t r) {
  const Tally& t = c.tallies[r];
  const auto side = [](const Tally::Side& s, char sign) {
    if (s.groups == 0) return std::string("none");
    return fmt::format("{} ({}{})", counted(static_cast<std::int64_t>(s.groups), "group"), sign,
                       duration(s.ns));
  };
  std::string out =
      fmt::format("{} against {}: faster in {}, slower in {}, ", printable(c.runs[r].label),
                  printable(c.runs[0].label), side(t.faster, '-'), side(t.slower, '+'));
  out += fmt::format("no difference shown in {}", t.not_shown);
  if (t.not_judged > 0) out += fmt::format(", not judged in {}", t.not_judged);
  if (c.explained[r])
    out += fmt::format("; groups and what is inserted explain {:.0f} % of the difference",
                       100 * *c.explained[r]);
  return out + "\n";
}

std::string best_text(const Comparison& c) {
  std::vector<std::string> alone;
  for (std::size_t r = 0; r < c.runs.size(); ++r)
    alone.push_back(fmt::format("{} {}", printable(c.runs[r].label), duration(c.groups_ns[r])));
  return fmt::format(
      "best of each: {} over all groups, where {}; the lower limit of a combination (conversions "
      "between runtimes are not counted)\n",
      duration(c.best_ns), fmt::join(alone, ", "));
}

std::string closing(const Comparison& c) {
  std::string out;
  for (std::size_t r = 1; r < c.runs.size(); ++r) out += tally_text(c, r);
  out += best_text(c);
  if (c.untimed > 0)
    out += fmt::format("{} {} no layer in any run\n",
                       counted(static_cast<std::int64_t>(c.untimed), "node"),
                       c.untimed == 1 ? "has" : "have");
  return out;
}

std::string head(const Comparison& c) {
  std::string model = c.runs[0].profile.subject.path;
  return fmt::format("{}: {} over {} of nodes{}\n", printable(model),
                     counted(std::ssize(c.runs), "run"), counted(std::ssize(c.groups), "group"),
                     c.interleaved ? ", measured in turns" : "");
}

std::string more_text(const Comparison& c, const ComparisonPage& page) {
  const std::size_t rows = rows_of(c, page.by).size();
  if (page.top == 0 || rows <= page.top) return "";
  return fmt::format("... {} more; --top 0 shows all\n", rows - page.top);
}

}  // namespace

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

void write_comparison_text(const Comparison& c, const ComparisonPage& page, Sink& sink) {
  std::string out = head(c) + "\n" + runs_table(c).text() + "\n" + rows_table(c, page).text() +
                    more_text(c, page) + "\n" + parts_table(c).text() + "\n" + closing(c);
  for (const std::string& note : c.notes) out += "note: " + printable(note) + "\n";
  sink.write(out);
}

void write_comparison_markdown(const Comparison& c, const ComparisonPage& page, Sink& sink) {
  std::string out = "# Comparison\n\n" + head(c) + "\n" + runs_table(c).markdown() + "\n" +
                    rows_table(c, page).markdown();
  if (const std::string more = more_text(c, page); !more.empty()) out += "\n" + more;
  out += "\n" + parts_table(c).markdown() + "\n";
  for (std::size_t r = 1; r < c.runs.size(); ++r) out += "- " + tally_text(c, r);
  out += "- " + best_text(c);
  for (const std::string& note : c.notes) out += "- note: " + printable(note) + "\n";
  sink.write(out);
}

void write_comparison_csv(const Comparison& c, CompareBy by, Sink& sink) {
  Table table({{std::string(title_of(by))},
               {"run"},
               {"layers"},
               {"time_ns"},
               {"time_low"},
               {"time_high"},
               {"ratio"},
               {"ratio_low"},
               {"ratio_high"},
               {"verdict"}});
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
                 std::string(name(cell.verdict))});
    }
  };
  for (const Row& row : rows_of(c, by)) add(row);
  if (by == CompareBy::kGroup)
    for (const Row* row : {&c.inserted, &c.unattributed}) add(*row);
  add(c.latency);
  sink.write(table.csv());
}

}  // namespace ridge::exports
