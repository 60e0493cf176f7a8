// SPDX-License-Identifier: Apache-2.0
// Reads columns files (column_file.h) for tests, and compares one with the JSON document of the
// same result. Written from docs/reference/columns.md alone.
//
//   const ColumnFile file = read_columns(bytes);                  // asserts that it is well formed
//   EXPECT_EQ(column_findings(json, bytes), Findings());
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridge::record::testing {

using Findings = std::vector<std::string>;

/// Values of a column, null where there is none. JSON text is parsed.
struct ReadColumn {
  std::string name, type;
  std::vector<nlohmann::json> values;
  bool has_bitmap = false;
};

struct ColumnFile {
  nlohmann::json document;
  std::map<std::string, std::vector<ReadColumn>> tables;
  std::map<std::string, std::size_t> rows;

  const ReadColumn& column(const std::string& table, std::string_view name) const {
    for (const ReadColumn& c : tables.at(table))
      if (c.name == name) return c;
    throw std::out_of_range(std::string(name));
  }
  std::vector<nlohmann::json> values(const std::string& table, std::string_view name) const {
    return column(table, name).values;
  }
};

class ColumnReader {
 public:
  explicit ColumnReader(std::string_view file) : file_(file) {}

  ColumnFile read() {
    constexpr std::string_view kMagic = "RIDGECOL";
    ColumnFile out;
    EXPECT_TRUE(file_.starts_with(kMagic) && file_.ends_with(kMagic));
    const auto length = at<std::uint64_t>(file_.size() - 16, 0);
    const auto footer = nlohmann::json::parse(file_.substr(file_.size() - 16 - length, length));
    EXPECT_EQ(footer.at("schema"), "ridge.columns/1");
    out.document = footer.at("document");
    for (const auto& [name, table] : footer.at("tables").items()) {
      rows_ = table.at("rows");
      out.rows[name] = rows_;
      out.tables[name];  // one without columns too
      for (const auto& column : table.at("columns")) out.tables[name].push_back(values(column));
    }
    return out;
  }

 private:
  template <typename T>
  T at(std::size_t offset, std::size_t index) const {
    T out;
    std::memcpy(&out, file_.substr(offset + index * sizeof out, sizeof out).data(), sizeof out);
    return out;
  }

  /// Offset of a buffer, which has that size.
  std::size_t buffer(const nlohmann::json& column, const char* name, std::size_t size) const {
    const std::size_t offset = column.at(name).at(0);
    EXPECT_EQ(offset % 64, 0U) << column;
    EXPECT_EQ(column.at(name).at(1), size) << column;
    EXPECT_LE(offset + size, file_.size());
    return offset;
  }

  ReadColumn values(const nlohmann::json& c) const {
    ReadColumn out{c.at("name"), c.at("type"), {}, c.contains("valid")};
    const std::size_t valid = out.has_bitmap ? buffer(c, "valid", (rows_ + 7) / 8) : 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      const bool there =
          !out.has_bitmap || ((at<std::uint8_t>(valid, row / 8) >> row % 8) & 1) != 0;
      out.values.push_back(there ? value(c, out.type, row) : nlohmann::json());
    }
    if (rows_ == 0 && !has_texts(out.type)) buffer(c, "data", 0);
    return out;
  }

  static bool has_texts(const std::string& type) { return type == "text" || type == "json"; }

  nlohmann::json value(const nlohmann::json& c, const std::string& type, std::size_t row) const {
    if (has_texts(type)) {
      const std::size_t offsets = buffer(c, "offsets", 8 * (rows_ + 1));
      const auto start = at<std::int64_t>(offsets, row), end = at<std::int64_t>(offsets, row + 1);
      const std::size_t data =
          buffer(c, "data", static_cast<std::size_t>(at<std::int64_t>(offsets, rows_)));
      const auto text = file_.substr(data + static_cast<std::size_t>(start),
                                     static_cast<std::size_t>(end - start));
      return type == "json" ? nlohmann::json::parse(text) : nlohmann::json(text);
    }
    if (type == "word")
      return c.at("words").at(at<std::uint32_t>(buffer(c, "data", 4 * rows_), row));
    if (type == "bool") return at<std::uint8_t>(buffer(c, "data", rows_), row) == 1;
    const std::size_t data = buffer(c, "data", 8 * rows_);
    if (type == "uint64") return at<std::uint64_t>(data, row);
    if (type == "int64") return at<std::int64_t>(data, row);
    EXPECT_EQ(type, "float64");
    return at<double>(data, row);
  }

  std::string_view file_;
  std::size_t rows_ = 0;
};

