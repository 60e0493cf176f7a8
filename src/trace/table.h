// SPDX-License-Identifier: Apache-2.0
// Result of a query: columns with units, rows of cells, and the reasons for missing values.
//
//   Table t("A6", "latency by layer type");
//   const auto type = t.column("type"), time = t.column("time_ns", "ns", "no layer has a time");
//   t.row().set(type, "Conv").set(time, 1.5e6);
//
// A cell without a value is null: the figure is unknown, for the reason that its column gives.
// Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ridge::trace {

using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct Column {
  std::string name, unit;  ///< unit "" for text and plain counts
  std::string if_null;     ///< why a cell may be null
};

class Row {
 public:
  explicit Row(std::size_t columns) : cells_(columns) {}

  Row& set(std::size_t column, std::string_view text) {
    if (!text.empty()) cells_[column] = std::string(text);
    return *this;
  }
  Row& set(std::size_t column, double number) {
    cells_[column] = number;
    return *this;
  }
  Row& set(std::size_t column, std::int64_t number) {
    cells_[column] = number;
    return *this;
  }
  template <typename T>
  Row& set(std::size_t column, const std::optional<T>& known) {
    return known ? set(column, *known) : *this;
  }
  const std::vector<Cell>& cells() const { return cells_; }
  std::vector<Cell>& cells() { return cells_; }

 private:
  std::vector<Cell> cells_;
};

struct Table {
  std::string query, title;
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> notes;

  std::size_t column(std::string_view name, std::string_view unit = "",
                     std::string_view if_null = "") {
    columns.push_back({std::string(name), std::string(unit), std::string(if_null)});
    return columns.size() - 1;
  }
  Row& row() { return rows.emplace_back(columns.size()); }
};

}  // namespace ridge::trace
