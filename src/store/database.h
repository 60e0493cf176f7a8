// One SQLite file, opened with care: what it holds is hostile until read.
//
//   Database db = TRY(Database::open("runs.db", Access::kRead, {}));
//   Statement rows = TRY(db.prepare("SELECT id, path FROM run WHERE id > ?"));
//   rows.bind(1, std::int64_t{3});
//   while (TRY(rows.step())) use(rows.integer(0), rows.text(1));
//
// Every failure of SQLite becomes an Error of ours that names the file (fail()). A file may claim
// more rows than it has bytes (pages that several rows share, rings of pages); a statement that
// reads more than the file could hold ends with the error of a damaged file, in whatever way the
// file was opened, unless it was made here. No triggers, views or functions of the file's own
// schema are ever run.
// Ownership: Database owns the connection, Statement what was compiled; a Statement must not
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

struct sqlite3;
struct sqlite3_stmt;

namespace ridge::store {

enum class Access : std::uint8_t {
  kRead,    ///< must be there, is not changed
  kWrite,   ///< must be there
  kCreate,  ///< is made where it is not there, or is empty
};

/// How long to wait for other programs that write to the same file.
inline constexpr Nanos kPatience{10'000'000'000};

/// The first 16 bytes of an SQLite file.
inline constexpr std::string_view kMagic{"SQLite format 3\0", 16};

/// True where the file begins as an SQLite file. False for what cannot be read, too.
bool begins_as_database(const std::string& path);

class Database;

class Statement {
 public:
  Statement(Statement&&) noexcept = default;
  Statement& operator=(Statement&&) noexcept = default;

  /// Parameters count from 1. Text is borrowed until the next step or reset.
  void bind(int at, std::int64_t value);
  void bind(int at, double value);
  void bind(int at, std::string_view text);
  void bind_null(int at);

  /// True: a row is there.
  Result<bool> step();
  /// For statements that give no rows; ready to be bound again.
  Result<void> run();
  void reset();

  /// Columns count from 0. What has another type than asked for reads as nullopt or as empty text.
  std::optional<std::int64_t> integer(int column) const;
  std::optional<double> real(int column) const;
  std::string_view text(int column) const;  ///< until the next step
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
  std::int64_t used_ = 0;  ///< bytes that the rows so far must have taken in the file
};

class Database {
 public:
  /// Errors: no SQLite file, cut short, not there, not to be opened.
  static Result<Database> open(const std::string& path, Access access, Nanos patience);
  /// Of no file; for comparison.
  static Result<Database> in_memory();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Result<Statement> prepare(const std::string& sql) const;
  /// One or several statements without parameters and without rows.
  Result<void> run(const std::string& sql) const;
  /// The first column of the first row.
  Result<std::int64_t> number(const std::string& sql) const;

  /// What SQLite has just reported, as an Error of ours.
  Error fail() const;
  Error damaged(std::string_view why) const;
  const std::string& path() const;
  /// Rows that were changed by the last statement.
  std::int64_t changes() const;
  std::int64_t last_id() const;

 private:
  friend class Statement;
  struct State;
  explicit Database(std::unique_ptr<State> state);
  /// Path "": of no file.
  static Result<Database> connect(const std::string& path, Access access, Nanos patience,
                                  std::string_view parameters);
  std::unique_ptr<State> state_;
};

/// All or nothing: what is not committed is undone at the end of the scope. Begins as a writer, so
/// that two programs queue up rather than fail half-way.
class Transaction {
 public:
  static Result<Transaction> begin(const Database& database);
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
