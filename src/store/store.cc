#include "store/store.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <set>

#include "base/number.h"
#include "base/text.h"
#include "profile/sweep.h"
#include "store/model_rows.h"
#include "store/rows.h"
#include "store/run_rows.h"
#include "store/schema.h"

namespace ridge::store {
namespace {

using profile::Profile;

/// Number of run ids that a message lists before it abbreviates.
constexpr std::size_t kNamedRuns = 12;

std::string ids_text(const std::vector<RunId>& ids) {
  if (ids.empty()) return "it has no runs";
  std::string out;
  const bool all = ids.size() <= kNamedRuns + 1;  // the abbreviated form adds the last id
  for (std::size_t i = 0; i < ids.size() && (all || i < kNamedRuns); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", ids[i]);
  if (!all) out += fmt::format(", … {} ({} runs)", ids.back(), ids.size());
  return "it has " + out;
}

Result<std::optional<RunId>> first_run(Statement statement) {
  if (!TRY(statement.step())) return std::optional<RunId>();
  return statement.integer(0);
}

/// Columns of a RunRow: from table run, then the number of layers, the sizes and the threads.
constexpr std::string_view kListed =
    "SELECT id, recorded_s, kind, path, graph_hash, runtime, runtime_version, ridge_version, host, "
    "point, content, batch, latency_ns, latency_low_ns, latency_high_ns, items_per_s, "
    "(SELECT count(*) FROM layer WHERE layer.run = run.id), "
    "(SELECT group_concat(name || '=' || value, ', ') FROM binding WHERE binding.run = run.id), "
    "(SELECT value FROM run_option WHERE run_option.run = run.id AND name = 'threads') "
    "FROM run ORDER BY id";

RunRow listed(const Statement& s) {
  RunRow row;
  row.id = s.integer(0).value_or(0);
  row.recorded_s = s.integer(1).value_or(0);
  int at = 2;
  for (std::string* text :
       {&row.kind, &row.path, &row.graph_hash, &row.runtime, &row.runtime_version,
        &row.ridge_version, &row.host, &row.point, &row.content})
    *text = s.text(at++);
  row.batch = s.integer(11).value_or(1);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto figure = [&](int column) { return s.real(column).value_or(kNone); };
  row.latency_ns = {figure(12), figure(13), figure(14)};
  row.items_per_s = figure(15);
  row.layers = s.integer(16).value_or(0);
  row.sizes = s.text(17);
  row.threads = s.text(18);
  return row;
}

/// Path, label and runtime: the key of a failure.
using PointName = std::array<std::string, 3>;

/// Points of these runs, named as their failures would be.
Result<std::set<PointName>> measured_points(const Database& db, const std::vector<RunRow>& runs) {
  std::set<PointName> out;
  for (const RunRow& run : runs) {
    analysis::BoundSizes sizes;
    for (auto& row : TRY(read_rows<BindingRow>(db, "binding", "run", run.id)))
      sizes[row.name] = {row.value, row.assumed};
    const std::int64_t threads = whole_number(run.threads).value_or(1);
    out.insert({run.path, profile::point_label(sizes, threads), run.runtime});
  }
  return out;
}

}  // namespace

Result<Store> Store::open(const std::string& path, Access access, Nanos patience) {
  return Store(TRY(open_database(path, access, patience, schema_steps())));
}

Result<Appended> Store::append(const Profile& profile, const Stamp& stamp) {
  const RunHead head{content_of(profile), stamp.recorded_s, stamp.point, stamp.fitness};
  Transaction transaction = TRY(Transaction::begin(db_));
  Statement known = TRY(db_.prepare("SELECT id FROM run WHERE content = ?"));
  known.bind(1, head.content);
  if (const auto id = TRY(first_run(std::move(known)))) return Appended{*id, false};
  const RunId id = TRY(write_run(db_, head, profile));
  TRY(transaction.commit());
  return Appended{id, true};
}

Result<void> Store::must_have(RunId id) const {
  Statement known = TRY(db_.prepare("SELECT id FROM run WHERE id = ?"));
  known.bind(1, id);
  if (TRY(known.step())) return {};
  std::vector<RunId> ids;
  Statement all = TRY(db_.prepare("SELECT id FROM run ORDER BY id"));
  while (TRY(all.step())) ids.push_back(all.integer(0).value_or(0));
  return input_error("RIDGE-STORE-0010", fmt::format("there is no run {}", id))
      .evidence(ids_text(ids))
      .hint("ridge runs list shows them")
      .in_file(path());
}

Result<Profile> Store::read(RunId id) const {
  TRY(db_.run("BEGIN"));  // one snapshot despite concurrent writers
  Result<Profile> p = [&]() -> Result<Profile> {
    TRY(must_have(id));
    return read_run(db_, id);
  }();
  (void)db_.run("ROLLBACK");
  return p;
}

Result<Stamp> Store::stamp(RunId id) const {
  TRY(must_have(id));
  Statement s = TRY(db_.prepare("SELECT recorded_s, point, fitness FROM run WHERE id = ?"));
  s.bind(1, id);
  if (!TRY(s.step())) return db_.damaged("a run was removed while it was read");
  return Stamp{s.integer(0).value_or(0), std::string(s.text(1)), std::string(s.text(2))};
}

Result<std::vector<RunRow>> Store::list() const {
  Statement rows = TRY(db_.prepare(std::string(kListed)));
  std::vector<RunRow> out;
  while (TRY(rows.step())) out.push_back(listed(rows));
  return out;
}

Result<std::optional<RunId>> Store::last() const {
  return first_run(TRY(db_.prepare("SELECT id FROM run ORDER BY id DESC LIMIT 1")));
}

Result<void> Store::remove(RunId id) {
  Transaction transaction = TRY(Transaction::begin(db_));
  TRY(must_have(id));
  Statement s = TRY(db_.prepare("DELETE FROM run WHERE id = ?"));
  s.bind(1, id);
  TRY(s.run());
  TRY(drop_unused_models(db_));
  return transaction.commit();
}

Result<Merged> Store::merge(const Store& other, const RuntimeTitle& title) {
  Merged out;
  for (const RunRow& row : TRY(other.list())) {
    const Profile profile = TRY(other.read(row.id));
    const Appended kept = TRY(append(profile, TRY(other.stamp(row.id))));
    ++(kept.added ? out.added : out.duplicates);
  }
  for (const std::string& point : TRY(other.suite_points()))
    for (const profile::SuiteProcess& process : TRY(other.suites(point)))
      out.suites += TRY(append(process)) ? 1 : 0;
  for (const profile::CheckedFinding& check : TRY(other.checked_findings()))
    out.checks += TRY(append(check)) ? 1 : 0;
  for (const EvaluationRow& row : TRY(other.evaluations()))
    out.evaluations += TRY(append(TRY(other.evaluation(row.id)))).added ? 1 : 0;
  std::set<PointName> settled = TRY(measured_points(db_, TRY(list())));
  const auto point = [&](const Failure& f) {
    return PointName{f.path, f.label, title ? title(f.runtime) : f.runtime};
  };
  for (const Failure& failure : TRY(failures()))
    if (!settled.insert(point(failure)).second) TRY(forget_failure(failure));
  for (const Failure& failure : TRY(other.failures()))
    if (settled.insert(point(failure)).second) TRY(record_failure(failure));
  return out;
}

Result<std::optional<RunId>> Store::run_of_point(std::string_view point) const {
  Statement s = TRY(db_.prepare("SELECT id FROM run WHERE point = ? ORDER BY id DESC LIMIT 1"));
  s.bind(1, point);
  return first_run(std::move(s));
}

Result<void> Store::record_failure(const Failure& f) {
  Statement s =
      TRY(db_.prepare("INSERT OR REPLACE INTO failure(recorded_s, path, label, runtime, error) "
                      "VALUES (?, ?, ?, ?, ?)"));
  s.bind(1, f.recorded_s);
  int at = 1;
  for (const std::string* text : {&f.path, &f.label, &f.runtime, &f.error})
    s.bind(++at, std::string_view(*text));
  return s.run();
}

Result<void> Store::forget_failure(const Failure& f) {
  Statement s =
      TRY(db_.prepare("DELETE FROM failure WHERE path = ? AND label = ? AND runtime = ?"));
  int at = 0;
  for (const std::string* text : {&f.path, &f.label, &f.runtime})
    s.bind(++at, std::string_view(*text));
  return s.run();
}

Result<std::vector<Failure>> Store::failures() const {
  Statement s =
      TRY(db_.prepare("SELECT recorded_s, path, label, runtime, error FROM failure ORDER BY id"));
  std::vector<Failure> out;
  while (TRY(s.step())) {
    Failure f{.recorded_s = s.integer(0).value_or(0)};
    int at = 1;
    for (std::string* text : {&f.path, &f.label, &f.runtime, &f.error}) *text = s.text(at++);
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace ridge::store
