// SPDX-License-Identifier: Apache-2.0
#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "base/text.h"
#include "store/header.h"

namespace ridge::store {
namespace {

/// Instructions of SQLite's virtual machine between two checks of the budget.
constexpr int kInstructions = 10'000;
/// Instruction budget of a statement: a fixed part plus a part per byte of the file. A statement
/// that reads the whole file once needs less.
constexpr std::int64_t kInstructionsPerByte = 100, kInstructionsAtLeast = 1'000'000;

/// Size of a file in bytes; 0 where it is missing.
std::int64_t bytes_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_size : 0;
}

/// SQLite URI of a path. The path is taken literally: '?', '#' and '%' are escaped, and ":memory:"
/// is an ordinary file name. An empty path gives a database in memory.
std::string uri_of(const std::string& path, std::string_view parameters) {
  if (path.empty()) return "file::memory:";
  std::string out = path.starts_with('/') ? "file://" : "file:./";
  for (const char c : path)
    out += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02x}", c) : std::string(1, c);
  return out + std::string(parameters);
}

}  // namespace

struct Database::State {
  std::string path;
  sqlite3* handle = nullptr;
  bool bounded = false;           ///< the file was not empty when it was opened: budgets apply
  std::int64_t bytes = 0;         ///< size of the file and of its write-ahead log (WAL)
  mutable std::int64_t left = 0;  ///< remaining instructions of the running statement

  ~State() { sqlite3_close(handle); }

  /// Updates `bytes`, since this program or another may have extended the file. Returns the growth.
  std::int64_t look_again() {
    const std::int64_t before = bytes;
    if (!path.empty()) bytes = std::max(bytes, bytes_of(path) + bytes_of(path + "-wal"));
    return bytes - before;
  }

  /// Progress handler of SQLite: a nonzero result interrupts the statement.
  static int spend(void* of) {
    auto& state = *static_cast<State*>(of);
    state.left -= kInstructions;
    if (state.left < 0) state.left += kInstructionsPerByte * state.look_again();
    return state.left < 0 ? 1 : 0;
  }
};

// Statement

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(const Database& database, sqlite3_stmt* statement)
    : database_(&database), statement_(statement), columns_(sqlite3_column_count(statement)) {}

void Statement::bind(int at, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), at, value);
}
void Statement::bind(int at, double value) {
  if (std::isnan(value)) return bind_null(at);
  sqlite3_bind_double(statement_.get(), at, value);
}
void Statement::bind(int at, std::string_view text) {
  const char* bytes = text.data() ? text.data() : "";
  sqlite3_bind_text64(statement_.get(), at, bytes, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}
void Statement::bind_null(int at) { sqlite3_bind_null(statement_.get(), at); }

Result<void> Statement::charge() {
  used_ += columns_;
  for (int i = 0; i < columns_; ++i) {
    if (sqlite3_column_type(statement_.get(), i) != SQLITE_TEXT) continue;
    if (sqlite3_column_text(statement_.get(), i) == nullptr) return database_->fail();
    used_ += sqlite3_column_bytes(statement_.get(), i);
  }
  // A row takes at least one byte per column plus its texts.
  Database::State& state = *database_->state_;
  if (!state.bounded || used_ / repeats_ <= state.bytes) return {};
  state.look_again();
  if (used_ / repeats_ <= state.bytes) return {};
  return database_->damaged("its rows need more bytes than the file has");
}

Result<bool> Statement::step() {
  Database::State& state = *database_->state_;
  if (!sqlite3_stmt_busy(statement_.get())) {
    used_ = 0;
    state.left = kInstructionsAtLeast + kInstructionsPerByte * state.bytes;
  }
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_DONE) return false;
  if (code != SQLITE_ROW) return database_->fail();
  TRY(charge());
  return true;
}

