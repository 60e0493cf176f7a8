// SPDX-License-Identifier: Apache-2.0
// Views of a store as CSV.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "record/csv.h"
#include "store/store.h"

namespace ridge::store {
namespace {

using Kind = record::Column::Kind;

/// Hands the value of a column on; false if it is of another type.
bool hand_on(const Statement& row, int at, Kind kind, record::RowSink& sink) {
  if (row.is_null(at)) return sink.null(), true;
  if (kind == Kind::kText) return row.is_text(at) && (sink.text(row.text(at)), true);
  if (kind == Kind::kInteger) {
    const auto number = row.integer(at);
    return number && (sink.integer(*number), true);
  }
  const auto number = row.real(at);
  return number && (sink.real(*number), true);
}

std::string header_of(const View& view) {
  std::vector<std::string_view> names;
  for_each_column(view, [&](const ViewColumn& c) { names.push_back(c.name); });
  return fmt::format("{}\n", fmt::join(names, ","));
}

}  // namespace

Result<void> Store::write_csv(const View& view, Sink& sink) const {
  sink.write(header_of(view));
  Statement owners = TRY(db_.prepare(fmt::format("SELECT id FROM {} ORDER BY id", view.owner)));
  Statement rows = TRY(db_.prepare_joined(select_view(view)));
  constexpr std::size_t kWaiting = std::size_t{64}
                                   << 10;  // a write to a file costs more than a row
  std::string waiting;
  record::CsvLine line;
  while (TRY(owners.step())) {
    rows.reset();
    rows.bind(1, owners.integer(0).value_or(0));
    while (TRY(rows.step())) {
      int at = 0;
      std::string_view wrong;
      for_each_column(view, [&](const ViewColumn& c) {
        if (!hand_on(rows, at++, c.kind, line)) wrong = c.name;
      });
      if (!wrong.empty())
        return db_.damaged(
            fmt::format("view {}: column {}: a value of another type", view.name, wrong));
      waiting += line.take();
      if (waiting.size() >= kWaiting) sink.write(std::exchange(waiting, {}));
    }
  }
  sink.write(waiting);
  return {};
}

}  // namespace ridge::store
