// SPDX-License-Identifier: Apache-2.0
// Read-only access to an untrusted SQLite file.
//
//   SqliteReader file = TRY(SqliteReader::open(path));
//   if (file.has("StringIds")) TRY(file.rows("SELECT id, value FROM StringIds", [&](Row row) {
//     names[row.integer(0)] = row.text(1);
//   }));
//
// Defenses: tables are looked up in sqlite_master (views are not accepted), functions named by the
// schema are not called, the length of texts is limited, and a query is stopped once it executes
// more instructions, or returns more bytes, than the file size allows. Ownership: closes the file
// it opened. Thread rule: one thread. Errors (input class): RIDGE-IMP-0050, -0051, -0054.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ridge::imports {

/// Current row of a query; texts are valid until the next row.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  bool null(int column) const;
  /// 0 if it is null or not a number.
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;

 private:
  sqlite3_stmt* statement_;
};

class SqliteReader {
 public:
  static Result<SqliteReader> open(const std::string& path);

  bool has(std::string_view table) const;
  /// Tables whose name begins with `prefix`, except that name itself and names with quotes; sorted,
  /// at most kMaxTables.
  std::vector<std::string> tables(std::string_view prefix) const;
  static constexpr std::size_t kMaxTables = 8;
  bool has(std::string_view table, std::string_view column) const;
  /// Quoted `column` if the table has it, else "NULL", for columns that differ by version.
  std::string column(std::string_view table, std::string_view column) const;
  Result<void> rows(const std::string& query, const std::function<void(const Row&)>& each) const;

 private:
  struct Close {
    void operator()(sqlite3* file) const;
  };
  /// Limits of the running query.
  struct Budget {
    std::int64_t bytes = 0;  ///< size of the file
    std::int64_t left = 0;   ///< instructions left
    static int spend(void* budget);
  };
  SqliteReader(sqlite3* file, std::int64_t bytes);
  sqlite3_stmt* prepare(const std::string& query) const;
  Error failed() const;
  bool found(const std::string& query, std::string_view first, std::string_view second) const;

  std::unique_ptr<Budget> budget_;  // the progress handler of file_ points to it
  std::unique_ptr<sqlite3, Close> file_;
};

}  // namespace ridge::imports
