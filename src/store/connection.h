// SPDX-License-Identifier: Apache-2.0
// Interface of a kind of database, for Database, Statement and Transaction (database.h): one class
// of each for SQLite files (sqlite/) and for PostgreSQL servers (postgres/).
//
// SQL is written once, as SQLite takes it, with parameters `?` in order; the connection to a server
// rewrites the phrases in which PostgreSQL differs (postgres/sql.h). Every failure becomes an Error
// that names the database. Thread rule: one thread per Connection.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "record/columns.h"

namespace ridge::store {

/// A statement with its parameters, then the row of its answer that it is at.
class Cursor {
 public:
  virtual ~Cursor() = default;

  /// Parameters count from 1. Text is copied. NaN is bound as NULL.
  virtual void bind(int at, std::int64_t value) = 0;
  virtual void bind(int at, double value) = 0;
  virtual void bind(int at, std::string_view text) = 0;
  virtual void bind_null(int at) = 0;

  /// Advances to the next row; false after the last one.
  virtual Result<bool> step() = 0;
  virtual void reset() = 0;

  /// Columns count from 0. A value of another type is nullopt.
  virtual bool is_null(int column) const = 0;
  virtual std::optional<std::int64_t> integer(int column) const = 0;
  virtual std::optional<double> real(int column) const = 0;
  /// Valid until the next step.
  virtual std::optional<std::string_view> text(int column) const = 0;
};

/// Adds rows to one table: the values of each in the order of the columns, then end_row().
class RowLoader : public record::RowSink {
 public:
  virtual Result<void> end_row() = 0;
  /// Until it returned, rows may be missing from the table.
  virtual Result<void> done() = 0;
};

/// Purpose of a transaction.
enum class Purpose : std::uint8_t {
  kRead,    ///< all statements see the database as it was at the first, whatever others write
  kAppend,  ///< rows are added
  kRemove,  ///< rows are removed or tables changed: nobody else writes meanwhile
};

/// Facts about the tables of a database.
struct Mark {
  std::int64_t version = 0;  ///< 0: no version of a store's tables has been made
  std::int64_t tables = 0;   ///< entries of its schema
};

class Connection {
 public:
  virtual ~Connection() = default;

  /// Path of the file, or URI of the server.
  virtual const std::string& name() const = 0;

  /// `joined`: rows repeat texts of other tables, so they may be many times what is stored.
  virtual Result<std::unique_ptr<Cursor>> prepare(const std::string& sql, bool joined) = 0;
  /// Executes one or several statements without parameters; result rows are discarded.
  virtual Result<void> run(const std::string& sql) = 0;
  /// `columns`: "run, position, name".
  virtual Result<std::unique_ptr<RowLoader>> load(std::string_view table, std::string_view columns,
                                                  int count) = 0;
  virtual Result<void> begin(Purpose purpose) = 0;

  /// Errors: a database of another program.
  virtual Result<Mark> mark() = 0;
  virtual Result<void> set_version(std::int64_t version) = 0;
  /// Checks that the tables are exactly the tables of `fresh`, a database in memory. Error:
  /// damaged.
  virtual Result<void> check_tables(Connection& fresh) = 0;

  virtual Error damaged(std::string_view why) const = 0;
  /// True after the server went away; a file is never lost.
  virtual bool lost() const { return false; }
  /// Connects again, waiting for a server that restarts for as long as for other writers.
  virtual Result<void> reconnect() { return {}; }

  /// Text that is another one once somebody else changed the database; never one that was before.
  /// nullopt where that cannot be told.
  virtual Result<std::optional<std::string>> state() = 0;
};

}  // namespace ridge::store
