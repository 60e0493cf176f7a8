// SPDX-License-Identifier: Apache-2.0
// Layer figures reported by other programs, recorded in tests/accelerator/*.csv: one row per layer.
// For tests.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::accelerator::testing {

using Row = std::map<std::string, std::string>;  ///< by column name

/// Rows of the file; empty if RIDGE_SOURCE does not name the repository.
inline std::vector<Row> recorded(std::string_view name) {
  const char* source = std::getenv("RIDGE_SOURCE");
  if (source == nullptr) return {};
  std::ifstream file(std::filesystem::path(source) / "tests/accelerator" / name);
  const auto fields = [](const std::string& line) {
    std::vector<std::string> out;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) out.push_back(field);
    return out;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> titles = fields(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = fields(line);
    Row row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[titles[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

inline std::int64_t number(const Row& row, const std::string& title) {
  return std::stoll(row.at(title));
}

}  // namespace ridge::accelerator::testing
