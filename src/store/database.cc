// SPDX-License-Identifier: Apache-2.0
#include "store/database.h"

#include "store/postgres/connection.h"
#include "store/source.h"
#include "store/sqlite/connection.h"

namespace ridge::store {

Result<void> Statement::run() {
  const Result<bool> row = step();
  reset();
  if (!row.ok()) return row.error();
  return {};
}

Result<Database> Database::open(const std::string& name, Access access, Nanos patience) {
  return Database(TRY(is_server(name) ? postgres::connect(name, access, patience)
                                      : sqlite::open(name, access, patience)));
}

Result<Database> Database::in_memory() { return Database(TRY(sqlite::in_memory())); }

Result<Statement> Database::prepare(const std::string& sql) const {
  return Statement(TRY(connection_->prepare(sql, false)));
}

Result<Statement> Database::prepare_joined(const std::string& sql) const {
  return Statement(TRY(connection_->prepare(sql, true)));
}

Result<std::int64_t> Database::number(const std::string& sql) const {
  Statement statement = TRY(prepare(sql));
  if (!TRY(statement.step())) return damaged("a table that must have a row is empty");
  return statement.integer(0).value_or(0);
}

// Transaction

Result<Transaction> Transaction::begin(const Database& database, Purpose purpose) {
  TRY(database.connection().begin(purpose));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ && !database_->connection().lost()) (void)database_->run("ROLLBACK");
}

Result<void> Transaction::commit() {
  TRY(database_->run("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace ridge::store
