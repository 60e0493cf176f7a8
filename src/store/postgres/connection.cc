// SPDX-License-Identifier: Apache-2.0
#include "store/postgres/connection.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/errors.h"
#include "store/postgres/answer.h"
#include "store/postgres/library.h"
#include "store/postgres/sql.h"
#include "store/postgres/uri.h"

namespace ridge::store::postgres {
namespace {

/// Bytes of rows that wait before they are sent.
constexpr std::size_t kWaiting = std::size_t{1} << 20;
/// Time between two attempts to reach a server that went away.
constexpr Nanos kPause{100'000'000};
/// The advisory lock of stores: shared by those that append.
constexpr std::int64_t kLock = 0x5264676c;

struct Freed {
  const Library* pq;
  void operator()(PGresult* result) const { pq->clear(result); }
  void operator()(PGconn* connection) const { pq->finish(connection); }
};
using Reply = std::unique_ptr<PGresult, Freed>;

class ServerConnection final : public Connection {
 public:
  ServerConnection(const Library& pq, std::string uri, Access access, Nanos patience)
      : pq_(pq),
        uri_(std::move(uri)),
        access_(access),
        patience_(patience),
        handle_(nullptr, Freed{&pq}) {}

  /// Connects for the first time, or again.
  Result<void> connect();

  const std::string& name() const override { return uri_; }
  Result<std::unique_ptr<Cursor>> prepare(const std::string& sql, bool joined) override;
  Result<void> run(const std::string& sql) override;
  Result<std::unique_ptr<RowLoader>> load(std::string_view table, std::string_view columns,
                                          int count) override;
  Result<void> begin(Purpose purpose) override;
  Result<Mark> mark() override;
  Result<void> set_version(std::int64_t version) override;
  Result<void> check_tables(Connection& fresh) override;
  Result<std::optional<std::string>> state() override;
  Error damaged(std::string_view why) const override;
  bool lost() const override { return lost_; }
  Result<void> reconnect() override;

  using Values = std::vector<std::optional<std::string>>;
  /// Sends a statement and takes its rows.
  Result<Answer> ask(const std::string& sql, const Values& values);
  /// Sends rows in the text form of COPY.
  Result<void> copy(const std::string& sql, std::string_view rows);

 private:
  Reply reply(PGresult* result) const { return Reply(result, Freed{&pq_}); }
  /// The error of a reply, or of the connection where there is none.
  Error fail(const PGresult* result);
  Error refused() const;

  const Library& pq_;
  std::string uri_;
  Access access_;
  Nanos patience_;
  std::unique_ptr<PGconn, Freed> handle_;
  bool lost_ = false;
};

class ServerCursor final : public Cursor {
 public:
  ServerCursor(ServerConnection& connection, std::string sql)
      : connection_(connection), sql_(std::move(sql)) {}

  void bind(int at, std::int64_t value) override { place(at) = fmt::format("{}", value); }
  void bind(int at, double value) override {
    if (std::isnan(value)) return bind_null(at);
    place(at) = fmt::format("{}", value);
  }
  void bind(int at, std::string_view text) override { place(at) = stored_text(text); }
  void bind_null(int at) override { place(at).reset(); }

  Result<bool> step() override {
    if (!asked_) {
      answer_ = TRY(connection_.ask(sql_, values_));
      asked_ = true;
      next_ = 0;
    }
    if (next_ == answer_.rows()) return false;
    ++next_;
    return true;
  }
  void reset() override {
    asked_ = false;
    answer_.clear();
  }

  bool is_null(int column) const override { return answer_.is_null(next_ - 1, column); }
  std::optional<std::int64_t> integer(int column) const override {
    return answer_.integer(next_ - 1, column);
  }
  std::optional<double> real(int column) const override { return answer_.real(next_ - 1, column); }
  std::optional<std::string_view> text(int column) const override {
    return answer_.text(next_ - 1, column);
  }

 private:
  std::optional<std::string>& place(int at) {
    values_.resize(std::max(values_.size(), static_cast<std::size_t>(at)));
    return values_[static_cast<std::size_t>(at) - 1];
  }

