// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "profile/summary.h"
#include "profile/sweep.h"
#include "store/describe_lists.h"
#include "store/errors.h"
#include "store/model_rows.h"
#include "store/rows.h"
#include "store/run_rows.h"
#include "store/schema.h"
#include "store/source.h"

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

/// Path, label and runtime: the key of a failure.
using PointName = std::array<std::string, 3>;

/// Points of these runs, named as their failures would be.
Result<std::set<PointName>> measured_points(const Database& db, const std::vector<RunRow>& runs) {
  std::set<PointName> out;
  for (const RunRow& run : runs) {
    analysis::BoundSizes sizes;
    for (auto& row : TRY(read_rows<BindingRow>(db, "binding", "run", run.id)))
      sizes[row.name] = row.binding;
    const std::int64_t threads = whole_number(run.threads).value_or(1);
    out.insert({run.path, profile::point_label(sizes, threads), run.runtime});
  }
  return out;
}

/// Deletes the failure of the same model, point and runtime.
Result<void> delete_failure(const Database& db, const Failure& f) {
  Statement s = TRY(db.prepare("DELETE FROM failure WHERE path = ? AND label = ? AND runtime = ?"));
  int at = 0;
  for (const std::string* text : {&f.path, &f.label, &f.runtime})
    s.bind(++at, std::string_view(*text));
  return s.run();
}

}  // namespace

Result<Store> Store::open(const std::string& path, Access access, Nanos patience) {
  return Store(TRY(open_database(path, access, patience, schema_steps())));
}

Result<std::optional<Store>> Store::open_if_made(const std::string& path) {
  if (!is_server(path) && !file_exists(path)) return std::optional<Store>();
  Database db = TRY(Database::open(path, Access::kRead, kPatience));
  if (is_server(path) && TRY(db.connection().mark()).tables == 0) return std::optional<Store>();
  return std::optional<Store>(TRY(open(path, Access::kRead)));
}

Result<Appended> Store::append(const Profile& profile, const Stamp& stamp) {
  const std::string content = content_of(profile);
  const RunHead head = head_of(profile, stamp);
  return append_once(db_, "run", content, [&] { return write_run(db_, content, head, profile); });
}

Result<void> Store::must_have(RunId id) const {
  Statement known = TRY(db_.prepare("SELECT id FROM run WHERE id = ?"));
  known.bind(1, id);
  if (TRY(known.step())) return {};
  std::vector<RunId> ids;
  Statement all = TRY(db_.prepare("SELECT id FROM run ORDER BY id"));
  while (TRY(all.step())) ids.push_back(all.integer(0).value_or(0));
  return input_error(kNoSuchRun, fmt::format("there is no run {}", id))
      .evidence(ids_text(ids))
      .hint("ridge runs list shows them")
      .in_file(path());
}

Result<Profile> Store::read(RunId id) const {
  const Transaction seen = TRY(snapshot());
  TRY(must_have(id));
  return read_run(db_, id);
}

Result<Stamp> Store::stamp(RunId id) const {
  TRY(must_have(id));
  Statement s = TRY(db_.prepare("SELECT recorded_s, point, fitness FROM run WHERE id = ?"));
  s.bind(1, id);
  if (!TRY(s.step())) return db_.damaged("a run was removed while it was read");
  return Stamp{s.integer(0).value_or(0), std::string(s.text(1)), std::string(s.text(2))};
}

Result<std::vector<RunRow>> Store::list() const {
  Statement rows = TRY(db_.prepare(
      fmt::format("SELECT {} FROM run ORDER BY id", record::column_names(record::kType<RunRow>))));
  std::vector<RunRow> out;
  while (TRY(rows.step()))
    TRY(take_row(db_, "run", rows, 0, record::kType<RunRow>, &out.emplace_back()));
  return out;
}

Result<std::optional<RunId>> Store::last() const {
  return first_id(TRY(db_.prepare("SELECT id FROM run ORDER BY id DESC LIMIT 1")));
}

Result<void> Store::remove(RunId id) {
  return in_transaction(db_, Purpose::kRemove, [&]() -> Result<void> {
    TRY(must_have(id));
    Statement s = TRY(db_.prepare("DELETE FROM run WHERE id = ?"));
    s.bind(1, id);
    TRY(s.run());
    return drop_unused_models(db_);
  });
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
  using Kind = profile::EvaluationKind;
  for (const auto& [kind, added] : {std::pair(Kind::kEvaluation, &out.evaluations),
                                    std::pair(Kind::kGeneration, &out.generations)})
    for (const EvaluationRow& row : TRY(other.evaluations(kind)))
      *added += TRY(append(TRY(other.evaluation(row.id, kind)))).added ? 1 : 0;
  out.experiments = TRY(merge_experiments(other));
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
  return first_id(std::move(s));
}

Result<void> Store::record_failure(const Failure& f) {
  return in_transaction(db_, Purpose::kRemove, [&]() -> Result<void> {
    TRY(delete_failure(db_, f));
    auto rows = TRY(RowWriter<Failure>::make(db_, "failure", {}));
    TRY(rows.add({}, f));
    return rows.done();
  });
}

Result<void> Store::forget_failure(const Failure& f) {
  return in_transaction(db_, Purpose::kRemove, [&] { return delete_failure(db_, f); });
}

Result<std::vector<Failure>> Store::failures() const {
  auto rows = TRY(RowReader<Failure>::make_all(db_, "failure", {"id"}));
  std::vector<Failure> out;
  while (TRY(rows.next())) out.push_back(std::move(rows.row()));
  return out;
}

}  // namespace ridge::store
