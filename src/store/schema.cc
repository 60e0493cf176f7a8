// SPDX-License-Identifier: Apache-2.0
#include "store/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <type_traits>
#include <vector>

#include "record/columns.h"
#include "store/describe_experiment.h"
#include "store/describe_lists.h"
#include "store/lists.h"
#include "store/run_rows.h"
#include "store/views.h"

namespace ridge::store {
namespace {

using record::kType;

/// CREATE TABLE of a described row. `keys` and `after` are the columns and constraints beside it.
/// Words and truths are checked by the reader alone, which does not trust the file.
void create(std::string& sql, std::string_view table, const record::Type& type,
            std::string_view keys, std::string_view after) {
  sql += record::sql_create(
      {.table = table, .type = type, .before = keys, .after = after, .checks = false});
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
         "  model INTEGER NOT NULL REFERENCES model(id),\n  " +
             record::sql_columns(kType<RunHead>),
         "");
  // What filters look at (filtered_lists.cc), without the rest of each row.
  sql +=
      ";\nCREATE INDEX run_of_point ON run(point);\nCREATE INDEX run_of_model ON run(model);\n"
      "CREATE INDEX wide_run ON run(recorded_s, runtime, thread_option, path, machine);\n";
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
      "CREATE INDEX lead_of_node ON member(run, node) WHERE leads = 1;\n"
      "CREATE UNIQUE INDEX home_of_node ON member(run, node) WHERE home = 1;\n"
      "CREATE INDEX absence_of_node ON without_layer(run, node);\n";
  create(sql, "failure", kType<Failure>, "id INTEGER PRIMARY KEY AUTOINCREMENT", "");
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

void create_experiments(std::string& sql) {
  create_with_content(sql, "experiment", kType<Experiment>);
  create_owned(sql, "experiment_point", kType<PlannedPoint>, "experiment", "experiment",
               {"position"});
  create_owned(sql, "experiment_place", kType<PointPlace>, "experiment", "experiment",
               {"point", "position"});
  create(sql, "agent", kType<Agent>,
         "experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE",
         "PRIMARY KEY(experiment, name)");
  sql += " WITHOUT ROWID;\nCREATE INDEX agent_of_name ON agent(name, last_s);\n";
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
  sql +=
      "CREATE INDEX evaluation_of_point ON evaluation(point);\n"
      "CREATE INDEX wide_evaluation ON evaluation(kind, recorded_s, runtime, threads, model, "
      "host);\n";
  create_experiments(sql);
  for (const View& view : views()) sql += create_view(view);
  return sql;
}

std::int64_t newest(std::span<const SchemaStep> steps) { return steps.back().version; }

Result<void> apply(const Database& db, std::span<const SchemaStep> steps, std::int64_t version) {
  for (const SchemaStep& step : steps) {
    if (step.version <= version) continue;
    TRY(db.run(std::string(step.sql)));
    TRY(db.connection().set_version(step.version));
  }
  return {};
}

}  // namespace

std::span<const SchemaStep> schema_steps() {
  static const std::string sql = version_1();
  static const SchemaStep steps[] = {{1, sql}};
  return steps;
}

Result<bool> is_older(const Database& db, std::span<const SchemaStep> steps) {
  const std::int64_t version = TRY(db.connection().mark()).version;
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
  return in_transaction(db, Purpose::kRemove, [&]() -> Result<void> {
    // Another program may have migrated the store while this one waited for the lock.
    if (TRY(is_older(db, steps))) TRY(apply(db, steps, TRY(db.connection().mark()).version));
    return {};
  });
}

Result<void> check_schema(const Database& db, std::span<const SchemaStep> steps) {
  if (TRY(is_older(db, steps))) {
    if (TRY(db.connection().mark()).tables > 0) return db.damaged("its tables are missing");
    return input_error("RIDGE-STORE-0012", "the store is empty")
        .evidence("the program that created it could not write its tables")
        .hint("nothing was stored in it: store a run, which makes them, or delete the file")
        .in_file(db.path());
  }
  const Database fresh = TRY(Database::in_memory());
  TRY(apply(fresh, steps, 0));
  return db.connection().check_tables(fresh.connection());
}

Result<Database> open_database(const std::string& name, Access access, Nanos patience,
                               std::span<const SchemaStep> steps) {
  Database db = TRY(Database::open(name, access, patience));
  if (access == Access::kRead && TRY(is_older(db, steps)) &&
      TRY(db.connection().mark()).version > 0) {
    // An older version: migrate it before reading.
    TRY(open_database(name, Access::kWrite, patience, steps));
    db = TRY(Database::open(name, access, patience));
  }
  if (access != Access::kRead) TRY(migrate(db, steps));
  TRY(check_schema(db, steps));
  return db;
}

}  // namespace ridge::store
