// SPDX-License-Identifier: Apache-2.0
// Connection to one SQLite file whose content is untrusted.
//
//   Database db = TRY(Database::open("runs.db", Access::kRead, {}));
//   Statement rows = TRY(db.prepare("SELECT id, path FROM run WHERE id > ?"));
//   rows.bind(1, std::int64_t{3});
//   while (TRY(rows.step())) use(rows.integer(0), rows.text(1));
//
// Every SQLite failure becomes an Error that names the file (fail()). A file may claim more rows
// than it has bytes (pages that several rows share, rings of pages); a statement that reads more
// than the file could hold ends with the error of a damaged file. This limit applies in every
// access mode, except to a file that was absent or empty when it was opened. Triggers, views and
// functions of the file's own schema are never executed.
// Ownership: Database owns the connection, Statement the compiled statement; a Statement must not
// outlive its Database. Thread rule: one thread per Database; other programs may have the same file
// open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "store/access.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ridge::store {

/// Default time to wait for other programs that write to the same file.
inline constexpr Nanos kPatience{10'000'000'000};

class Database;

class Statement {
  /// Allows for columns of a joined row, which is in the file only once.
  static constexpr std::int64_t kRepeats = 4;

 public:
  Statement(Statement&&) noexcept = default;
  Statement& operator=(Statement&&) noexcept = default;

  /// Parameters count from 1. Text is copied. NaN is bound as NULL.
  void bind(int at, std::int64_t value);
  void bind(int at, double value);
  void bind(int at, std::string_view text);
  void bind_null(int at);

  /// Advances to the next row; false after the last one.
  Result<bool> step();
  /// Executes a statement that returns no rows, then resets it so that it can be bound again.
  Result<void> run();
  void reset();

  /// Columns count from 0. A value of another type reads as nullopt or as empty text.
  std::optional<std::int64_t> integer(int column) const;
  std::optional<double> real(int column) const;
  std::string_view text(int column) const;  ///< valid until the next step
  bool is_text(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(const Database& database, sqlite3_stmt* statement);
  Result<void> charge();

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int columns_ = 0;
  std::int64_t used_ = 0;            ///< bytes that the rows read so far need in the file
  std::int64_t repeats_ = kRepeats;  ///< times that a byte of the file may be in the rows
};

class Database {
 public:
  /// Errors: not an SQLite file, truncated, missing, cannot be opened.
  static Result<Database> open(const std::string& path, Access access, Nanos patience);
  /// Opens an empty database in memory.
  static Result<Database> in_memory();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Result<Statement> prepare(const std::string& sql) const;
  /// For rows that repeat texts of other tables: one row in the file, many in the result. They may
  /// have 64 times the bytes of the file, other rows 4 times.
  Result<Statement> prepare_joined(const std::string& sql) const;
  /// Executes one or several statements without parameters; result rows are discarded.
  Result<void> run(const std::string& sql) const;
  /// First column of the first row; 0 where it is not an integer. Error: there is no row.
  Result<std::int64_t> number(const std::string& sql) const;

  /// Converts the last error that SQLite reported to an Error.
  Error fail() const;
  Error damaged(std::string_view why) const;
  const std::string& path() const;
  /// Number of rows that the last statement changed.
  std::int64_t changes() const;
  std::int64_t last_id() const;

 private:
  friend class Statement;
  struct State;
  explicit Database(std::unique_ptr<State> state);
  /// An empty path opens a database in memory.
  static Result<Database> connect(const std::string& path, Access access, Nanos patience,
                                  std::string_view parameters);
  std::unique_ptr<State> state_;
};

/// Transaction: rolled back at the end of the scope unless committed.
class Transaction {
 public:
  /// To write. Takes the write lock now, so that two programs queue up rather than fail half-way.
  static Result<Transaction> begin(const Database& database);
  /// To read: all statements see the database as it was at the first, whatever others write.
  static Result<Transaction> snapshot(const Database& database);
  Transaction(Transaction&& other) noexcept : database_(other.database_) {
    other.database_ = nullptr;
  }
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Result<void> commit();

 private:
  explicit Transaction(const Database& database) : database_(&database) {}
  const Database* database_;
};

}  // namespace ridge::store
