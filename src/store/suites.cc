// Suites of bricks in a store.
#include <utility>

#include "store/mix.h"
#include "store/rows.h"
#include "store/store.h"

namespace ridge::store {
namespace {

using profile::SuiteProcess;

/// Digest of every member, by the columns of the tables.
std::string content_of(const SuiteProcess& process) {
  Digest d;
  const auto add = [&](std::string_view, const auto& member) { mix(d, member); };
  columns(process, add);
  for (const auto& brick : process.bricks) {
    columns(brick, add);
    d.add_int(std::ssize(brick.runs));
    for (const auto& run : brick.runs) columns(run, add);
  }
  for (const auto& run : process.chains) columns(run, add);
  for (const auto& brick : process.lost) columns(brick, add);
  for (const auto size : {process.bricks.size(), process.chains.size(), process.lost.size()})
    d.add_int(static_cast<std::int64_t>(size));
  return d.hex();
}

Result<std::int64_t> write_head(const Database& db, const std::string& content,
                                const SuiteProcess& process) {
  std::string names = "content", places = "?";
  columns(process, [&](std::string_view column, const auto&) {
    names += ", " + std::string(column);
    places += ", ?";
  });
  Statement s = TRY(db.prepare("INSERT INTO suite(" + names + ") VALUES (" + places + ")"));
  s.bind(1, std::string_view(content));
  int at = 1;
  columns(process, [&](std::string_view, const auto& member) { put(s, ++at, member); });
  TRY(s.run());
  return db.last_id();
}

Result<void> write_runs(const Database& db, std::int64_t suite, const SuiteProcess& process) {
  auto runs =
      TRY(RowWriter<profile::BrickRun>::make(db, "brick_run", {"suite", "brick", "position"}));
  std::int64_t number = 0;
  for (const profile::SuiteBrick& brick : process.bricks) {
    std::int64_t position = 0;
    for (const profile::BrickRun& run : brick.runs) TRY(runs.add({suite, number, position++}, run));
    ++number;
  }
  return {};
}

Result<void> read_runs(const Database& db, std::int64_t suite, SuiteProcess& process) {
  auto runs = TRY(
      RowReader<profile::BrickRun>::make(db, "brick_run", {"brick", "position"}, "suite", suite));
  while (TRY(runs.next())) {
    if (runs.key(0) < 0 || runs.key(0) >= std::ssize(process.bricks))
      return db.damaged("table brick_run refers to a missing brick");
    process.bricks[static_cast<std::size_t>(runs.key(0))].runs.push_back(std::move(runs.row()));
  }
  return {};
}

}  // namespace

Result<bool> Store::append(const SuiteProcess& process) {
  const std::string content = content_of(process);
  Transaction transaction = TRY(Transaction::begin(db_));
  Statement known = TRY(db_.prepare("SELECT id FROM suite WHERE content = ?"));
  known.bind(1, std::string_view(content));
  if (TRY(known.step())) return false;
  const std::int64_t suite = TRY(write_head(db_, content, process));
  TRY(write_rows(db_, "suite_brick", "suite", suite, process.bricks));
  TRY(write_runs(db_, suite, process));
  TRY(write_rows(db_, "chain_run", "suite", suite, process.chains));
  TRY(write_rows(db_, "lost_brick", "suite", suite, process.lost));
  TRY(transaction.commit());
  return true;
}

Result<std::vector<SuiteProcess>> Store::suites(std::string_view point) const {
  TRY(db_.run("BEGIN"));  // one snapshot despite concurrent writers
  Result<std::vector<SuiteProcess>> all = [&]() -> Result<std::vector<SuiteProcess>> {
    Statement ids = TRY(db_.prepare("SELECT id FROM suite WHERE point = ? ORDER BY id"));
    ids.bind(1, point);
    std::vector<SuiteProcess> out;
    while (TRY(ids.step())) {
      const std::int64_t suite = ids.integer(0).value_or(0);
      auto head = TRY(RowReader<SuiteProcess>::make(db_, "suite", {}, "id", suite));
      if (!TRY(head.next())) return db_.damaged("a suite was removed while it was read");
      SuiteProcess process = std::move(head.row());
      process.bricks = TRY(read_rows<profile::SuiteBrick>(db_, "suite_brick", "suite", suite));
      TRY(read_runs(db_, suite, process));
      process.chains = TRY(read_rows<profile::ChainRun>(db_, "chain_run", "suite", suite));
      process.lost = TRY(read_rows<profile::LostBrick>(db_, "lost_brick", "suite", suite));
      out.push_back(std::move(process));
    }
    return out;
  }();
  (void)db_.run("ROLLBACK");
  return all;
}

Result<std::vector<std::string>> Store::suite_points() const {
  Statement s = TRY(db_.prepare("SELECT point FROM suite GROUP BY point ORDER BY min(id)"));
  std::vector<std::string> out;
  while (TRY(s.step())) out.emplace_back(s.text(0));
  return out;
}

}  // namespace ridge::store