  ServerConnection& connection_;
  std::string sql_;
  ServerConnection::Values values_;
  Answer answer_;
  bool asked_ = false;
  std::size_t next_ = 0;  ///< the row after the one that the cursor is at
};

/// Rows as lines of COPY. Several loaders may have rows waiting at once, so each sends its own in
/// one command.
class ServerLoader final : public RowLoader {
 public:
  ServerLoader(ServerConnection& connection, std::string sql)
      : connection_(connection), sql_(std::move(sql)) {}

  void integer(std::int64_t value) override { add(fmt::format("{}", value)); }
  void real(double value) override {
    if (std::isnan(value)) return null();
    add(fmt::format("{}", value));
  }
  void text(std::string_view value) override {
    std::string escaped;
    for (const char c : stored_text(value)) {
      if (c == '\\')
        escaped += "\\\\";
      else if (c == '\n')
        escaped += "\\n";
      else if (c == '\r')
        escaped += "\\r";
      else if (c == '\t')
        escaped += "\\t";
      else
        escaped += c;
    }
    add(escaped);
  }
  void null() override { add("\\N"); }
  Result<void> end_row() override {
    rows_.back() = '\n';
    return rows_.size() < kWaiting ? Result<void>() : done();
  }
  Result<void> done() override {
    if (rows_.empty()) return {};
    return connection_.copy(sql_, std::exchange(rows_, {}));
  }

 private:
  void add(std::string_view value) {
    rows_ += value;
    rows_ += '\t';
  }

