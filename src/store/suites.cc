// SPDX-License-Identifier: Apache-2.0
// Suites of bricks in a store.
#include <fmt/format.h>

#include <set>
#include <unordered_map>
#include <utility>

#include "store/content.h"
#include "store/rows.h"
#include "store/store.h"

namespace ridge::store {
namespace {

using profile::SuiteProcess;

/// Digest of every member, by the columns of the tables.
std::string suite_content(const SuiteProcess& process) {
  ContentDigest d;
  d.add_row(process);
  d.add_rows(process.bricks);
  for (const profile::SuiteBrick& brick : process.bricks) d.add_rows(brick.runs);
  d.add_rows(process.chains);
  d.add_rows(process.lost);
  return d.hex();
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
  return runs.done();
}

/// Rows of table suite at one point.
constexpr std::string_view kAtPoint = "suite IN (SELECT id FROM suite WHERE point = ?)";

/// Reads all processes of a point, with one statement for each table: what a damaged file can claim
/// is bounded for all of them together (store/database.h).
class PointReader {
 public:
  PointReader(const Database& db, std::string_view point) : db_(db), point_(point) {}

  Result<std::vector<SuiteProcess>> read() {
    auto heads =
        TRY(RowReader<SuiteProcess>::make_where(db_, "suite", {"id"}, "point = ?", point_));
    while (TRY(heads.next())) {
      position_[heads.key(0)] = all_.size();
      all_.push_back(std::move(heads.row()));
    }
    TRY(read_list("suite_brick", &SuiteProcess::bricks));
    TRY(read_runs());
    TRY(read_list("chain_run", &SuiteProcess::chains));
    TRY(read_list("lost_brick", &SuiteProcess::lost));
    for (const auto& [id, at] : position_)
      TRY(check_content(db_, "suite", id, suite_content(all_[at])));
    return std::move(all_);
  }

 private:
  template <typename Row>
  Result<void> read_list(std::string_view table, std::vector<Row> SuiteProcess::*list) {
    auto rows =
        TRY(RowReader<Row>::make_where(db_, table, {"suite", "position"}, kAtPoint, point_));
    while (TRY(rows.next())) {
      SuiteProcess* process = TRY(find(table, rows.key(0)));
      TRY(append(table, process->*list, rows.key(1), std::move(rows.row())));
    }
    return {};
  }

  Result<void> read_runs() {
    auto rows = TRY(RowReader<profile::BrickRun>::make_where(
        db_, "brick_run", {"suite", "brick", "position"}, kAtPoint, point_));
    while (TRY(rows.next())) {
      std::vector<profile::SuiteBrick>& bricks = TRY(find("brick_run", rows.key(0)))->bricks;
      const std::int64_t brick = rows.key(1);
      if (brick < 0 || brick >= std::ssize(bricks)) return missing("brick_run", "brick", brick);
      TRY(append("brick_run", bricks[static_cast<std::size_t>(brick)].runs, rows.key(2),
                 rows.row()));
    }
    return {};
  }

  Result<SuiteProcess*> find(std::string_view table, std::int64_t suite) {
    const auto found = position_.find(suite);
    if (found == position_.end()) return missing(table, "suite", suite);
    return &all_[found->second];
  }

  /// Positions count from 0 without gaps: runs refer to bricks by position.
  template <typename Row>
  Result<void> append(std::string_view table, std::vector<Row>& list, std::int64_t position,
                      Row row) {
    if (position != std::ssize(list))
      return db_.damaged(fmt::format("table {} lacks position {}", table, list.size()));
    list.push_back(std::move(row));
    return {};
  }

  Error missing(std::string_view table, std::string_view what, std::int64_t id) const {
    return db_.damaged(
        fmt::format("table {} refers to {} {}, which does not exist", table, what, id));
  }

  const Database& db_;
  std::string_view point_;
  std::vector<SuiteProcess> all_;
  std::unordered_map<std::int64_t, std::size_t> position_;  // in all_, by id
};

}  // namespace

Result<bool> Store::append(const SuiteProcess& process) {
  const std::string content = suite_content(process);
  const Appended kept =
      TRY(append_once(db_, "suite", content, [&]() -> Result<std::optional<std::int64_t>> {
        const auto suite = TRY(write_with_content(db_, "suite", content, process));
        if (!suite) return suite;
        TRY(write_rows(db_, "suite_brick", "suite", *suite, process.bricks));
        TRY(write_runs(db_, *suite, process));
        TRY(write_rows(db_, "chain_run", "suite", *suite, process.chains));
        TRY(write_rows(db_, "lost_brick", "suite", *suite, process.lost));
        return suite;
      }));
  return kept.added;
}

Result<std::vector<SuiteProcess>> Store::suites(std::string_view point) const {
  const Transaction seen = TRY(snapshot());
  return PointReader(db_, point).read();
}

Result<std::vector<std::string>> Store::suite_points() const {
  Statement rows = TRY(db_.prepare("SELECT point FROM suite ORDER BY id"));
  std::set<std::string> known;
  std::vector<std::string> out;
  while (TRY(rows.step())) {
    if (!rows.is_text(0)) return db_.damaged("table suite: column point: text expected");
    std::string point(rows.text(0));
    if (known.insert(point).second) out.push_back(std::move(point));
  }
  return out;
}

}  // namespace ridge::store
