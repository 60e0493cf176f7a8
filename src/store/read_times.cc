// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "store/rows.h"
#include "store/store.h"

namespace ridge::store {
namespace {

Result<void> read_samples(const Database& db, RunId id, RunTimes& out) {
  auto reader = TRY(RowReader<TimeRow>::make(db, "sample", {"process", "position"}, "run", id));
  std::optional<std::int64_t> process;
  while (TRY(reader.next())) {
    if (process != reader.key(0)) out.processes_ns.emplace_back();
    process = reader.key(0);
    out.processes_ns.back().push_back(static_cast<double>(reader.row().time_ns));
  }
  return {};
}

Result<std::string> main_precision(const Database& db, RunId id) {
  Statement s =
      TRY(db.prepare("SELECT precision FROM layer WHERE run = ? GROUP BY precision"
                     " ORDER BY sum(corrected_ns) DESC, precision LIMIT 1"));
  s.bind(1, id);
  return TRY(s.step()) ? std::string(s.text(0)) : std::string();
}

Result<std::optional<std::int64_t>> params_of(const Database& db, RunId id) {
  Statement s = TRY(db.prepare(
      "SELECT CAST(sum(node.params) AS INTEGER) FROM node JOIN run ON run.model = node.model"
      " WHERE run.id = ?"));
  s.bind(1, id);
  return TRY(s.step()) ? s.integer(0) : std::nullopt;
}

}  // namespace

Result<RunTimes> Store::times(RunId id) const {
  RunTimes out;
  TRY(read_samples(db_, id, out));
  out.precision = TRY(main_precision(db_, id));
  out.params = TRY(params_of(db_, id));
  for (auto& row : TRY(read_rows<OptionRow>(db_, "run_option", "run", id)))
    out.options[row.name] = std::move(row.value);
  return out;
}

}  // namespace ridge::store
