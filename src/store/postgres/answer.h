// SPDX-License-Identifier: Apache-2.0
// The rows that a statement returned, copied row by row so that their size is bounded.
//
//   Answer answer;
//   if (!answer.add(libpq, *result)) ...          // more than 1 GiB
//   answer.integer(row, column)
//
// Values arrive as text. Thread rule: a value type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/library.h"

namespace ridge::store::postgres {

class Answer {
 public:
  /// Adds the rows of `result`; false if there are too many.
  bool add(const Library& pq, const PGresult* result);
  void clear() { *this = Answer(); }
  std::size_t rows() const { return types_.empty() ? 0 : values_.size() / types_.size(); }

  bool is_null(std::size_t row, int column) const { return !value(row, column); }
  /// A value of another type is nullopt.
  std::optional<std::int64_t> integer(std::size_t row, int column) const;
  std::optional<double> real(std::size_t row, int column) const;
  std::optional<std::string_view> text(std::size_t row, int column) const;

 private:
  /// Bytes [begin, end) of text_; `begin` is kNull for NULL.
  struct Value {
    std::size_t begin = 0, end = 0;
  };
  std::optional<std::string_view> value(std::size_t row, int column) const;
  Oid type(int column) const { return types_[static_cast<std::size_t>(column)]; }

  std::vector<Oid> types_;  ///< types of the columns
  std::vector<Value> values_;
  std::string text_;
};

}  // namespace ridge::store::postgres
