// SPDX-License-Identifier: Apache-2.0
#include "import/counter_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/json_scan.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::imports {
namespace {

constexpr std::array<std::string_view, kCounterColumns> kCounterTitles = {
    "layerName", "execStatus", "layerType", "execType", "realTime"};

struct Unit {
  std::string_view word;
  std::int64_t nanos;
};
constexpr std::array kUnits = {
    Unit{"ns", 1},           Unit{"us", 1000},         Unit{"\xc2\xb5s", 1000},  // micro sign
    Unit{"\xce\xbcs", 1000},                                                     // Greek letter mu
    Unit{"ms", 1'000'000},   Unit{"s", 1'000'000'000},
};

/// End of a cell that begins at `begin`: its separator, or the end of the line. A quote that closes
/// nowhere is a character like any other.
std::size_t end_of_cell(std::string_view line, std::size_t begin, char separator) {
  if (begin < line.size() && line[begin] == '"')
    for (std::size_t at = begin + 1; at < line.size(); ++at) {
      if (line[at] != '"') continue;
      if (at + 1 < line.size() && line[at + 1] == '"') {
        ++at;
        continue;
      }
      if (at + 1 == line.size() || line[at + 1] == separator) return at + 1;
      break;
    }
  return std::min(line.find(separator, begin), line.size());
}

std::vector<std::string_view> counter_cells(std::string_view line, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0;;) {
    const std::size_t end = end_of_cell(line, begin, separator);
    out.push_back(line.substr(begin, end - begin));
    if (end == line.size()) return out;
    begin = end + 1;
  }
}

bool is_quoted(std::string_view cell) {
  return cell.size() >= 2 && cell.starts_with('"') && cell.ends_with('"');
}

/// Cell without its quotes.
std::string_view bare(std::string_view cell, std::deque<std::string>& store) {
  if (!is_quoted(cell)) return trimmed(cell);
  cell = cell.substr(1, cell.size() - 2);
  if (cell.find('"') == std::string_view::npos) return cell;
  std::string& out = store.emplace_back();
  for (std::size_t at = 0; at < cell.size(); ++at) {
    out += cell[at];
    if (cell[at] == '"') ++at;  // a quote is written twice
  }
  return out;
}

/// Separator of a header; '\0' if no cell of the line is called "layerName".
char separator_of(std::string_view line, std::deque<std::string>& store) {
  for (const char separator : {';', ',', '\t'})
    for (const std::string_view cell : counter_cells(line, separator))
      if (bare(cell, store) == kCounterTitles[kName]) return separator;
  return '\0';
}

/// "realTime (ms)" -> "realTime", "ms".
std::pair<std::string_view, std::string_view> title_and_unit(std::string_view cell) {
  const std::size_t open = cell.find('(');
  if (open == std::string_view::npos || !cell.ends_with(')')) return {cell, {}};
  return {trimmed(cell.substr(0, open)), trimmed(cell.substr(open + 1, cell.size() - open - 2))};
}

Error without(std::string_view what, std::string_view header) {
  return input_error("RIDGE-IMP-0024", fmt::format("the table of counters has no {}", what))
      .evidence("its header is " + printable(shorten(valid_utf8(header), 200)))
      .hint("give what benchmark_app -report_type detailed_counters wrote");
}

}  // namespace

bool is_counter_header(std::string_view line) {
  if (line.find(kCounterTitles[kName]) == std::string_view::npos) return false;
  std::deque<std::string> store;
  return separator_of(trimmed(line), store) != '\0';
}

Result<CounterColumns> counter_columns(std::string_view header) {
  std::deque<std::string> store;
  CounterColumns out;
  out.separator_ = separator_of(header, store);
  if (out.separator_ == '\0')
    return without(fmt::format("column {}", kCounterTitles[kName]), header);
  std::vector<std::string_view> cells = counter_cells(header, out.separator_);
  while (bare(cells.back(), store).empty()) cells.pop_back();
  out.width_ = cells.size();
  std::string_view unit;
  for (std::size_t column = 0; column < kCounterColumns; ++column) {
    const auto cell = std::ranges::find_if(cells, [&](std::string_view text) {
      const auto [title, its_unit] = title_and_unit(bare(text, store));
      if (title == kCounterTitles[column] && column == kReal) unit = its_unit;
      return title == kCounterTitles[column];
    });
    if (cell == cells.end())
      return without(fmt::format("column {}", kCounterTitles[column]), header);
    out.at_[column] = static_cast<std::size_t>(cell - cells.begin());
  }
  const auto known = std::ranges::find(kUnits, unit, &Unit::word);
  if (known == kUnits.end()) return without("unit of realTime that is known", header);
  out.nanos_per_unit_ = known->nanos;
  return out;
}

std::optional<CounterCells> CounterColumns::cells(std::string_view line,
                                                  std::deque<std::string>& store) const {
  std::vector<std::string_view> found = counter_cells(line, separator_);
  while (found.size() > width_ && found.back().empty()) found.pop_back();
  if (found.size() < width_) return std::nullopt;
  // Separators in a name that is not quoted. Of commas, decimal marks could be meant.
  const std::size_t surplus = found.size() - width_;
  if (surplus > 0 && separator_ == ',') return std::nullopt;
  CounterCells out;
  for (std::size_t column = 0; column < kCounterColumns; ++column) {
    const std::size_t at = at_[column] + (at_[column] > at_[kName] ? surplus : 0);
    out[column] = bare(found[at], store);
  }
  if (surplus > 0) {
    const char* begin = found[at_[kName]].data();
    const std::string_view last = found[at_[kName] + surplus];
    out[kName] = {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
  }
  return out;
}

std::optional<std::int64_t> CounterColumns::nanos(std::string_view cell) const {
  const std::size_t comma = cell.rfind(',');
  if (comma == std::string_view::npos) return scaled_decimal(cell, nanos_per_unit_);
  // Of two marks the last is the decimal one: "1.234,5", "1,234.5".
  const char decimal = cell.find('.', comma) == std::string_view::npos ? ',' : '.';
  std::string plain;
  for (const char c : cell)
    if (c == decimal)
      plain += '.';
    else if (c != ',' && c != '.')
      plain += c;
  return scaled_decimal(plain, nanos_per_unit_);
}

}  // namespace ridge::imports
