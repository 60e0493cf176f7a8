// SPDX-License-Identifier: Apache-2.0
#include "export/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace ridge::exports {
namespace {

/// Number of code points in valid UTF-8.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xc0') != '\x80'; }));
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::string blanks(width - std::min(width, width_of(cell)), ' ');
  return align == Align::kRight ? blanks + cell : cell + blanks;
}

std::string joined_line(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                        const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i) line += "  ";
    line += padded(cells[i], widths[i], columns[i].align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// Escapes the characters that would end a cell or be markup.
std::string markdown_cell(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '<')
      out += "&lt;";
    else if (std::string_view("|\\`*_[]").find(c) != std::string_view::npos)
      out += {'\\', c};
    else
      out += c;
  }
  return out;
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::take_shared(const std::vector<std::string>& titles) {
  std::string said;
  if (rows_.size() < 2) return said;
  for (const std::string& title : titles) {
    const auto column = std::ranges::find(columns_, title, &Column::title);
    if (column == columns_.end()) continue;
    const auto at = column - columns_.begin();
    const std::string cell = rows_[0][static_cast<std::size_t>(at)];
    if (!std::ranges::all_of(
            rows_, [&](const auto& row) { return row[static_cast<std::size_t>(at)] == cell; }))
      continue;
    if (!cell.empty()) said += (said.empty() ? "" : "; ") + title + " " + printable(cell);
    columns_.erase(column);
    for (auto& row : rows_) row.erase(row.begin() + at);
  }
  return said;
}

std::string Table::text() const {
  std::vector<std::vector<std::string>> shown;
  std::vector<std::string> titles, rules;
  std::vector<std::size_t> widths;
  for (const Column& c : columns_) {
    titles.push_back(printable(c.title));
    widths.push_back(width_of(titles.back()));
  }
  for (const auto& row : rows_) {
    auto& cells = shown.emplace_back();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      cells.push_back(shorten_middle(printable(row[i]), columns_[i].width));
      widths[i] = std::max(widths[i], width_of(cells[i]));
    }
  }
  for (const std::size_t w : widths) rules.emplace_back(w, '-');
  std::string out = joined_line(titles, columns_, widths) + joined_line(rules, columns_, widths);
  for (const auto& cells : shown) out += joined_line(cells, columns_, widths);
  return out;
}

std::string Table::markdown() const {
  std::string head = "|", rule = "|", body;
  for (const Column& c : columns_) {
    head += " " + markdown_cell(c.title) + " |";
    rule += c.align == Align::kRight ? "---:|" : "---|";
  }
  for (const auto& row : rows_) {
    body += "|";
    for (const std::string& cell : row) body += " " + markdown_cell(cell) + " |";
    body += "\n";
  }
  return head + "\n" + rule + "\n" + body;
}

std::string Table::csv() const {
  const auto line = [](const auto& cells, auto field) {
    std::string out;
    for (const auto& cell : cells)
      out += (&cell == &cells.front() ? "" : ",") + csv_field(field(cell));
    return out + "\n";
  };
  std::string out = line(columns_, [](const Column& c) { return c.title; });
  for (const auto& row : rows_) out += line(row, [](const std::string& cell) { return cell; });
  return out;
}

std::string duration_cell(double ns, bool exact) {
  if (std::isnan(ns)) return {};
  return exact ? fmt::format("{:.0f}", ns) : duration(ns);
}

}  // namespace ridge::exports
