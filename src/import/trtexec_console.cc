// SPDX-License-Identifier: Apache-2.0
#include "import/trtexec_console.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json_scan.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/trim.h"

namespace ridge::imports {
namespace {

constexpr std::int64_t kNanosPerMilli = 1'000'000;

enum class Column : std::uint8_t { kSum, kMean, kMedian, kShare, kLayer };

struct Title {
  std::string_view text;
  Column column;
};

/// Titles of all versions; a title comes before those that it begins with.
constexpr std::array kConsoleTitles = {
    Title{"Avg. Time (ms)", Column::kMean},
    Title{"Avg.(ms)", Column::kMean},
    Title{"Median Time (ms)", Column::kMedian},
    Title{"Median(ms)", Column::kMedian},
    Title{"Time (ms)", Column::kSum},
    Title{"Time(ms)", Column::kSum},
    Title{"Time(%)", Column::kShare},
    Title{"Time %", Column::kShare},
    Title{"Layer", Column::kLayer},
};

/// Removes "[07/10/2023-17:19:31] [I] ".
std::string_view without_log_prefix(std::string_view line) {
  const auto bracketed = [&](auto fits) {
    const std::size_t end = line.find("] ");
    if (!line.starts_with('[') || end == std::string_view::npos) return;
    if (fits(line.substr(1, end - 1))) line.remove_prefix(end + 2);
  };
  if (line == "[I]") return {};
  bracketed([](std::string_view text) {
    return text.find_first_not_of("0123456789/-:") == std::string_view::npos &&
           text.find('/') != std::string_view::npos;
  });
  bracketed([](std::string_view text) { return text.size() == 1; });
  return line;
}

/// Columns of a header; empty if the line is none.
std::vector<Column> header_of(std::string_view line) {
  std::vector<Column> out;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const auto title = std::ranges::find_if(
        kConsoleTitles, [&](const Title& t) { return line.starts_with(t.text); });
    if (title == kConsoleTitles.end()) return {};
    out.push_back(title->column);
    line.remove_prefix(title->text.size());
  }
  // The layer is the first or the last column.
  const auto layers = std::ranges::count(out, Column::kLayer);
  if (layers != 1 || out.size() < 2) return {};
  if (out.front() != Column::kLayer && out.back() != Column::kLayer) return {};
  return out;
}

/// Iterations in "=== Profile (10 iterations ) ==="; 0: another line.
std::int64_t iterations_of(std::string_view line) {
  constexpr std::string_view kBegin = "=== Profile (";
  const std::size_t at = line.find(kBegin);
  if (at == std::string_view::npos) return 0;
  line.remove_prefix(at + kBegin.size());
  return whole_number<std::int64_t>(line.substr(0, line.find(' '))).value_or(0);
}

/// Takes the first or last word of a line.
std::string_view take_word(std::string_view& line, bool first) {
  line = trimmed(line);
  if (first) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    return word;
  }
  const std::size_t blank = line.find_last_of(" \t");
  const std::string_view word = blank == std::string_view::npos ? line : line.substr(blank + 1);
  line.remove_suffix(word.size());
  return word;
}

/// nullopt if the line is no row of the table.
std::optional<ConsoleRow> row_of(std::string_view line, const std::vector<Column>& columns) {
  ConsoleRow row;
  const bool numbers_first = columns.back() == Column::kLayer;
  for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
    const auto value = scaled_decimal(take_word(line, numbers_first), kNanosPerMilli);
    if (!value) return std::nullopt;
    const Column column = numbers_first ? columns[i] : columns[columns.size() - 1 - i];
    if (column == Column::kSum) row.sum_ns = value;
    if (column == Column::kMean) row.mean_ns = value;
    if (column == Column::kMedian) row.median_ns = value;
  }
  row.name = trimmed(line);
  if (row.name.empty()) return std::nullopt;
  return row;
}

/// Calls `each` with the lines of a text, without the prefix of the log.
template <typename Each>
void for_lines(std::string_view text, Each each) {
  for (Lines lines(text); lines.next();) each(without_log_prefix(lines.line()));
}

}  // namespace

bool is_console_log(std::string_view beginning) {
  if (beginning.find("RUNNING TensorRT.trtexec") != std::string_view::npos) return true;
  bool found = false;
  for_lines(beginning, [&](std::string_view line) {
    found = found || iterations_of(line) > 0 || !header_of(line).empty();
  });
  return found;
}

ConsoleTable read_console(std::string_view text) {
  ConsoleTable out;
  std::vector<Column> columns;
  std::int64_t runs = 0;
  for_lines(text, [&](std::string_view line) {
    if (const std::int64_t n = iterations_of(line); n > 0) runs = n;
    if (std::vector<Column> header = header_of(line); !header.empty()) {
      columns = std::move(header);
      out = {.runs = std::exchange(runs, 0), .tables = out.tables + 1};
      return;
    }
    if (columns.empty() || out.ended || trimmed(line).empty()) return;
    const std::optional<ConsoleRow> row = row_of(line, columns);
    if (!row)
      ++out.unreadable;
    else if (row->name == "Total")
      out.ended = true;
    else
      out.rows.push_back(*row);
  });
  return out;
}

}  // namespace ridge::imports