  ServerConnection& connection_;
  std::string sql_;
  std::string rows_;
};

// Errors

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Errors by the class or the code of SQLSTATE (PostgreSQL 15, appendix A).
bool is_of(std::string_view state, std::initializer_list<std::string_view> codes) {
  return std::ranges::any_of(codes, [&](std::string_view c) { return state.starts_with(c); });
}

Error ServerConnection::damaged(std::string_view why) const {
  return damaged_database(why, "restore its schema from a backup (pg_restore)", uri_);
}

/// The server could not be connected to.
Error ServerConnection::refused() const {
  const std::string all = pq_.errorMessage(handle_.get());
  const std::string words = first_line(all);
  if (has(words, "password") || has(words, "authentication failed") || has(words, "role \""))
    return environment_error("RIDGE-STORE-0015", "the server refused the login")
        .evidence(words)
        .hint(
            "a password belongs into ~/.pgpass (mode 0600), a line host:port:database:user:"
            "password; psql with the same URI tries the same")
        .in_file(uri_);
  return environment_error("RIDGE-STORE-0016", "the server cannot be reached")
      .evidence(words)
      .hint("services are in ~/.pg_service.conf; psql with the same URI tries the same")
      .in_file(uri_);
}

Error ServerConnection::fail(const PGresult* result) {
  const char* code = result ? pq_.resultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
  const char* said = result ? pq_.resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : nullptr;
  const std::string_view state = code ? code : "";
  const std::string words = said ? said : first_line(pq_.errorMessage(handle_.get()));
  if (pq_.status(handle_.get()) != CONNECTION_OK || is_of(state, {"08", "57P"})) {
    lost_ = true;
    return environment_error("RIDGE-STORE-0017", "the connection to the server was lost")
        .evidence(words)
        .hint("runs stored before are not touched; run the same command again")
        .in_file(uri_);
  }
  if (is_of(state, {"55P03", "40P01", "40001"}))
    return busy_database("wait until it has finished", uri_);
  if (is_of(state, {"42501", "25006"}))
    return environment_error("RIDGE-STORE-0018", "the role may not do this")
        .evidence(words)
        .hint(access_ == Access::kRead
                  ? "it needs USAGE of the schema and SELECT on its tables"
                  : "to write, it needs USAGE and CREATE of the schema, and its tables")
        .in_file(uri_);
  if (is_of(state, {"53", "58"}))
    return failing_database(
        words, "look at the server's disk and memory; runs stored before are not touched", uri_);
  if (is_of(state, {"42P01", "42703", "42804", "42883", "22", "23", "XX"})) return damaged(words);
  return bug(fmt::format("{} ({})", words, state), "store::postgres::ServerConnection")
      .in_file(uri_);
}

// Connecting

Result<void> ServerConnection::connect() {
  // Settings before the URI hold where it leaves them open.
  const std::pair<const char*, const char*> settings[] = {
      {"connect_timeout", "10"}, {"application_name", "ridge"},
      {"keepalives_idle", "20"}, {"tcp_user_timeout", "30000"},
      {"dbname", uri_.c_str()},  {"client_encoding", "UTF8"},
      {nullptr, nullptr}};
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : settings) {
    keys.push_back(key);
    values.push_back(value);
  }
  handle_.reset(pq_.connectdbParams(keys.data(), values.data(), 1));
  lost_ = false;
  if (pq_.status(handle_.get()) != CONNECTION_OK) return refused();
  pq_.setNoticeProcessor(
      handle_.get(), [](void*, const char*) {}, nullptr);
  return run(
      fmt::format("SET lock_timeout = {}; SET extra_float_digits = 1; "
                  "SET standard_conforming_strings = on; SET client_min_messages = error{}",
                  std::max<std::int64_t>(patience_.count / 1'000'000, 1),  // 0 would wait for ever
                  access_ == Access::kRead ? "; SET default_transaction_read_only = on" : ""));
}

Result<void> ServerConnection::reconnect() {
  const Nanos until = steady_clock().now() + patience_;
  for (;;) {
    Result<void> connected = connect();
    if (connected.ok() || steady_clock().now() >= until) return connected;
    const timespec pause{0, static_cast<long>(kPause.count)};
    ::nanosleep(&pause, nullptr);
  }
}

// Statements

Result<Answer> ServerConnection::ask(const std::string& sql, const Values& values) {
  std::vector<const char*> pointers;
  for (const auto& value : values) pointers.push_back(value ? value->c_str() : nullptr);
  if (!pq_.sendQueryParams(handle_.get(), sql.c_str(), static_cast<int>(pointers.size()), nullptr,
                           pointers.data(), nullptr, nullptr, 0))
    return fail(nullptr);
  pq_.setSingleRowMode(handle_.get());
  Answer answer;
  std::optional<Error> failure;
  // All replies are taken, so that the next statement finds none.
  while (const Reply part = reply(pq_.getResult(handle_.get()))) {
    const ExecStatusType status = pq_.resultStatus(part.get());
    if (failure) continue;
    if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
      failure = fail(part.get());
    else if (!answer.add(pq_, part.get()))
      return handle_.reset(), lost_ = true, damaged("an answer has more than 1 GiB");
  }
  if (failure) return std::move(*failure);
  return answer;
}

Result<std::unique_ptr<Cursor>> ServerConnection::prepare(const std::string& sql, bool) {
  return std::unique_ptr<Cursor>(
      std::make_unique<ServerCursor>(*this, with_numbers(for_postgres(sql))));
}

Result<void> ServerConnection::run(const std::string& sql) {
  const Reply done = reply(pq_.exec(handle_.get(), for_postgres(sql).c_str()));
  const ExecStatusType status = done ? pq_.resultStatus(done.get()) : PGRES_FATAL_ERROR;
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) return fail(done.get());
  return {};
}

Result<void> ServerConnection::copy(const std::string& sql, std::string_view rows) {
  const Reply ready = reply(pq_.exec(handle_.get(), sql.c_str()));
  if (!ready || pq_.resultStatus(ready.get()) != PGRES_COPY_IN) return fail(ready.get());
  if (pq_.putCopyData(handle_.get(), rows.data(), static_cast<int>(rows.size())) != 1 ||
      pq_.putCopyEnd(handle_.get(), nullptr) != 1)
    return fail(nullptr);
  std::optional<Error> failure;
  while (const Reply done = reply(pq_.getResult(handle_.get())))
    if (!failure && pq_.resultStatus(done.get()) != PGRES_COMMAND_OK) failure = fail(done.get());
  if (failure) return std::move(*failure);
  return {};
}

Result<std::unique_ptr<RowLoader>> ServerConnection::load(std::string_view table,
                                                          std::string_view columns, int) {
  return std::unique_ptr<RowLoader>(
      std::make_unique<ServerLoader>(*this, fmt::format("COPY {}({}) FROM STDIN", table, columns)));
}

Result<void> ServerConnection::begin(Purpose purpose) {
  if (lost_) TRY(reconnect());
  if (purpose == Purpose::kRead)
    return run("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  Result<void> begun = run(fmt::format("BEGIN; SELECT pg_advisory_xact_lock{}({})",
                                       purpose == Purpose::kAppend ? "_shared" : "", kLock));
  if (!begun.ok() && !lost_) (void)run("ROLLBACK");
  return begun;
}

