// SPDX-License-Identifier: Apache-2.0
#include "store/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <type_traits>
#include <vector>

#include "record/columns.h"
#include "store/describe_lists.h"
#include "store/lists.h"
#include "store/views.h"

namespace ridge::store {
namespace {

using record::kType;

/// CREATE TABLE of a described row. `keys` and `after` are the columns and constraints beside it.
/// Words and truths are checked by the reader alone, which does not trust the file.
void create(std::string& sql, std::string_view table, const record::Type& type,
            std::string_view keys, std::string_view after) {
  sql += record::sql_create(
      {.table = table, .type = type, .before = keys, .after = after, .checks = false},
      record::Dialect::kSqlite);
}

/// Rows of one owner, which are deleted with it. The primary key clusters them.
void create_owned(std::string& sql, std::string_view table, const record::Type& type,
                  std::string_view owner, std::string_view owners,
                  std::initializer_list<std::string_view> keys) {
  std::string before =
      fmt::format("{} INTEGER NOT NULL REFERENCES {}(id) ON DELETE CASCADE", owner, owners);
  for (const std::string_view key : keys) before += fmt::format(",\n  {} INTEGER NOT NULL", key);
  const std::string primary =
      fmt::format("PRIMARY KEY({}{}{})", owner, keys.size() > 0 ? ", " : "", fmt::join(keys, ", "));
  create(sql, table, type, before, primary);
  sql += " WITHOUT ROWID;\n";
}

/// A table whose rows are recognized by their content.
void create_with_content(std::string& sql, std::string_view table, const record::Type& type) {
  create(sql, table, type, "id INTEGER PRIMARY KEY AUTOINCREMENT,\n  content TEXT NOT NULL UNIQUE",
         "");
  sql += ";\n";
}

void create_runs(std::string& sql) {
  sql +=
      "CREATE TABLE model(id INTEGER PRIMARY KEY, content TEXT NOT NULL,"
      " graph_hash TEXT NOT NULL, UNIQUE(content, graph_hash));\n";
  create_owned(sql, "node", kType<profile::Node>, "model", "model", {"position"});
  create(sql, "run", kType<profile::Profile>,
         "id INTEGER PRIMARY KEY AUTOINCREMENT,\n  content TEXT NOT NULL UNIQUE,\n"
         "  recorded_s INTEGER NOT NULL,\n  point TEXT NOT NULL,\n  fitness TEXT NOT NULL,\n"
         "  machine TEXT NOT NULL,\n  model INTEGER NOT NULL REFERENCES model(id)",
         "");
  sql += ";\nCREATE INDEX run_of_point ON run(point);\nCREATE INDEX run_of_model ON run(model);\n";
  (void)for_each_list({}, [&](std::string_view table, const auto& rows) -> Result<void> {
    using Row = typename std::remove_cvref_t<decltype(rows)>::value_type;
    create_owned(sql, table, kType<Row>, "run", "run", {"position"});
    return {};
  });
  create_owned(sql, "sample", kType<TimeRow>, "run", "run", {"process", "position"});
  create_owned(sql, "layer_sample", kType<TimeRow>, "run", "run", {"layer", "position"});
  create_owned(sql, "kernel", kType<profile::Kernel>, "run", "run", {"layer", "position"});
  create_owned(sql, "member", kType<MemberRow>, "run", "run", {"layer", "position"});
  create_owned(sql, "text", kType<TextRow>, "run", "run", {"id"});
  create_owned(sql, "span", kType<profile::SpanRow>, "run", "run", {"id"});
  create_owned(sql, "span_attribute", kType<AttributeRow>, "run", "run", {"span", "position"});
  // What the views look up by node: one row for each layer, one for each node of a layer.
  sql +=
      "CREATE INDEX lead_of_node ON member(run, node) WHERE leads;\n"
      "CREATE UNIQUE INDEX home_of_node ON member(run, node) WHERE home;\n"
      "CREATE INDEX absence_of_node ON without_layer(run, node);\n";
  create(sql, "failure", kType<Failure>, "id INTEGER PRIMARY KEY AUTOINCREMENT",
         "UNIQUE(path, label, runtime)");
  sql += ";\n";
}

void create_suites(std::string& sql) {
  create_with_content(sql, "suite", kType<profile::SuiteProcess>);
  sql += "CREATE INDEX suite_of_point ON suite(point);\n";
  create_owned(sql, "suite_brick", kType<profile::SuiteBrick>, "suite", "suite", {"position"});
  create_owned(sql, "brick_run", kType<profile::BrickRun>, "suite", "suite", {"brick", "position"});
  create_owned(sql, "chain_run", kType<profile::ChainRun>, "suite", "suite", {"position"});
  create_owned(sql, "lost_brick", kType<profile::LostBrick>, "suite", "suite", {"position"});
}

/// Version 1: the tables of the descriptions (profile/describe.h, store/describe.h), and the views
/// over them (views.h). Times are integer nanoseconds unless they are estimates. A model's nodes
/// are stored once for all runs that have the same.
std::string version_1() {
  std::string sql;
  create_runs(sql);
  create_suites(sql);
  create_with_content(sql, "checked_finding", kType<profile::CheckedFinding>);
  sql +=
      "CREATE TABLE checked_node(checked INTEGER NOT NULL REFERENCES checked_finding(id)"
      " ON DELETE CASCADE, node INTEGER NOT NULL, PRIMARY KEY(checked, node)) WITHOUT ROWID;\n";
  create_with_content(sql, "evaluation", kType<profile::EvaluationRecord>);
  sql += "CREATE INDEX evaluation_of_point ON evaluation(point);\n";
  for (const View& view : views()) sql += create_view(view);
  return sql;
}

std::int64_t newest(std::span<const SchemaStep> steps) { return steps.back().version; }

/// Every entry of the schema (table, index, view, trigger) with its SQL, one per line.
Result<std::string> tables_of(const Database& db) {
  Statement rows =
      TRY(db.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name, sql"));
  std::string out;
  while (TRY(rows.step()))
    out += fmt::format("{} {}: {}\n", rows.text(0), rows.text(1), rows.text(2));
  return out;
}

Result<void> apply(const Database& db, std::span<const SchemaStep> steps, std::int64_t version) {
  for (const SchemaStep& step : steps) {
    if (step.version <= version) continue;
    TRY(db.run(std::string(step.sql)));
    TRY(db.run(fmt::format("PRAGMA user_version = {}", step.version)));
  }
  return db.run(fmt::format("PRAGMA application_id = {}", kApplicationId));
}

/// The mark of programs from before the first release, in place of kApplicationId: the characters
/// "Rdge". Their versions 1 to 8 are no steps of schema_steps().
constexpr std::int64_t kBeforeRelease = 0x52646765;

Error unreleased(const Database& db, std::int64_t version) {
  return input_error("RIDGE-STORE-0013", "a ridge from before the first release wrote this store")
      .evidence(fmt::format("its tables are those of development version {}", version))
      .hint(
          "store into a new file; the ridge that wrote this one can print its runs as JSON for "
          "ridge runs add")
      .in_file(db.path());
}

Error foreign(const Database& db, std::int64_t application) {
  return input_error("RIDGE-STORE-0002", "this SQLite file is not a run database")
      .evidence(fmt::format("its application_id is {:#x}, that of a run database {:#x}",
                            application, kApplicationId))
      .hint("name a file that --store created, or a new file")
      .in_file(db.path());
}

}  // namespace

std::span<const SchemaStep> schema_steps() {
  static const std::string sql = version_1();
  static const SchemaStep steps[] = {{1, sql}};
  return steps;
}

Result<bool> is_older(const Database& db, std::span<const SchemaStep> steps) {
  const std::int64_t application = TRY(db.number("PRAGMA application_id"));
  const std::int64_t version = TRY(db.number("PRAGMA user_version"));
  const std::int64_t tables = TRY(db.number("SELECT count(*) FROM sqlite_schema"));
  if (application == kBeforeRelease) return unreleased(db, version);
  if (application != kApplicationId && (application != 0 || version != 0 || tables != 0))
    return foreign(db, application);
  if (version > newest(steps))
    return input_error("RIDGE-STORE-0005",
                       fmt::format("the store has version {}, this ridge supports up to {}",
                                   version, newest(steps)))
        .hint("a newer ridge wrote it; use that one")
        .in_file(db.path());
  return version < newest(steps);
}

Result<void> migrate(const Database& db, std::span<const SchemaStep> steps) {
  if (!TRY(is_older(db, steps))) return {};
  Transaction transaction = TRY(Transaction::begin(db));
  // Another program may have migrated the store while this one waited for the lock.
  if (TRY(is_older(db, steps))) TRY(apply(db, steps, TRY(db.number("PRAGMA user_version"))));
  return transaction.commit();
}

Result<void> check_schema(const Database& db, std::span<const SchemaStep> steps) {
  if (TRY(is_older(db, steps))) {
    if (TRY(db.number("SELECT count(*) FROM sqlite_schema")) > 0)
      return db.damaged("its tables are missing");
    return input_error("RIDGE-STORE-0012", "the store is empty")
        .evidence("the program that created it could not write its tables")
        .hint("nothing was stored in it: store a run, which makes them, or delete the file")
        .in_file(db.path());
  }
  const Database fresh = TRY(Database::in_memory());
  TRY(apply(fresh, steps, 0));
  if (TRY(tables_of(db)) == TRY(tables_of(fresh))) return {};
  return db.damaged("its tables do not match its version");
}

Result<Database> open_database(const std::string& path, Access access, Nanos patience,
                               std::span<const SchemaStep> steps) {
  Database db = TRY(Database::open(path, access, patience));
  if (access == Access::kRead && TRY(is_older(db, steps)) &&
      TRY(db.number("PRAGMA user_version")) > 0) {
    // An older version: migrate it before reading.
    TRY(open_database(path, Access::kWrite, patience, steps));
    db = TRY(Database::open(path, access, patience));
  }
  if (access != Access::kRead) TRY(migrate(db, steps));
  TRY(check_schema(db, steps));
  return db;
}

}  // namespace ridge::store
