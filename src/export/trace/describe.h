// SPDX-License-Identifier: Apache-2.0
// Description (record/describe.h) of ridge.trace_query/1: the shown rows of a query's table.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "record/describe.h"
#include "trace/table.h"

namespace ridge::exports {

using QueryCell = std::optional<std::variant<std::int64_t, double, std::string>>;
using QueryRow = std::vector<std::pair<std::string, QueryCell>>;

struct QueryDocument {
  std::string query, title;
  std::vector<trace::Column> columns;
  std::vector<QueryRow> rows;
  std::int64_t rows_left_out = 0;
  std::vector<std::string> notes;
};

}  // namespace ridge::exports

namespace ridge {

template <>
struct record::Describe<trace::Column> {
  using T = trace::Column;
  static constexpr std::array fields{
      field<&T::name>("name", "the key in each row"),
      field<&T::unit>("unit",
                      "ns, B, FLOP, FLOP/s, B/s, FLOP/B, 1/s, or 1 for a share; null for text, "
                      "counts and ratios",
                      zero_is_null()),
      field<&T::if_null>("if_null", "why a row has null there; null where none has",
                         zero_is_null())};
};

template <>
struct record::Describe<exports::QueryDocument> {
  using T = exports::QueryDocument;
  static constexpr std::string_view schema = "ridge.trace_query/1";
  static constexpr std::string_view text =
      "The answer to a query about runs: `ridge trace query A6 RUN --format json`; `list`, `show` "
      "and `diff` answer in the same form.";
  static constexpr std::array fields{
      field<&T::query>("query", "A1 to A15, idle, diff; list or show", on_line()),
      field<&T::title>("title", "the query in words"),
      field<&T::columns>("columns", "of `rows`, in order", on_line(), item_lines()),
      field<&T::rows>("rows",
                      "an object per row, keyed by the names of the columns; null where a figure "
                      "cannot be known",
                      on_line(), item_lines()),
      field<&T::rows_left_out>("rows_left_out", "by --top", on_line()),
      field<&T::notes>("notes", "where the figures come from", on_line())};
};

}  // namespace ridge
