// SPDX-License-Identifier: Apache-2.0
#include "store/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::store {
namespace {

std::vector<std::string> with_keys(std::initializer_list<std::string_view> keys,
                                   const record::Type& type) {
  std::vector<std::string> out(keys.begin(), keys.end());
  for (record::Column& c : record::columns(type)) out.push_back(std::move(c.name));
  return out;
}

}  // namespace

Result<Statement> insert_into(const Database& db, std::string_view table,
                              std::initializer_list<std::string_view> keys,
                              const record::Type& type) {
  const std::vector<std::string> names = with_keys(keys, type);
  const std::vector<std::string_view> places(names.size(), "?");
  return db.prepare(fmt::format("INSERT INTO {}({}) VALUES ({})", table, fmt::join(names, ", "),
                                fmt::join(places, ", ")));
}

Result<Statement> select_from(const Database& db, std::string_view table,
                              std::initializer_list<std::string_view> keys,
                              const record::Type& type, std::string_view condition) {
  std::string sql = fmt::format("SELECT {} FROM {} WHERE {}",
                                fmt::join(with_keys(keys, type), ", "), table, condition);
  if (keys.size() > 0) sql += fmt::format(" ORDER BY {}", fmt::join(keys, ", "));
  return db.prepare(sql);
}

Result<void> take_row(const Database& db, std::string_view table, const Statement& statement,
                      int first, const record::Type& type, void* row) {
  const Result<void> read = record::read_row(type, StatementRow(statement), first, row);
  if (read.ok()) return {};
  return db.damaged(fmt::format("table {}: {}", table, read.error().message()));
}

Result<bool> has_content(const Database& db, std::string_view table, const std::string& content) {
  Statement known = TRY(db.prepare(fmt::format("SELECT id FROM {} WHERE content = ?", table)));
  known.bind(1, std::string_view(content));
  return known.step();
}

Result<void> check_content(const Database& db, std::string_view table, std::int64_t id,
                           const std::string& content) {
  Statement stored = TRY(db.prepare(fmt::format("SELECT content FROM {} WHERE id = ?", table)));
  stored.bind(1, id);
  if (TRY(stored.step()) && (stored.text(0) == content || stored.text(0).starts_with("1:")))
    return {};
  return db.damaged(fmt::format("{} {} is not what was stored: its digest differs", table, id));
}

}  // namespace ridge::store
