// SPDX-License-Identifier: Apache-2.0
#include "import/sqlite_reader.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <filesystem>
#include <system_error>

#include "base/text.h"

namespace ridge::imports {
namespace {

/// Virtual-machine instructions of SQLite between two checks of the budget.
constexpr int kInstructions = 10'000;
/// Limits on instructions of one query; reading a file once needs fewer per byte.
constexpr std::int64_t kInstructionsPerByte = 100, kInstructionsAtLeast = 1'000'000;
constexpr int kLongestText = 1 << 20;

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// SQLite interprets "file:..." and ":memory:" specially; "./" makes them paths.
std::string as_path(const std::string& path) { return path.starts_with('/') ? path : "./" + path; }

/// Size of a file; 0 if there is none.
std::int64_t size_of(const std::string& path) {
  std::error_code none;
  const auto bytes = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<std::int64_t>(bytes);
}

/// Lower bound on the bytes a row occupies in the file: one per column plus its texts.
std::int64_t bytes_of(sqlite3_stmt* row) {
  const int columns = sqlite3_column_count(row);
  std::int64_t out = columns;
  for (int i = 0; i < columns; ++i)
    if (const int type = sqlite3_column_type(row, i); type == SQLITE_TEXT || type == SQLITE_BLOB)
      out += sqlite3_column_bytes(row, i);
  return out;
}

/// True if a column has a number that no 64-bit integer holds: SQLite would cut it to the largest.
bool has_huge_number(sqlite3_stmt* row) {
  for (int i = 0; i < sqlite3_column_count(row); ++i)
    if (sqlite3_column_type(row, i) == SQLITE_FLOAT &&
        !(std::abs(sqlite3_column_double(row, i)) < 0x1p63))
      return true;
  return false;
}

}  // namespace

bool Row::null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::int64_t Row::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Row::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void SqliteReader::Close::operator()(sqlite3* file) const { sqlite3_close_v2(file); }

int SqliteReader::Budget::spend(void* budget) {
  auto& left = static_cast<Budget*>(budget)->left;
  left -= kInstructions;
  return left < 0 ? 1 : 0;
}

SqliteReader::SqliteReader(sqlite3* file, std::int64_t bytes)
    : budget_(std::make_unique<Budget>(Budget{.bytes = bytes})), file_(file) {
  sqlite3_progress_handler(file, kInstructions, Budget::spend, budget_.get());
}

Result<SqliteReader> SqliteReader::open(const std::string& path) {
  const std::string name = as_path(path);
  sqlite3* raw = nullptr;
  const int status =
      sqlite3_open_v2(name.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteReader reader(raw, size_of(name) + size_of(name + "-wal"));
  if (raw == nullptr || status != SQLITE_OK) return reader.failed();
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kLongestText);
  sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  // The first query reads the schema: it fails if the file is not a SQLite file.
  if (Result<void> schema = reader.rows("SELECT count(*) FROM sqlite_master", [](const Row&) {});
      !schema.ok())
    return std::move(schema).error();
  return reader;
}

Error SqliteReader::failed() const {
  if (sqlite3_errcode(file_.get()) == SQLITE_INTERRUPT)
    return input_error("RIDGE-IMP-0051",
                       "a table of the SQLite file takes longer to read than its size allows")
        .hint("it is damaged; export it again");
  return input_error("RIDGE-IMP-0050", "the SQLite file cannot be read")
      .evidence(printable(sqlite3_errmsg(file_.get())))
      .hint("it may be cut off; export it again");
}

/// Returns nullptr if the query or the file is faulty. Resets the budget, which covers preparing
/// and running the query.
sqlite3_stmt* SqliteReader::prepare(const std::string& query) const {
  budget_->left = kInstructionsAtLeast + kInstructionsPerByte * budget_->bytes;
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(file_.get(), query.c_str(), static_cast<int>(query.size()), &statement,
                     nullptr);
  return statement;
}

Result<void> SqliteReader::rows(const std::string& query,
                                const std::function<void(const Row&)>& each) const {
  const Statement statement(prepare(query));
  if (statement == nullptr) return failed();
  int status = SQLITE_ROW;
  std::int64_t used = 0;
  while ((status = sqlite3_step(statement.get())) == SQLITE_ROW) {
    used += bytes_of(statement.get());
    // Decoded texts may be longer than stored ones, and computed columns occupy no bytes: factor 4.
    if (used / 4 > budget_->bytes)
      return input_error("RIDGE-IMP-0054", "the rows of the SQLite file are larger than the file")
          .hint("it is damaged; export it again");
    if (has_huge_number(statement.get()))
      return input_error("RIDGE-IMP-0063", "a number of the SQLite file does not fit into 64 bits")
          .hint("it is damaged; export it again");
    each(Row(statement.get()));
  }
  if (status != SQLITE_DONE) return failed();
  return {};
}

bool SqliteReader::found(const std::string& query, std::string_view first,
                         std::string_view second) const {
  const Statement statement(prepare(query));
  if (statement == nullptr) return false;
  int place = 1;
  for (const std::string_view text : {first, second})
    if (!text.empty())
      sqlite3_bind_text(statement.get(), place++, text.data(), static_cast<int>(text.size()),
                        SQLITE_STATIC);
  return sqlite3_step(statement.get()) == SQLITE_ROW;
}

bool SqliteReader::has(std::string_view table) const {
  return found("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", table, {});
}

std::vector<std::string> SqliteReader::tables(std::string_view prefix) const {
  std::vector<std::string> out;
  const Statement statement(
      prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, length(?1)) "
              "= ?1 AND "
              "name <> ?1 AND instr(name, '\"') = 0 ORDER BY name"));
  if (statement == nullptr) return out;
  sqlite3_bind_text(statement.get(), 1, prefix.data(), static_cast<int>(prefix.size()),
                    SQLITE_STATIC);
  while (out.size() < kMaxTables && sqlite3_step(statement.get()) == SQLITE_ROW)
    out.emplace_back(Row(statement.get()).text(0));
  return out;
}

bool SqliteReader::has(std::string_view table, std::string_view column) const {
  return has(table) && found("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", table, column);
}

std::string SqliteReader::column(std::string_view table, std::string_view column) const {
  return has(table, column) ? fmt::format("\"{}\"", column) : "NULL";
}

}  // namespace ridge::imports
