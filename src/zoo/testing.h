// SPDX-License-Identifier: Apache-2.0
// Test helper: tables of published values (CSV files under tests/data), accessed by column name.
//
//   for (const CsvRow& row : csv_rows("tests/data/zoo.csv")) row.at("params")
//
// RFC 4180 without line breaks inside fields; lines that begin with '#' are comments. The source
// tree is located by RIDGE_SOURCE, which ctest sets.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::zoo::testing {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

inline std::vector<CsvRow> csv_rows(const std::string& path) {
  const char* source = std::getenv("RIDGE_SOURCE");
  std::ifstream file((source == nullptr ? "" : std::string(source) + "/") + path);
  if (!file) throw std::runtime_error("cannot read " + path + "; is RIDGE_SOURCE set?");
  std::vector<CsvRow> rows;
  std::vector<std::string> columns;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = csv_fields(line);
    if (columns.empty()) {
      columns = fields;
      continue;
    }
    if (fields.size() != columns.size())
      throw std::runtime_error(fmt::format("{}: {}", path, line));
    rows.emplace_back();
    for (std::size_t i = 0; i < fields.size(); ++i) rows.back()[columns[i]] = fields[i];
  }
  return rows;
}

}  // namespace ridge::zoo::testing
