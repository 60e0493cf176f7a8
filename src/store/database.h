// SPDX-License-Identifier: Apache-2.0
// Connection to one run database, an SQLite file or a PostgreSQL server, whose content is
// untrusted.
//
//   Database db = TRY(Database::open("runs.db", Access::kRead, {}));
//   Statement rows = TRY(db.prepare("SELECT id, path FROM run WHERE id > ?"));
//   rows.bind(1, std::int64_t{3});
//   while (TRY(rows.step())) use(rows.integer(0), rows.text(1));
//
// SQL is SQLite's; what differs in PostgreSQL is rewritten (postgres/sql.h). Every failure becomes
// an Error that names the database. A file may claim more rows than it has bytes, a server may send
// rows without end: both end with the error of a damaged store (sqlite/connection.h,
// postgres/connection.h).
// Ownership: Database owns the connection, Statement the compiled statement; a Statement must not
// outlive its Database. Thread rule: one thread per Database; other programs may have the same one
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
#include "store/connection.h"

namespace ridge::store {

/// Default time to wait for other programs that write to the same database.
inline constexpr Nanos kPatience{10'000'000'000};

class Statement {
 public:
  explicit Statement(std::unique_ptr<Cursor> cursor) : cursor_(std::move(cursor)) {}

  /// Parameters count from 1. Text is copied. NaN is bound as NULL.
  void bind(int at, std::int64_t value) { cursor_->bind(at, value); }
  void bind(int at, double value) { cursor_->bind(at, value); }
  void bind(int at, std::string_view text) { cursor_->bind(at, text); }
  void bind_null(int at) { cursor_->bind_null(at); }

  /// Advances to the next row; false after the last one.
  Result<bool> step() { return cursor_->step(); }
  /// Executes a statement that returns no rows, then resets it so that it can be bound again.
  Result<void> run();
  void reset() { cursor_->reset(); }

  /// Columns count from 0. A value of another type reads as nullopt or as empty text.
  std::optional<std::int64_t> integer(int column) const { return cursor_->integer(column); }
  std::optional<double> real(int column) const { return cursor_->real(column); }
  /// Valid until the next step.
  std::string_view text(int column) const { return cursor_->text(column).value_or(""); }
  bool is_text(int column) const { return cursor_->text(column).has_value(); }
  bool is_null(int column) const { return cursor_->is_null(column); }

 private:
  std::unique_ptr<Cursor> cursor_;
};

class Database {
 public:
  /// `name`: path of a file, or URI of a server (source.h). Errors: no database, truncated,
  /// missing, cannot be opened, the server cannot be reached or refuses the login.
  static Result<Database> open(const std::string& name, Access access, Nanos patience);
  /// Opens an empty SQLite database in memory.
  static Result<Database> in_memory();

  Result<Statement> prepare(const std::string& sql) const;
  /// For rows that repeat texts of other tables: one row in the file, many in the result.
  Result<Statement> prepare_joined(const std::string& sql) const;
  /// Executes one or several statements without parameters; result rows are discarded.
  Result<void> run(const std::string& sql) const { return connection_->run(sql); }
  /// First column of the first row; 0 where it is not an integer. Error: there is no row.
  Result<std::int64_t> number(const std::string& sql) const;

  Error damaged(std::string_view why) const { return connection_->damaged(why); }
  const std::string& path() const { return connection_->name(); }
  Connection& connection() const { return *connection_; }

 private:
  explicit Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
  std::unique_ptr<Connection> connection_;
};

/// Transaction: rolled back at the end of the scope unless committed.
class Transaction {
 public:
  /// To write. SQLite takes the write lock now, so that two programs queue up rather than fail
  /// half-way; on a server those that append do not wait for each other.
  static Result<Transaction> begin(const Database& database, Purpose purpose = Purpose::kAppend);
  /// To read: all statements see the database as it was at the first, whatever others write.
  static Result<Transaction> snapshot(const Database& database) {
    return begin(database, Purpose::kRead);
  }
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

/// Executes `write`, a function that returns a Result, in a transaction; again from its start where
/// the server was lost on the way and has come back. What it appends must be recognized by its
/// content, since a commit whose answer was lost may have been done.
template <typename Write>
auto in_transaction(const Database& database, Purpose purpose, Write write) -> decltype(write()) {
  const auto attempt = [&]() -> decltype(write()) {
    Transaction transaction = TRY(Transaction::begin(database, purpose));
    auto done = write();
    if (done.ok()) TRY(transaction.commit());
    return done;
  };
  for (;;) {
    auto done = attempt();
    if (done.ok() || !database.connection().lost()) return done;
    TRY(database.connection().reconnect());
  }
}

}  // namespace ridge::store
