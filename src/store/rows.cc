// SPDX-License-Identifier: Apache-2.0
#include "store/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::store {

std::vector<std::string> column_list(std::initializer_list<std::string_view> keys,
                                     std::initializer_list<const record::Type*> types) {
  std::vector<std::string> out(keys.begin(), keys.end());
  for (const record::Type* type : types)
    for (record::Column& c : record::columns(*type)) out.push_back(std::move(c.name));
  return out;
}

Result<Statement> insert_into(const Database& db, std::string_view table,
                              std::initializer_list<std::string_view> keys,
                              std::initializer_list<const record::Type*> types) {
  const std::vector<std::string> names = column_list(keys, types);
  const std::vector<std::string_view> places(names.size(), "?");
  return db.prepare(
      fmt::format("INSERT INTO {}({}) VALUES ({}) ON CONFLICT DO NOTHING RETURNING id", table,
                  fmt::join(names, ", "), fmt::join(places, ", ")));
}

Result<std::unique_ptr<RowLoader>> load_into(const Database& db, std::string_view table,
                                             std::initializer_list<std::string_view> keys,
                                             const record::Type& type) {
  const std::vector<std::string> names = column_list(keys, {&type});
  return db.connection().load(table, fmt::format("{}", fmt::join(names, ", ")),
                              static_cast<int>(names.size()));
}

Result<std::optional<std::int64_t>> insert(Statement& statement) {
  std::optional<std::int64_t> id;
  if (TRY(statement.step())) id = statement.integer(0);
  statement.reset();
  return id;
}

Result<Statement> select_from(const Database& db, std::string_view table,
                              std::initializer_list<std::string_view> keys,
                              const record::Type& type, std::string_view condition) {
  std::string sql = fmt::format("SELECT {} FROM {} WHERE {}",
                                fmt::join(column_list(keys, {&type}), ", "), table, condition);
  if (keys.size() > 0) sql += fmt::format(" ORDER BY {}", fmt::join(keys, ", "));
  return db.prepare(sql);
}

Result<void> take_row(const Database& db, std::string_view table, const Statement& statement,
                      int first, const record::Type& type, void* row) {
  const Result<void> read = record::read_row(type, StatementRow(statement), first, row);
  if (read.ok()) return {};
  return db.damaged(fmt::format("table {}: {}", table, read.error().message()));
}

Result<std::optional<std::int64_t>> first_id(Statement statement) {
  if (!TRY(statement.step())) return std::optional<std::int64_t>();
  return statement.integer(0);
}

Result<std::optional<std::int64_t>> id_of_content(const Database& db, std::string_view table,
                                                  const std::string& content) {
  Statement known = TRY(db.prepare(fmt::format("SELECT id FROM {} WHERE content = ?", table)));
  known.bind(1, std::string_view(content));
  return first_id(std::move(known));
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
