// SPDX-License-Identifier: Apache-2.0
#include "store/postgres/answer.h"

#include "base/number.h"
#include "store/postgres/sql.h"

namespace ridge::store::postgres {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 30, kNull = ~std::size_t{0};

/// Numbers of types in pg_type, which never change.
constexpr Oid kInt8 = 20, kInt4 = 23, kText = 25, kFloat8 = 701, kNumeric = 1700;

}  // namespace

bool Answer::add(const Library& pq, const PGresult* result) {
  const int columns = pq.nfields(result), rows = pq.ntuples(result);
  if (types_.empty())
    for (int c = 0; c < columns; ++c) types_.push_back(pq.ftype(result, c));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      if (pq.getisnull(result, r, c)) {
        values_.push_back({kNull, kNull});
        continue;
      }
      const std::string_view bytes(pq.getvalue(result, r, c),
                                   static_cast<std::size_t>(pq.getlength(result, r, c)));
      const std::size_t begin = text_.size();
      text_ += type(c) == kText ? text_of_stored(bytes) : bytes;
      values_.push_back({begin, text_.size()});
    }
  return text_.size() + values_.size() * sizeof(Value) <= kLargest;
}

std::optional<std::string_view> Answer::value(std::size_t row, int column) const {
  const Value& v = values_[row * types_.size() + static_cast<std::size_t>(column)];
  if (v.begin == kNull) return std::nullopt;
  return std::string_view(text_).substr(v.begin, v.end - v.begin);
}

std::optional<std::int64_t> Answer::integer(std::size_t row, int column) const {
  const auto found = value(row, column);
  if (!found || (type(column) != kInt8 && type(column) != kInt4)) return std::nullopt;
  return whole_number(*found);
}

std::optional<double> Answer::real(std::size_t row, int column) const {
  const auto found = value(row, column);
  const Oid of = type(column);
  if (!found || (of != kFloat8 && of != kInt8 && of != kInt4 && of != kNumeric))
    return std::nullopt;
  return finite_number(*found);
}

std::optional<std::string_view> Answer::text(std::size_t row, int column) const {
  return type(column) == kText ? value(row, column) : std::nullopt;
}

}  // namespace ridge::store::postgres
