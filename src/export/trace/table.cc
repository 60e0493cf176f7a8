// SPDX-License-Identifier: Apache-2.0
#include "export/trace/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/numeral.h"
#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "export/table.h"
#include "export/trace/describe.h"

namespace ridge::exports {
namespace {

bool is_null(const trace::Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

std::size_t trace_rows(const trace::Table& table, std::size_t top) {
  return top == 0 ? table.rows.size() : std::min(top, table.rows.size());
}

/// True if every shown row lacks the column: tables for human readers omit it and state the reason
/// below.
bool all_null(const trace::Table& table, std::size_t column, std::size_t rows) {
  return rows > 0 && !table.columns[column].if_null.empty() &&
         std::all_of(table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(rows),
                     [&](const trace::Row& row) { return is_null(row.cells()[column]); });
}

bool has_null(const trace::Table& table, std::size_t column, std::size_t rows) {
  return std::any_of(table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(rows),
                     [&](const trace::Row& row) { return is_null(row.cells()[column]); });
}

/// Title without the suffix "_ns": the cells have units ("1.2 ms").
std::string column_title(const trace::Column& column) {
  if (column.name == "roof_share") return "of its bound";
  std::string title = column.name;
  if (column.unit == "ns" && title.ends_with("_ns")) title.resize(title.size() - 3);
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

std::string readable_number(double number, const std::string& unit) {
  if (unit == "ns") return number < 0 ? "-" + duration(-number) : duration(number);
  if (unit == "1") return percent_text(number);
  if (unit.empty()) return significant(number, 6);
  const std::string value = si(number);
  if (unit == "1/s") return value + "/s";
  return value.find(' ') == std::string::npos ? value + " " + unit : value + unit;
}

std::string readable_cell(const trace::Cell& cell, const trace::Column& column) {
  const std::string& unit = column.unit;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&cell))
    return unit.empty() ? fmt::format("{}", *integer)
                        : readable_number(static_cast<double>(*integer), unit);
  if (const auto* number = std::get_if<double>(&cell)) return readable_number(*number, unit);
  return column.if_null.empty() ? "" : "?";
}

std::string plain_cell(const trace::Cell& cell, const trace::Column&) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  return "";
}

bool is_text(const trace::Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const trace::Row& row) {
    return std::holds_alternative<std::string>(row.cells()[column]);
  });
}

QueryCell query_cell(const trace::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return std::nullopt;
}

/// Table of the columns in `which`, with the given functions for titles and cells.
template <typename Title, typename Text>
Table as_table(const trace::Table& table, std::size_t rows, const std::vector<std::size_t>& which,
               Title title, Text text) {
  const std::size_t width = table.query == "list" ? 80 : 40;
  std::vector<exports::Column> columns;
  for (const std::size_t c : which)
    columns.push_back(
        {title(table.columns[c]), is_text(table, c) ? Align::kLeft : Align::kRight, width});
  Table out(std::move(columns));
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<std::string> cells;
    for (const std::size_t c : which)
      cells.push_back(text(table.rows[r].cells()[c], table.columns[c]));
    out.add(std::move(cells));
  }
  return out;
}

Table readable_table(const trace::Table& table, std::size_t rows) {
  std::vector<std::size_t> which;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (!all_null(table, c, rows)) which.push_back(c);
  return as_table(table, rows, which, column_title, readable_cell);
}

/// Text below a table: number of omitted rows, reasons for nulls (equal ones together), notes.
std::string foot(const trace::Table& table, std::size_t rows) {
  std::string out;
  if (rows < table.rows.size())
    out += fmt::format("{} more: --top 0 shows all\n",
                       counted(static_cast<std::int64_t>(table.rows.size() - rows), "row"));
  std::vector<std::pair<std::string, std::string>> reasons;  // reason, columns
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const trace::Column& column = table.columns[c];
    if (column.if_null.empty() || !has_null(table, c, rows)) continue;
    const auto same = std::find_if(reasons.begin(), reasons.end(),
                                   [&](const auto& r) { return r.first == column.if_null; });
    if (same == reasons.end())
      reasons.emplace_back(column.if_null, column_title(column));
    else
      same->second += ", " + column_title(column);
  }
  for (const auto& [reason, columns] : reasons)
    out += fmt::format("{} not known: {}\n", columns, reason);
  for (const std::string& note : table.notes) out += printable(note) + "\n";
  return out;
}

}  // namespace

void write_trace_text(const trace::Table& table, std::size_t top, Sink& sink) {
  const std::size_t rows = trace_rows(table, top);
  sink.write(fmt::format("{}: {}\n\n", table.query, table.title));
  sink.write(readable_table(table, rows).text());
  if (const std::string below = foot(table, rows); !below.empty()) sink.write("\n" + below);
}

void write_trace_markdown(const trace::Table& table, std::size_t top, Sink& sink) {
  const std::size_t rows = trace_rows(table, top);
  sink.write(fmt::format("## {}: {}\n\n", table.query, table.title));
  sink.write(readable_table(table, rows).markdown());
  if (const std::string below = foot(table, rows); !below.empty()) sink.write("\n" + below);
}

void write_trace_csv(const trace::Table& table, std::size_t top, Sink& sink) {
  std::vector<std::size_t> all(table.columns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  sink.write(as_table(
                 table, trace_rows(table, top), all,
                 [](const trace::Column& column) { return column.name; }, plain_cell)
                 .csv());
}

void write_trace_document(const trace::Table& table, std::size_t top,
                          const record::DocumentSink& sink) {
  const std::size_t rows = trace_rows(table, top);
  QueryDocument out{.query = table.query,
                    .title = table.title,
                    .columns = table.columns,
                    .rows = {},
                    .rows_left_out = static_cast<std::int64_t>(table.rows.size() - rows),
                    .notes = table.notes};
  for (std::size_t c = 0; c < out.columns.size(); ++c)
    if (!has_null(table, c, rows)) out.columns[c].if_null.clear();
  for (std::size_t r = 0; r < rows; ++r) {
    QueryRow& row = out.rows.emplace_back();
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      row.emplace_back(table.columns[c].name, query_cell(table.rows[r].cells()[c]));
  }
  sink.write(out);
}

}  // namespace ridge::exports