Result<void> Statement::run() {
  const Result<bool> row = step();
  if (!row.ok()) {
    Error error = row.error();
    reset();
    return error;
  }
  reset();
  return {};
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

std::optional<std::int64_t> Statement::integer(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<double> Statement::real(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) return "";
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes ? std::string_view(bytes, static_cast<std::size_t>(size)) : std::string_view();
}

bool Statement::is_text(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

// Database

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

const std::string& Database::path() const { return state_->path; }
std::int64_t Database::changes() const { return sqlite3_changes64(state_->handle); }
std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(state_->handle); }

Error Database::damaged(std::string_view why) const {
  return input_error("RIDGE-STORE-0004", "the store is damaged")
      .evidence(std::string(why))
      .hint("restore it from a backup, or recover the readable rows: sqlite3 FILE .recover")
      .in_file(path());
}

Error Database::fail() const {
  // SQLite calls a page damaged that the medium cannot give it.
  const bool unreadable = errno == EIO || errno == ENXIO;
  const std::string words = sqlite3_errmsg(state_->handle);
  const int code = sqlite3_errcode(state_->handle) & 0xff;
  switch (code == SQLITE_CORRUPT && unreadable ? SQLITE_IOERR : code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return environment_error("RIDGE-STORE-0006", "another program is writing to the store")
          .hint(
              "wait until it has finished, or give each program a store of its own and put them "
              "together with ridge runs merge")
          .in_file(path());
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return environment_error("RIDGE-STORE-0007", "the store cannot be written")
          .evidence(words)
          .hint("you need permission to write the file and its folder")
          .in_file(path());
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return environment_error("RIDGE-STORE-0008", "reading or writing the store failed")
          .evidence(code == SQLITE_CORRUPT ? "Input/output error" : words)
          .hint("look at the free space of the disk; runs stored before are not touched")
          .in_file(path());
    case SQLITE_NOMEM:
      return environment_error("RIDGE-STORE-0009", "out of memory in the store").in_file(path());
    case SQLITE_INTERRUPT:
      return damaged("reading it takes more steps than its size justifies");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_SCHEMA:
    case SQLITE_CONSTRAINT:
      return damaged(words);
    default:
      return bug(words, "store::Database").in_file(path());
  }
}

Result<Database> Database::connect(const std::string& path, Access access, Nanos patience,
                                   std::string_view parameters) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->bounded = state->look_again() > 0;
  // One thread has it (database.h): a lock for each value of a row would take a fifth of the time.
  const int flags = SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX |
                    (access == Access::kRead    ? SQLITE_OPEN_READONLY
                     : access == Access::kWrite ? SQLITE_OPEN_READWRITE
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  const int code =
      sqlite3_open_v2(uri_of(path, parameters).c_str(), &state->handle, flags, nullptr);
  Database db(std::move(state));
  if (code != SQLITE_OK) return db.fail();
  sqlite3* handle = db.state_->handle;
  sqlite3_busy_timeout(handle, static_cast<int>(patience.count / 1'000'000));
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 28);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  if (db.state_->bounded)
    sqlite3_progress_handler(handle, kInstructions, State::spend, db.state_.get());
  TRY(db.run("PRAGMA cell_size_check = ON"));
  return db;
}

Result<Database> Database::open(const std::string& path, Access access, Nanos patience) {
  TRY(check_header(path, access));
  Result<Database> db = connect(path, access, patience, "");
  if (!db.ok()) return std::move(db).error();
  if (access == Access::kRead && !db->number("PRAGMA schema_version").ok()) {
    // Readers of a database in WAL mode create files beside it. Where the folder is not writable,
    // the file is opened as immutable: it is complete as long as its WAL is empty.
    const int code = sqlite3_errcode(db->state_->handle) & 0xff;
    const bool denied = code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_PERM;
    if (!denied || bytes_of(path + "-wal") > 0) return db->fail();
    return connect(path, access, patience, "?immutable=1");
  }
  // WAL: readers and one writer do not wait for each other, and a killed writer leaves no partial
  // transaction. FULL: a committed run is on the disk.
  if (access != Access::kRead) {
    TRY(db->run("PRAGMA journal_mode = WAL"));
    TRY(db->run("PRAGMA synchronous = FULL"));
  }
  return db;
}

Result<Database> Database::in_memory() { return connect("", Access::kCreate, kPatience, ""); }

Result<Statement> Database::prepare(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  state_->left = kInstructionsAtLeast + kInstructionsPerByte * state_->bytes;
  const int code = sqlite3_prepare_v2(state_->handle, sql.c_str(), static_cast<int>(sql.size() + 1),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return fail();
  return Statement(*this, statement);
}

Result<Statement> Database::prepare_joined(const std::string& sql) const {
  Statement out = TRY(prepare(sql));
  out.repeats_ = 16 * Statement::kRepeats;
  return out;
}

Result<void> Database::run(const std::string& sql) const {
  state_->left = kInstructionsAtLeast + kInstructionsPerByte * state_->bytes;
  if (sqlite3_exec(state_->handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return fail();
  return {};
}

Result<std::int64_t> Database::number(const std::string& sql) const {
  Statement statement = TRY(prepare(sql));
  if (!TRY(statement.step())) return damaged("a table that must have a row is empty");
  return statement.integer(0).value_or(0);
}

// Transaction

Result<Transaction> Transaction::begin(const Database& database) {
  TRY(database.run("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Result<Transaction> Transaction::snapshot(const Database& database) {
  TRY(database.run("BEGIN"));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_) (void)database_->run("ROLLBACK");
}

Result<void> Transaction::commit() {
  TRY(database_->run("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace ridge::store
