// SPDX-License-Identifier: Apache-2.0
#include "record/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/text.h"
#include "record/scalar.h"

namespace ridge::record {
void CsvLine::integer(std::int64_t value) { add(fmt::format("{}", value)); }
void CsvLine::large(std::uint64_t value) { add(fmt::format("{}", value)); }
void CsvLine::real(double value) { add(fmt::format("{}", value)); }
void CsvLine::text(std::string_view value) { add(csv_field(value)); }
void CsvLine::null() { add({}); }

std::string CsvLine::take() {
  first_ = true;
  return std::exchange(out_, {}) + '\n';
}

void CsvLine::add(std::string_view value) {
  if (!first_) out_ += ',';
  first_ = false;
  out_ += value;
}

void write_csv_header(const Type& type, Sink& sink) {
  std::vector<std::string> names;
  for (const Column& c : columns(type)) names.push_back(c.name);
  sink.write(fmt::format("{}\n", fmt::join(names, ",")));
}

void write_csv_line(const Type& type, const void* record, Sink& sink) {
  CsvLine line;
  write_row(type, record, line);
  sink.write(line.take());
}

}  // namespace ridge::record