// Tables

Result<Mark> ServerConnection::mark() {
  const Answer there = TRY(ask(
      "SELECT current_schema(), count(relname), count(*) FILTER (WHERE relname = 'ridge_store') "
      "FROM (SELECT 1) AS one LEFT JOIN pg_class ON relnamespace = "
      "(SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p', "
      "'v', 'm', 'f')",
      {}));
  const auto tables = there.integer(0, 1).value_or(0);
  if (there.is_null(0, 0))
    return input_error("RIDGE-STORE-0019", "the database has no schema for a store")
        .evidence("search_path names none that is there")
        .hint("CREATE SCHEMA ridge; then name it: postgresql://...?options=-csearch_path%3Dridge")
        .in_file(uri_);
  if (there.integer(0, 2) == 1) {
    const Answer kept = TRY(ask("SELECT version FROM ridge_store", {}));
    const auto version = kept.rows() == 1 ? kept.integer(0, 0) : std::nullopt;
    if (!version) return damaged("table ridge_store must have one row");
    return Mark{.version = *version, .tables = tables};
  }
  if (tables > 0)
    return foreign_database("this schema",
                            fmt::format("it has {} tables and views of other programs", tables),
                            "give ridge a schema of its own: CREATE SCHEMA ridge; then "
                            "postgresql://...?options=-csearch_path%3Dridge",
                            uri_);
  return Mark{};
}

Result<void> ServerConnection::set_version(std::int64_t version) {
  return run(
      fmt::format("CREATE TABLE IF NOT EXISTS ridge_store(version INTEGER NOT NULL); "
                  "DELETE FROM ridge_store; INSERT INTO ridge_store VALUES ({})",
                  version));
}

/// "table column TYPE" of each column, one per line.
Result<std::string> columns_of(Connection& of, const std::string& sql) {
  const auto rows = TRY(of.prepare(sql, false));
  std::string out;
  while (TRY(rows->step()))
    for (int c = 0; c < 3; ++c)
      out += fmt::format("{}{}", rows->text(c).value_or(""), c == 2 ? '\n' : ' ');
  return out;
}

Result<void> ServerConnection::check_tables(Connection& fresh) {
  const std::string here = TRY(columns_of(
      *this,
      "SELECT relname::text, attname::text, CASE atttypid WHEN 20 THEN 'i' WHEN 701 THEN 'r' "
      "WHEN 25 THEN 't' ELSE atttypid::text END FROM pg_attribute JOIN pg_class ON pg_class.oid = "
      "attrelid WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = "
      "current_schema()) AND relkind = 'r' AND attnum > "
      "0 AND NOT attisdropped AND relname <> 'ridge_store' ORDER BY relname COLLATE \"C\", "
      "attname COLLATE \"C\""));
  const std::string expected = TRY(columns_of(
      fresh,
      "SELECT m.name, c.name, CASE upper(c.type) WHEN 'INTEGER' THEN 'i' WHEN 'REAL' THEN 'r' "
      "WHEN 'TEXT' THEN 't' END FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c "
      "WHERE m.type = 'table' AND m.name <> 'sqlite_sequence' ORDER BY m.name, c.name"));
  if (here == expected) return {};
  return damaged("its tables do not match its version");
}

/// A transaction that writes has a number of 64 bits. A snapshot lists those that have not ended,
/// between the oldest of them and the first number that is not given yet: with two equal snapshots
/// a statement sees the same rows. On a standby the list is incomplete.
Result<std::optional<std::string>> ServerConnection::state() {
  const Answer seen =
      TRY(ask("SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_snapshot()::text END", {}));
  if (seen.rows() != 1) return damaged("a snapshot is one row");
  const auto text = seen.text(0, 0);
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Connection>> connect(const std::string& uri, Access access, Nanos patience) {
  TRY(check_uri(uri));
  auto out = std::make_unique<ServerConnection>(*TRY(library()), uri, access, patience);
  TRY(out->connect());
  return std::unique_ptr<Connection>(std::move(out));
}

}  // namespace ridge::store::postgres
