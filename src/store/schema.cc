#include "store/schema.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ridge::store {
namespace {

/// Version 1: the joined tables (profile/profile.h documents every column), suites of bricks
/// (profile/suite.h), checked findings (profile/checked_finding.h) and evaluations under load, a
/// document each (profile/evaluation_record.h). Times are integer nanoseconds unless they are
/// estimates. The primary key clusters the rows of one run, which are deleted with the run. A
/// model's nodes are stored once for all runs that have the same.
constexpr std::string_view kVersion1 = R"(
CREATE TABLE model(id INTEGER PRIMARY KEY, content TEXT NOT NULL, graph_hash TEXT NOT NULL,
  UNIQUE(content, graph_hash));
CREATE TABLE node(
  model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  node INTEGER NOT NULL, parent INTEGER, repeat INTEGER NOT NULL, name TEXT NOT NULL,
  op_type TEXT NOT NULL, domain TEXT NOT NULL, module TEXT NOT NULL, status TEXT NOT NULL,
  macs INTEGER, flops INTEGER, special INTEGER, int_ops INTEGER,
  bytes_read INTEGER, bytes_written INTEGER, params INTEGER NOT NULL, output_shape TEXT NOT NULL,
  PRIMARY KEY(model, position)) WITHOUT ROWID;
CREATE TABLE run(
  id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE,
  recorded_s INTEGER NOT NULL, point TEXT NOT NULL, fitness TEXT NOT NULL,
  model INTEGER NOT NULL REFERENCES model(id),
  kind TEXT NOT NULL, path TEXT NOT NULL, graph_hash TEXT NOT NULL, producer TEXT NOT NULL,
  ir_version INTEGER NOT NULL, weights TEXT NOT NULL,
  runtime TEXT NOT NULL, runtime_version TEXT NOT NULL, runtime_library TEXT NOT NULL,
  ridge_version TEXT NOT NULL, host TEXT NOT NULL,
  load_ns INTEGER NOT NULL, first_run_ns INTEGER NOT NULL,
  latency_ns REAL, latency_low_ns REAL, latency_high_ns REAL, rejected INTEGER NOT NULL,
  items_per_s REAL, batch INTEGER NOT NULL,
  profiled_ns REAL, profiled_low_ns REAL, profiled_high_ns REAL,
  excess_ns REAL, excess_low_ns REAL, excess_high_ns REAL,
  event_cost_ns REAL, event_share_ns REAL, resolution_ns REAL, cheapest_kernel_ns REAL,
  raw_sum_ns REAL, corrected_sum_ns REAL, gaps_ns REAL, disturbance_ns REAL,
  outside_layers_ns REAL, residual_share REAL,
  event_ns REAL, event_low_ns REAL, event_high_ns REAL,
  fixed_ns REAL, fixed_low_ns REAL, fixed_high_ns REAL,
  predicted_ns REAL, predicted_low_ns REAL, predicted_high_ns REAL,
  total_ns REAL, total_low_ns REAL, total_high_ns REAL,
  factor REAL, factor_low REAL, factor_high REAL,
  unscaled_residual REAL, unscaled_residual_low REAL, unscaled_residual_high REAL,
  predicted_ratio REAL, predicted_ratio_low REAL, predicted_ratio_high REAL,
  layer_times TEXT NOT NULL, verification_reason TEXT NOT NULL,
  deepest_ns REAL, deepest_low_ns REAL, deepest_high_ns REAL,
  predicted_deepest_ns REAL, predicted_deepest_low_ns REAL, predicted_deepest_high_ns REAL,
  imbalance REAL, imbalance_low REAL, imbalance_high REAL,
  unattributed_layers INTEGER NOT NULL, unattributed_share REAL);
CREATE INDEX run_of_point ON run(point);
CREATE INDEX run_of_model ON run(model);
CREATE TABLE opset(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  domain TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE binding(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  name TEXT NOT NULL, value INTEGER NOT NULL, assumed INTEGER NOT NULL,
  PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE run_option(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE process(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  warmup_dropped INTEGER NOT NULL, steadiness TEXT NOT NULL,
  PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE sample(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, process INTEGER NOT NULL,
  position INTEGER NOT NULL, time_ns INTEGER NOT NULL,
  PRIMARY KEY(run, process, position)) WITHOUT ROWID;
CREATE TABLE layer(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  layer INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, implementation TEXT NOT NULL,
  "precision" TEXT NOT NULL, layout TEXT NOT NULL, execution INTEGER NOT NULL,
  inserted INTEGER NOT NULL, below_resolution INTEGER NOT NULL,
  time_ns REAL, time_low_ns REAL, time_high_ns REAL, corrected_ns REAL,
  corrected_median_ns REAL, corrected_low_ns REAL, corrected_high_ns REAL, share REAL,
  executions INTEGER NOT NULL, macs INTEGER, flops INTEGER, special INTEGER, int_ops INTEGER,
  bytes INTEGER, output_bytes INTEGER, flop_per_s REAL, bytes_per_s REAL, intensity REAL,
  bound TEXT NOT NULL, bound_ns REAL, roof_share REAL, bound_reason TEXT NOT NULL,
  least_macs INTEGER, least_bytes INTEGER, least_line_bytes INTEGER, least_trips INTEGER NOT NULL,
  least_streamed INTEGER, module TEXT NOT NULL, PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE layer_sample(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, layer INTEGER NOT NULL,
  position INTEGER NOT NULL, time_ns INTEGER NOT NULL,
  PRIMARY KEY(run, layer, position)) WITHOUT ROWID;
CREATE TABLE kernel(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, layer INTEGER NOT NULL,
  position INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
  time_ns REAL, time_low_ns REAL, time_high_ns REAL,
  PRIMARY KEY(run, layer, position)) WITHOUT ROWID;
CREATE TABLE member(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, layer INTEGER NOT NULL,
  position INTEGER NOT NULL, node INTEGER NOT NULL, role TEXT NOT NULL, evidence TEXT NOT NULL,
  PRIMARY KEY(run, layer, position)) WITHOUT ROWID;
CREATE TABLE without_layer(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  node INTEGER NOT NULL, why TEXT NOT NULL, with_node INTEGER,
  PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE module(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  path TEXT NOT NULL, depth INTEGER NOT NULL, time_ns REAL, share REAL,
  macs INTEGER, flops INTEGER, special INTEGER, int_ops INTEGER, bytes INTEGER,
  layers INTEGER NOT NULL, PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE roof(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  kind TEXT NOT NULL, dtype TEXT NOT NULL, level TEXT NOT NULL, unit TEXT NOT NULL,
  instruction TEXT NOT NULL, threads INTEGER NOT NULL,
  value REAL, low REAL, high REAL, theory REAL, PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE note(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  note TEXT NOT NULL, PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE level_cost(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  level TEXT NOT NULL, runs INTEGER NOT NULL, events REAL NOT NULL,
  latency_ns REAL, latency_low_ns REAL, latency_high_ns REAL,
  event_ns REAL, event_low_ns REAL, event_high_ns REAL,
  fixed_ns REAL, fixed_low_ns REAL, fixed_high_ns REAL,
  PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE thread_work(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  name TEXT NOT NULL, cpu_ns REAL, cpu_low_ns REAL, cpu_high_ns REAL,
  wait_ns REAL, wait_low_ns REAL, wait_high_ns REAL,
  switches REAL, switches_low REAL, switches_high REAL,
  PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE counter(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  name TEXT NOT NULL, unit TEXT NOT NULL, origin TEXT NOT NULL,
  value REAL, value_low REAL, value_high REAL, running_share REAL, reason TEXT NOT NULL,
  PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE reference(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  processes INTEGER NOT NULL, kernel TEXT NOT NULL, time_ns INTEGER NOT NULL,
  PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE verified_cut(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  node INTEGER NOT NULL, tensor TEXT NOT NULL, layers INTEGER NOT NULL,
  layers_ns REAL, outside_ns REAL, part_ns REAL, part_low_ns REAL, part_high_ns REAL,
  inserted_ns REAL, difference REAL, difference_low REAL, difference_high REAL,
  explained_ns REAL, explained_low_ns REAL, explained_high_ns REAL, verdict TEXT NOT NULL,
  PRIMARY KEY(run, position)) WITHOUT ROWID;
CREATE TABLE text(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, id INTEGER NOT NULL,
  value TEXT NOT NULL, PRIMARY KEY(run, id)) WITHOUT ROWID;
CREATE TABLE span(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, id INTEGER NOT NULL,
  parent INTEGER, level TEXT NOT NULL, name INTEGER NOT NULL,
  start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL,
  thread INTEGER NOT NULL, device INTEGER NOT NULL, queue INTEGER NOT NULL,
  correlation INTEGER NOT NULL, PRIMARY KEY(run, id)) WITHOUT ROWID;
CREATE TABLE span_attribute(
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, span INTEGER NOT NULL,
  position INTEGER NOT NULL, key INTEGER NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY(run, span, position)) WITHOUT ROWID;
CREATE TABLE failure(
  id INTEGER PRIMARY KEY AUTOINCREMENT, recorded_s INTEGER NOT NULL, path TEXT NOT NULL,
  label TEXT NOT NULL, runtime TEXT NOT NULL, error TEXT NOT NULL, UNIQUE(path, label, runtime));
CREATE TABLE suite(
  id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE, point TEXT NOT NULL,
  recorded_s INTEGER NOT NULL, load_s REAL, run_s REAL);
CREATE INDEX suite_of_point ON suite(point);
CREATE TABLE suite_brick(
  suite INTEGER NOT NULL REFERENCES suite(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  key TEXT NOT NULL, kind TEXT NOT NULL, macs INTEGER NOT NULL, bytes INTEGER NOT NULL,
  reuse_bytes INTEGER NOT NULL, load_ns INTEGER NOT NULL,
  PRIMARY KEY(suite, position)) WITHOUT ROWID;
CREATE TABLE brick_run(
  suite INTEGER NOT NULL REFERENCES suite(id) ON DELETE CASCADE, brick INTEGER NOT NULL,
  position INTEGER NOT NULL, round INTEGER NOT NULL, reported_ns INTEGER NOT NULL,
  events INTEGER NOT NULL, foreign_cpus REAL,
  PRIMARY KEY(suite, brick, position)) WITHOUT ROWID;
CREATE TABLE chain_run(
  suite INTEGER NOT NULL REFERENCES suite(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  kernels INTEGER NOT NULL, bytes INTEGER NOT NULL, round INTEGER NOT NULL,
  plain_ns INTEGER NOT NULL, profiled_ns INTEGER NOT NULL, reported_ns INTEGER NOT NULL,
  foreign_cpus REAL, PRIMARY KEY(suite, position)) WITHOUT ROWID;
CREATE TABLE lost_brick(
  suite INTEGER NOT NULL REFERENCES suite(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  key TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY(suite, position)) WITHOUT ROWID;
CREATE TABLE checked_finding(
  id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE, recorded_s INTEGER NOT NULL,
  model TEXT NOT NULL, graph_hash TEXT NOT NULL, point TEXT NOT NULL, runtime TEXT NOT NULL,
  runtime_version TEXT NOT NULL, ridge_version TEXT NOT NULL, threads INTEGER NOT NULL,
  host TEXT NOT NULL, finding TEXT NOT NULL, question TEXT NOT NULL, kind TEXT NOT NULL,
  predicted_ns REAL, predicted_low_ns REAL, predicted_high_ns REAL,
  gain_ns REAL, gain_low_ns REAL, gain_high_ns REAL,
  before_ns REAL, before_low_ns REAL, before_high_ns REAL,
  after_ns REAL, after_low_ns REAL, after_high_ns REAL,
  state TEXT NOT NULL, prediction TEXT NOT NULL, reason TEXT NOT NULL, max_abs REAL, max_rel REAL,
  lossless INTEGER NOT NULL);
CREATE TABLE checked_node(
  checked INTEGER NOT NULL REFERENCES checked_finding(id) ON DELETE CASCADE,
  node INTEGER NOT NULL, PRIMARY KEY(checked, node)) WITHOUT ROWID;
CREATE TABLE evaluation(
  id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE, recorded_s INTEGER NOT NULL,
  point TEXT NOT NULL, model TEXT NOT NULL, model_sha256 TEXT NOT NULL, data TEXT NOT NULL,
  scenario TEXT NOT NULL, runtime TEXT NOT NULL, runtime_version TEXT NOT NULL,
  ridge_version TEXT NOT NULL, threads INTEGER NOT NULL, host TEXT NOT NULL,
  queries_per_s REAL, median_ns REAL, top1 REAL, validity TEXT NOT NULL, document TEXT NOT NULL);
CREATE INDEX evaluation_of_point ON evaluation(point);
)";

constexpr SchemaStep kSteps[] = {{1, kVersion1}};

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
/// "Rdge". Their versions 1 to 8 are not those of `kSteps`.
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

std::span<const SchemaStep> schema_steps() { return kSteps; }

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
