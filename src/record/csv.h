// SPDX-License-Identifier: Apache-2.0
// Described values as CSV: a header and a line for each, the columns those of columns.h.
//
//   write_csv(queries, sink);                        // std::span<const T>, std::vector<T>
//   write_csv_line(kType<Query>, &query, sink);
//
// Fields are escaped as base/text.h does it; what is NULL in SQL is empty. Thread rule: pure.
#pragma once

#include "base/sink.h"
#include "record/columns.h"

namespace ridge::record {

void write_csv_header(const Type& type, Sink& sink);
void write_csv_line(const Type& type, const void* record, Sink& sink);

template <typename Rows>
void write_csv(const Rows& rows, Sink& sink) {
  using T = typename Rows::value_type;
  write_csv_header(kType<T>, sink);
  for (const T& row : rows) write_csv_line(kType<T>, &row, sink);
}

}  // namespace ridge::record
