// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "store/errors.h"
#include "store/sqlite/header.h"

namespace ridge::store::sqlite {
namespace {

/// The characters "Rdgl".
constexpr std::int64_t kApplicationId = 0x5264676c;
/// The mark of programs from before the first release, in place of kApplicationId: the characters
/// "Rdge". Their versions 1 to 8 are no steps of schema_steps().
constexpr std::int64_t kBeforeRelease = 0x52646765;

/// Instructions of SQLite's virtual machine between two checks of the budget.
constexpr int kInstructions = 10'000;
/// Instruction budget of a statement: a fixed part plus a part per byte of the file. A statement
/// that reads the whole file once needs less.
constexpr std::int64_t kInstructionsPerByte = 100, kInstructionsAtLeast = 1'000'000;

/// A reader is denied for moments only, unless something is wrong.
constexpr Nanos kLongestDenial{1'000'000'000};
constexpr std::chrono::milliseconds kDenialPause{5};

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

/// Allows for columns of a joined row, which is in the file only once.
constexpr std::int64_t kRepeats = 4, kRepeatsOfJoined = 64;

class FileConnection final : public Connection {
 public:
  /// An empty path opens a database in memory.
  static Result<std::unique_ptr<FileConnection>> open(const std::string& path, Access access,
                                                      Nanos patience, std::string_view parameters);
  ~FileConnection() override { sqlite3_close(handle_); }

  const std::string& name() const override { return path_; }
  Result<std::unique_ptr<Cursor>> prepare(const std::string& sql, bool joined) override;
  Result<void> run(const std::string& sql) override;
  Result<std::unique_ptr<RowLoader>> load(std::string_view table, std::string_view columns,
                                          int count) override;
  Result<void> begin(Purpose purpose) override {
    return run(purpose == Purpose::kRead ? "BEGIN" : "BEGIN IMMEDIATE");
  }
  Result<Mark> mark() override;
  Result<void> set_version(std::int64_t version) override;
  Result<void> check_tables(Connection& fresh) override;
  Error damaged(std::string_view why) const override;

  /// Converts the last error that SQLite reported to an Error.
  Error fail() const;
  /// Primary code of the last error.
  int code() const { return sqlite3_errcode(handle_) & 0xff; }
  Result<std::int64_t> number(const std::string& sql);

  /// Begins the budget of a statement.
  void grant() { left_ = kInstructionsAtLeast + kInstructionsPerByte * bytes_; }
  /// True if rows that need `used` bytes, each `repeats` times at most, can be in the file.
  bool can_hold(std::int64_t used, std::int64_t repeats) {
    if (!bounded_ || used / repeats <= bytes_) return true;
    look_again();
    return used / repeats <= bytes_;
  }

 private:
  FileConnection() = default;

  /// Updates `bytes_`, since this program or another may have extended the file. Returns the
  /// growth.
  std::int64_t look_again() {
    const std::int64_t before = bytes_;
    if (!path_.empty()) bytes_ = std::max(bytes_, bytes_of(path_) + bytes_of(path_ + "-wal"));
    return bytes_ - before;
  }

  /// Progress handler of SQLite: a nonzero result interrupts the statement.
  static int spend(void* of) {
    auto& self = *static_cast<FileConnection*>(of);
    self.left_ -= kInstructions;
    if (self.left_ < 0) self.left_ += kInstructionsPerByte * self.look_again();
    return self.left_ < 0 ? 1 : 0;
  }

  std::string path_;
  sqlite3* handle_ = nullptr;
  bool bounded_ = false;    ///< the file was not empty when it was opened: budgets apply
  std::int64_t bytes_ = 0;  ///< size of the file and of its write-ahead log (WAL)
  std::int64_t left_ = 0;   ///< remaining instructions of the running statement
};

class FileCursor final : public Cursor {
 public:
  FileCursor(FileConnection& connection, sqlite3_stmt* statement, std::int64_t repeats)
      : connection_(connection),
        statement_(statement),
        columns_(sqlite3_column_count(statement)),
        repeats_(repeats) {}
  FileCursor(const FileCursor&) = delete;
  FileCursor& operator=(const FileCursor&) = delete;
  ~FileCursor() override { sqlite3_finalize(statement_); }

  void bind(int at, std::int64_t value) override { sqlite3_bind_int64(statement_, at, value); }
  void bind(int at, double value) override {
    if (std::isnan(value)) return bind_null(at);
    sqlite3_bind_double(statement_, at, value);
  }
  void bind(int at, std::string_view text) override {
    const char* bytes = text.data() ? text.data() : "";
    sqlite3_bind_text64(statement_, at, bytes, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  void bind_null(int at) override { sqlite3_bind_null(statement_, at); }

  Result<bool> step() override {
    if (!sqlite3_stmt_busy(statement_)) {
      used_ = 0;
      connection_.grant();
    }
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_DONE) return false;
    if (code != SQLITE_ROW) return connection_.fail();
    TRY(charge());
    return true;
  }
  void reset() override { sqlite3_reset(statement_); }

  bool is_null(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  std::optional<std::int64_t> integer(int column) const override {
    if (sqlite3_column_type(statement_, column) != SQLITE_INTEGER) return std::nullopt;
    return sqlite3_column_int64(statement_, column);
  }
  std::optional<double> real(int column) const override {
    const int type = sqlite3_column_type(statement_, column);
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) return std::nullopt;
    return sqlite3_column_double(statement_, column);
  }
  std::optional<std::string_view> text(int column) const override {
    if (sqlite3_column_type(statement_, column) != SQLITE_TEXT) return std::nullopt;
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    const int size = sqlite3_column_bytes(statement_, column);
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(size)) : std::string_view("");
  }

 private:
  /// A row takes at least one byte per column plus its texts.
  Result<void> charge() {
    used_ += columns_;
    for (int i = 0; i < columns_; ++i) {
      if (sqlite3_column_type(statement_, i) != SQLITE_TEXT) continue;
      if (sqlite3_column_text(statement_, i) == nullptr) return connection_.fail();
      used_ += sqlite3_column_bytes(statement_, i);
    }
    if (connection_.can_hold(used_, repeats_)) return {};
    return connection_.damaged("its rows need more bytes than the file has");
  }

  FileConnection& connection_;
  sqlite3_stmt* statement_;
  int columns_;
  std::int64_t used_ = 0;  ///< bytes that the rows read so far need in the file
  std::int64_t repeats_;   ///< times that a byte of the file may be in the rows
};

/// One INSERT, executed for each row.
class FileLoader final : public RowLoader {
 public:
  explicit FileLoader(std::unique_ptr<Cursor> insert) : insert_(std::move(insert)) {}

  void integer(std::int64_t value) override { insert_->bind(++at_, value); }
  void real(double value) override { insert_->bind(++at_, value); }
  void text(std::string_view value) override { insert_->bind(++at_, value); }
  void null() override { insert_->bind_null(++at_); }
  Result<void> end_row() override {
    at_ = 0;
    const Result<bool> row = insert_->step();
    insert_->reset();
    if (!row.ok()) return row.error();
    return {};
  }
  Result<void> done() override { return {}; }

 private:
  std::unique_ptr<Cursor> insert_;
  int at_ = 0;
};

/// Every entry of the schema (table, index, view, trigger) with its SQL, one per line.
Result<std::string> tables_of(Connection& connection) {
  const auto rows = TRY(connection.prepare(
      "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name, sql", false));
  std::string out;
  while (TRY(rows->step()))
    out += fmt::format("{} {}: {}\n", rows->text(0).value_or(""), rows->text(1).value_or(""),
                       rows->text(2).value_or(""));
  return out;
}

Error unreleased(const std::string& path, std::int64_t version) {
  return input_error("RIDGE-STORE-0013", "a ridge from before the first release wrote this store")
      .evidence(fmt::format("its tables are those of development version {}", version))
      .hint(
          "store into a new file; the ridge that wrote this one can print its runs as JSON for "
          "ridge runs add")
      .in_file(path);
}

Error foreign(const std::string& path, std::int64_t application) {
  return foreign_database("this SQLite file",
                          fmt::format("its application_id is {:#x}, that of a run database {:#x}",
                                      application, kApplicationId),
                          "name a file that --store created, or a new file", path);
}

Error FileConnection::damaged(std::string_view why) const {
  return damaged_database(
      why, "restore it from a backup, or recover the readable rows: sqlite3 FILE .recover", path_);
}

Error FileConnection::fail() const {
  // SQLite calls a page damaged that the medium cannot give it.
  const bool unreadable = errno == EIO || errno == ENXIO;
  const std::string words = sqlite3_errmsg(handle_);
  const int code = sqlite3_errcode(handle_) & 0xff;
  switch (code == SQLITE_CORRUPT && unreadable ? SQLITE_IOERR : code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return busy_database(
          "wait until it has finished, or give each program a store of its own and put them "
          "together with ridge runs merge",
          path_);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return environment_error("RIDGE-STORE-0007", "the store cannot be written")
          .evidence(words)
          .hint("you need permission to write the file and its folder")
          .in_file(path_);
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return failing_database(
          code == SQLITE_CORRUPT ? "Input/output error" : words,
          "look at the free space of the disk; runs stored before are not touched", path_);
    case SQLITE_NOMEM:
      return environment_error("RIDGE-STORE-0009", "out of memory in the store").in_file(path_);
    case SQLITE_INTERRUPT:
      return damaged("reading it takes more steps than its size justifies");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_SCHEMA:
    case SQLITE_CONSTRAINT:
      return damaged(words);
    default:
      return bug(words, "store::sqlite::FileConnection").in_file(path_);
  }
}

Result<std::unique_ptr<FileConnection>> FileConnection::open(const std::string& path, Access access,
                                                             Nanos patience,
                                                             std::string_view parameters) {
  std::unique_ptr<FileConnection> out(new FileConnection);
  out->path_ = path;
  out->bounded_ = out->look_again() > 0;
  // One thread has it (connection.h): a lock for each value of a row would take a fifth of the
  // time.
  const int flags = SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX |
                    (access == Access::kRead    ? SQLITE_OPEN_READONLY
                     : access == Access::kWrite ? SQLITE_OPEN_READWRITE
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  sqlite3*& handle = out->handle_;
  if (sqlite3_open_v2(uri_of(path, parameters).c_str(), &handle, flags, nullptr) != SQLITE_OK) {
    if (access != Access::kCreate) TRY(File::open(path));  // says what is wrong with a file
    return out->fail();
  }
  if (!path.empty()) TRY(check_header(path, TRY(read_head(handle, path)), access));
  sqlite3_busy_timeout(handle, static_cast<int>(patience.count / 1'000'000));
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 28);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  if (out->bounded_) sqlite3_progress_handler(handle, kInstructions, spend, out.get());
  TRY(out->run("PRAGMA cell_size_check = ON"));
  return out;
}

Result<std::unique_ptr<Cursor>> FileConnection::prepare(const std::string& sql, bool joined) {
  sqlite3_stmt* statement = nullptr;
  grant();
  if (sqlite3_prepare_v2(handle_, sql.c_str(), static_cast<int>(sql.size() + 1), &statement,
                         nullptr) != SQLITE_OK)
    return fail();
  return std::unique_ptr<Cursor>(
      std::make_unique<FileCursor>(*this, statement, joined ? kRepeatsOfJoined : kRepeats));
}

Result<void> FileConnection::run(const std::string& sql) {
  grant();
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return fail();
  return {};
}

Result<std::unique_ptr<RowLoader>> FileConnection::load(std::string_view table,
                                                        std::string_view columns, int count) {
  const std::vector<std::string_view> places(static_cast<std::size_t>(count), "?");
  auto insert = TRY(prepare(
      fmt::format("INSERT INTO {}({}) VALUES ({})", table, columns, fmt::join(places, ", ")),
      false));
  return std::unique_ptr<RowLoader>(std::make_unique<FileLoader>(std::move(insert)));
}

Result<std::int64_t> FileConnection::number(const std::string& sql) {
  const auto row = TRY(prepare(sql, false));
  TRY(row->step());
  return row->integer(0).value_or(0);
}

Result<Mark> FileConnection::mark() {
  const std::int64_t application = TRY(number("PRAGMA application_id"));
  const Mark mark{.version = TRY(number("PRAGMA user_version")),
                  .tables = TRY(number("SELECT count(*) FROM sqlite_schema"))};
  if (application == kBeforeRelease) return unreleased(path_, mark.version);
  if (application != kApplicationId && (application != 0 || mark.version != 0 || mark.tables != 0))
    return foreign(path_, application);
  return mark;
}

Result<void> FileConnection::set_version(std::int64_t version) {
  return run(
      fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}", version, kApplicationId));
}

Result<void> FileConnection::check_tables(Connection& fresh) {
  if (TRY(tables_of(*this)) == TRY(tables_of(fresh))) return {};
  return damaged("its tables do not match its version");
}

/// Whether files can be made beside it by this process.
bool has_writable_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return ::faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK, AT_EACCESS) == 0;
}

/// Readers of a database in WAL mode create files beside it. A writer that ends removes them: who
/// opens the file at that moment is denied once, and tries again. Where the folder is not writable,
/// the file is opened as immutable: it is complete as long as its WAL is empty, but what others
/// append later is not seen.
Result<std::unique_ptr<FileConnection>> open_to_read(const std::string& path, Nanos patience) {
  const Nanos until = steady_clock().now() + std::min(patience, kLongestDenial);
  for (;;) {
    auto out = TRY(FileConnection::open(path, Access::kRead, patience, ""));
    if (out->number("PRAGMA schema_version").ok()) return out;
    const bool denied = out->code() == SQLITE_CANTOPEN || out->code() == SQLITE_READONLY ||
                        out->code() == SQLITE_PERM;
    const bool writable = has_writable_folder(path);
    if (denied && !writable && bytes_of(path + "-wal") == 0)
      return FileConnection::open(path, Access::kRead, patience, "?immutable=1");
    if (!denied || !writable || steady_clock().now() >= until) return out->fail();
    std::this_thread::sleep_for(kDenialPause);
  }
}

}  // namespace

Result<std::unique_ptr<Connection>> open(const std::string& path, Access access, Nanos patience) {
  TRY(check_kind(path, access));
  if (access == Access::kRead)
    return std::unique_ptr<Connection>(TRY(open_to_read(path, patience)));
  auto out = TRY(FileConnection::open(path, access, patience, ""));
  // WAL: readers and one writer do not wait for each other, and a killed writer leaves no partial
  // transaction. FULL: a committed run is on the disk.
  TRY(out->run("PRAGMA journal_mode = WAL"));
  TRY(out->run("PRAGMA synchronous = FULL"));
  return std::unique_ptr<Connection>(std::move(out));
}

Result<std::unique_ptr<Connection>> in_memory() {
  return std::unique_ptr<Connection>(TRY(FileConnection::open("", Access::kCreate, {}, "")));
}

}  // namespace ridge::store::sqlite
