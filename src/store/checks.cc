// SPDX-License-Identifier: Apache-2.0
// Checked findings in a store.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "store/content.h"
#include "store/rows.h"
#include "store/store.h"

namespace ridge::store {
namespace {

using profile::CheckedFinding;

/// Digest of every member, by the columns of the tables.
std::string finding_content(const CheckedFinding& check) {
  ContentDigest d;
  d.add_row(check);
  d.integer(std::ssize(check.nodes));
  for (const std::uint32_t node : check.nodes) d.integer(node);
  return d.hex();
}

Result<void> write_nodes(const Database& db, std::int64_t id, const CheckedFinding& check) {
  auto rows = TRY(RowWriter<CheckedNode>::make(db, "checked_node", {"checked"}));
  for (const std::uint32_t node : check.nodes) TRY(rows.add({id}, {node}));
  return rows.done();
}

/// Reads every check, in the order in which they were stored, with one statement for each table:
/// what a damaged file can claim is bounded for all of them together (store/database.h).
Result<std::vector<CheckedFinding>> read_all_checks(const Database& db) {
  std::vector<CheckedFinding> all;
  std::unordered_map<std::int64_t, std::size_t> position;  // in `all`, by id
  auto heads = TRY(RowReader<CheckedFinding>::make_all(db, "checked_finding", {"id"}));
  while (TRY(heads.next())) {
    position[heads.key(0)] = all.size();
    all.push_back(std::move(heads.row()));
  }
  auto nodes = TRY(RowReader<CheckedNode>::make_all(db, "checked_node", {"checked", "node"}));
  while (TRY(nodes.next())) {
    const auto found = position.find(nodes.key(0));
    if (found == position.end())
      return db.damaged(
          fmt::format("table checked_node refers to check {}, which does not exist", nodes.key(0)));
    all[found->second].nodes.push_back(nodes.row().node);
  }
  for (const auto& [id, at] : position)
    TRY(check_content(db, "checked_finding", id, finding_content(all[at])));
  return all;
}

}  // namespace

Result<bool> Store::append(const CheckedFinding& check) {
  CheckedFinding kept = check;
  std::ranges::sort(kept.nodes);
  kept.nodes.erase(std::ranges::unique(kept.nodes).begin(), kept.nodes.end());
  const std::string content = finding_content(kept);
  const Appended stored = TRY(
      append_once(db_, "checked_finding", content, [&]() -> Result<std::optional<std::int64_t>> {
        const auto id = TRY(write_with_content(db_, "checked_finding", content, kept));
        if (id) TRY(write_nodes(db_, *id, kept));
        return id;
      }));
  return stored.added;
}

Result<std::vector<CheckedFinding>> Store::checked_findings() const {
  const Transaction seen = TRY(snapshot());
  std::vector<CheckedFinding> all = TRY(read_all_checks(db_));
  // Sorted here, not by SQLite, which would read a table that a damaged file repeats forever before
  // it returns the first row.
  std::ranges::stable_sort(all, {}, &CheckedFinding::recorded_s);
  return all;
}

}  // namespace ridge::store
