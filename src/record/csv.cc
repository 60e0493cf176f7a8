// SPDX-License-Identifier: Apache-2.0
#include "record/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "record/scalar.h"

namespace ridge::record {
namespace {

class Line final : public RowSink {
 public:
  void integer(std::int64_t value) override { add(fmt::format("{}", value)); }
  void large(std::uint64_t value) override { add(fmt::format("{}", value)); }
  void real(double value) override { add(fmt::format("{}", value)); }
  void text(std::string_view value) override { add(csv_field(value)); }
  void null() override { add({}); }
  std::string take() { return std::move(out_) + '\n'; }

 private:
  void add(std::string_view value) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += value;
  }
  std::string out_;
  bool first_ = true;
};

}  // namespace

void write_csv_header(const Type& type, Sink& sink) {
  std::vector<std::string> names;
  for (const Column& c : columns(type)) names.push_back(c.name);
  sink.write(fmt::format("{}\n", fmt::join(names, ",")));
}

void write_csv_line(const Type& type, const void* record, Sink& sink) {
  Line line;
  write_row(type, record, line);
  sink.write(line.take());
}

}  // namespace ridge::record
