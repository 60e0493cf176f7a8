#include "import/sqlite_reader.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/text.h"

namespace ridge::imports {
namespace {

/// Virtual machine steps of one query, in units of kStepUnit: about half a minute.
constexpr int kStepUnit = 1'000'000, kSteps = 4'000;
constexpr int kLongestText = 16 << 20;

/// SQLite's progress handler: the query goes on while it returns 0.
int count_down(void* left) { return --*static_cast<int*>(left) < 0 ? 1 : 0; }

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

Statement prepare(sqlite3* file, const std::string& query) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(file, query.c_str(), static_cast<int>(query.size()), &statement, nullptr);
  return Statement(statement);
}

Error damaged(sqlite3* file) {
  return input_error("RIDGE-IMP-0050", "the SQLite file cannot be read")
      .evidence(printable(sqlite3_errmsg(file)))
      .hint("it may be cut off; export it again");
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

Result<SqliteReader> SqliteReader::open(const std::string& path) {
  sqlite3* raw = nullptr;
  const int status =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteReader reader(raw);
  if (raw == nullptr || status != SQLITE_OK) return damaged(raw);
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kLongestText);
  sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  // The first query reads the schema: it fails where the file is none of SQLite's.
  if (Result<void> schema = reader.rows("SELECT count(*) FROM sqlite_master", [](const Row&) {});
      !schema.ok())
    return std::move(schema).error();
  return reader;
}

Result<void> SqliteReader::rows(const std::string& query,
                                const std::function<void(const Row&)>& each) const {
  const Statement statement = prepare(file_.get(), query);
  if (statement == nullptr) return damaged(file_.get());
  int left = kSteps;
  sqlite3_progress_handler(file_.get(), kStepUnit, count_down, &left);
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(statement.get())) == SQLITE_ROW) each(Row(statement.get()));
  sqlite3_progress_handler(file_.get(), 0, nullptr, nullptr);
  if (status == SQLITE_INTERRUPT)
    return input_error("RIDGE-IMP-0051", "a table of the SQLite file takes too long to read")
        .hint("export a shorter recording");
  if (status != SQLITE_DONE) return damaged(file_.get());
  return {};
}

bool SqliteReader::found(const std::string& query, std::string_view first,
                         std::string_view second) const {
  const Statement statement = prepare(file_.get(), query);
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

bool SqliteReader::has(std::string_view table, std::string_view column) const {
  return has(table) && found("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", table, column);
}

std::string SqliteReader::column(std::string_view table, std::string_view column) const {
  return has(table, column) ? fmt::format("\"{}\"", column) : "NULL";
}

}  // namespace ridge::imports
