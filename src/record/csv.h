// SPDX-License-Identifier: Apache-2.0
// Described values as CSV: a header and a line for each, the columns those of columns.h.
//
//   write_csv(queries, sink);                        // std::span<const T>, std::vector<T>
//   write_csv_line(kType<Query>, &query, sink);
//   CsvLine line;                                    // a RowSink, for rows of other origin
//   line.integer(3), line.text("conv"), sink.write(line.take());
//
// Fields are escaped as base/text.h does it; what is NULL in SQL is empty. Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/sink.h"
#include "record/columns.h"

namespace ridge::record {

/// Collects the values of a row.
class CsvLine final : public RowSink {
 public:
  void integer(std::int64_t value) override;
  void large(std::uint64_t value) override;
  void real(double value) override;
  void text(std::string_view value) override;
  void null() override;
  /// The line with its end; the next value begins another one.
  std::string take();

 private:
  void add(std::string_view value);
  std::string out_;
  bool first_ = true;
};

void write_csv_header(const Type& type, Sink& sink);
void write_csv_line(const Type& type, const void* record, Sink& sink);

template <typename Rows>
void write_csv(const Rows& rows, Sink& sink) {
  using T = typename Rows::value_type;
  write_csv_header(kType<T>, sink);
  for (const T& row : rows) write_csv_line(kType<T>, &row, sink);
}

}  // namespace ridge::record