inline ColumnFile read_columns(std::string_view file) { return ColumnReader(file).read(); }

/// Compares the rows of a table with the rows of the list in the JSON document.
class RowComparison {
 public:
  explicit RowComparison(const std::vector<ReadColumn>& columns) {
    for (const ReadColumn& c : columns) {
      if (!columns_.emplace(c.name, &c).second) findings_.push_back(c.name + " occurs twice");
      names_.push_back(c.name);
    }
  }

  void compare(std::size_t row, const nlohmann::json& expected) {
    row_ = row;
    met_.clear();
    if (expected.is_array())
      items(names_, expected);
    else
      fields("", expected);
    for (const auto& [name, column] : columns_)
      if (!met_.contains(name) && !column->values[row].is_null())
        find(name, nlohmann::json(), column->values[row]);
  }

  const Findings& findings() const { return findings_; }

 private:
  void fields(const std::string& prefix, const nlohmann::json& object) {
    for (const auto& [key, value] : object.items()) field(prefix + key, value);
  }

  void field(const std::string& name, const nlohmann::json& value) {
    if (columns_.contains(name)) return leaf(name, value);
    std::vector<std::string> inner;
    for (const std::string& column : names_)
      if (column.starts_with(name + '_')) inner.push_back(column);
    if (inner.empty()) return findings_.push_back("no column for " + name);
    if (value.is_object()) return fields(name + '_', value);
    if (value.is_null())
      for (const std::string& column : inner) leaf(column, value);
    else if (value.is_array())
      items(inner, value);
    else
      findings_.push_back(name + " is not flattened: " + value.dump());
  }

  /// A record that is written as a list of its fields.
  void items(const std::vector<std::string>& columns, const nlohmann::json& list) {
    if (columns.size() != list.size()) return find(columns.front(), list, nullptr);
    for (std::size_t i = 0; i < list.size(); ++i) leaf(columns[i], list[i]);
  }

  void leaf(const std::string& name, const nlohmann::json& value) {
    met_.insert(name);
    if (columns_.at(name)->values[row_] != value)
      find(name, value, columns_.at(name)->values[row_]);
  }

  void find(const std::string& name, const nlohmann::json& expected, const nlohmann::json& read) {
    if (findings_.size() < 20)
      findings_.push_back("row " + std::to_string(row_) + ", " + name + ": " + read.dump() +
                          " instead of " + expected.dump());
  }

  std::map<std::string, const ReadColumn*> columns_;
  std::vector<std::string> names_;
  std::set<std::string> met_;
  Findings findings_;
  std::size_t row_ = 0;
};

/// Differences between a columns file and the JSON document.
inline Findings column_findings(std::string_view json, std::string_view columns) {
  nlohmann::json rest = nlohmann::json::parse(json);
  const ColumnFile file = read_columns(columns);
  Findings out;
  for (const auto& [name, table] : file.tables) {
    const nlohmann::json list = rest.contains(name) ? rest.at(name) : nlohmann::json();
    rest.erase(name);
    if (!list.is_array() || list.size() != file.rows.at(name)) {
      out.push_back(name + ": " + std::to_string(file.rows.at(name)) + " rows");
      continue;
    }
    RowComparison comparison(table);
    for (std::size_t row = 0; row < list.size(); ++row) comparison.compare(row, list[row]);
    for (const std::string& finding : comparison.findings()) out.push_back(name + ": " + finding);
  }
  if (rest != file.document)
    out.push_back("document: " + nlohmann::json::diff(rest, file.document).dump());
  return out;
}

}  // namespace ridge::record::testing
