// SPDX-License-Identifier: Apache-2.0
// Store of runs in an SQLite file or in a PostgreSQL server: --store appends to it, and every verb
// that takes runs reads it.
//
//   Store store = TRY(Store::open("runs.db", Access::kCreate));     // or postgresql://?service=lab
//   const Appended kept = TRY(store.append(profile, {.recorded_s = now}));
//   Profile same = TRY(store.read(kept.id));           // member by member
//   for (const RunRow& run : TRY(store.list())) ...
//
// The tables hold the types of profile/profile.h, profile/suite.h, profile/checked_finding.h and
// profile/evaluation_record.h (store/schema.cc); an older store is migrated when it is opened. A
// run, a process of a suite of bricks, a checked finding, or an evaluation is appended in one
// transaction: a program that is killed leaves all previous ones and no partial one. Several
// programs may read while one writes; writers wait for each other up to `patience`, in a server
// only those that remove. A server that goes away is waited for as long, and what was not committed
// is written again. What the store already has is recognized by its content and not stored twice.
//
// Errors: input class for what is not a store, a store that is newer or damaged, a run that does
// not exist; environment class for one that is locked, cannot be written or cannot be reached. Each
// names the file or the server.
// Thread rule: one thread per Store. Cost: opening about 2 ms, appending some milliseconds for the
// disk and about a microsecond per row.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sink.h"
#include "profile/checked_finding.h"
#include "profile/evaluation_record.h"
#include "profile/profile.h"
#include "profile/suite.h"
#include "store/database.h"
#include "store/experiment.h"
#include "store/list_rows.h"
#include "store/run_times.h"
#include "store/views.h"

namespace ridge::store {

struct RunFilter;         // run_filter.h
struct StoredExperiment;  // experiment_rows.h

/// Maps the runtime name of a failure ("ort") to the name that runs record ("ONNX Runtime").
using RuntimeTitle = std::function<std::string(const std::string&)>;

struct Merged {
  std::int64_t added = 0, duplicates = 0;  ///< runs
  std::int64_t suites = 0;                 ///< processes of suites that were added
  std::int64_t checks = 0;                 ///< checked findings that were added
  std::int64_t evaluations = 0;            ///< evaluations that were added
  std::int64_t generations = 0;            ///< generations that were added
  std::int64_t experiments = 0;            ///< experiments that were added
};

class Store {
 public:
  static Result<Store> open(const std::string& path, Access access, Nanos patience = kPatience);
  /// To read; nullopt where the file is absent, or the server's schema has no tables yet.
  static Result<std::optional<Store>> open_if_made(const std::string& path);

  Result<Appended> append(const profile::Profile& profile, const Stamp& stamp = {});
  Result<profile::Profile> read(RunId id) const;
  Result<Stamp> stamp(RunId id) const;
  /// Latencies of a run and how it ran, without the rest of it (store/run_times.h).
  Result<RunTimes> times(RunId id) const;
  /// All runs, oldest first.
  Result<std::vector<RunRow>> list() const;
  /// The runs that pass, newest first. Cost: that of the window, and of counting all that pass.
  Result<Windowed<RunRow>> runs(const RunFilter& filter, const Window& window) const;
  /// Machines with results, by name, runtime and version.
  Result<std::vector<HostRow>> hosts() const;
  /// Id of the newest run; nullopt where the store is empty.
  Result<std::optional<RunId>> last() const;
  Result<void> remove(RunId id);
  /// Appends what this store lacks of another: its runs, its failures of points that neither store
  /// has measured or recorded as failed, its suites, its checked findings, its evaluations and its
  /// experiments.
  /// Removes failures of this store whose points are now measured. Without `title`, failures are
  /// taken to name runtimes as runs do.
  Result<Merged> merge(const Store& other, const RuntimeTitle& title = {});

  /// Id of the newest run of a requested point; nullopt where there is none.
  Result<std::optional<RunId>> run_of_point(std::string_view point) const;
  Result<void> record_failure(const Failure& failure);
  /// Removes the failure of the same model, point and runtime, whose point has been measured.
  Result<void> forget_failure(const Failure& failure);
  Result<std::vector<Failure>> failures() const;

  /// Appends a process of a suite of bricks; false if the store already has it.
  Result<bool> append(const profile::SuiteProcess& process);
  /// The processes of suites at a point, in the order in which they were stored.
  Result<std::vector<profile::SuiteProcess>> suites(std::string_view point) const;
  /// Points that have suites, in the order in which they were first stored.
  Result<std::vector<std::string>> suite_points() const;

  /// Appends a checked finding; false if the store already has it.
  Result<bool> append(const profile::CheckedFinding& check);
  /// All checked findings, by the time at which they were recorded; at equal times in the order in
  /// which they were stored.
  Result<std::vector<profile::CheckedFinding>> checked_findings() const;

  using EvaluationKind = profile::EvaluationKind;
  /// Appends an evaluation of either kind; `added` is false if the store already had it.
  Result<Appended> append(const profile::EvaluationRecord& evaluation);
  /// All evaluations of a kind without their documents, oldest first. Kinds share their numbers.
  Result<std::vector<EvaluationRow>> evaluations(
      EvaluationKind kind = EvaluationKind::kEvaluation) const;
  /// The evaluations that pass, without their documents and generations, newest first.
  Result<Windowed<EvaluationRow>> evaluations(const RunFilter& filter, const Window& window) const;
  /// Errors: input class, RIDGE-STORE-0011, for one that does not exist, or is of another kind.
  Result<profile::EvaluationRecord> evaluation(
      EvaluationId id, EvaluationKind kind = EvaluationKind::kEvaluation) const;
  Result<void> remove_evaluation(EvaluationId id,
                                 EvaluationKind kind = EvaluationKind::kEvaluation);
  /// Id of the newest evaluation of a point, which is one of either kind; nullopt where there is
  /// none.
  Result<std::optional<EvaluationId>> evaluation_of_point(std::string_view point) const;

  /// Begins an experiment, or goes on with the one of its name, requests and spread.
  Result<ExperimentId> begin(const Experiment& experiment);
  /// Adds points to it, or machines to points that it has by their names; failed ones are tried
  /// again. Returns their numbers.
  Result<std::vector<std::int64_t>> plan(ExperimentId id, const std::vector<PlannedPoint>& points);
  Result<void> note(ExperimentId id, const ExperimentNews& news);
  /// Newest first.
  Result<std::vector<ExperimentRow>> experiments() const;
  /// Errors: input class, RIDGE-STORE-0022, for one that does not exist.
  Result<ExperimentReport> experiment(ExperimentId id) const;
  /// By its number, or the newest of a name. Errors: as above.
  Result<ExperimentId> experiment_named(std::string_view name) const;
  /// The agents of all experiments, by name, each as it was last heard of.
  Result<std::vector<AgentRow>> agents() const;

  /// One state of the store for all that is read while it lives.
  Result<Transaction> snapshot() const { return Transaction::snapshot(db_); }
  /// Writes a view as CSV with a header, row by row: runs or evaluations by number, the rows of
  /// each in order. Error: a column has a value of another type (damaged).
  Result<void> write_csv(const View& view, Sink& sink) const;

  /// Text that is another one once somebody else changed the store, and never one that was before;
  /// nullopt where that cannot be told. Cost: 10 us in a file, a turn of the network in a server.
  Result<std::optional<std::string>> state() const { return db_.connection().state(); }

  const std::string& path() const { return db_.path(); }

 private:
  explicit Store(Database db) : db_(std::move(db)) {}
  Result<void> must_have(RunId id) const;
  Result<bool> merge_experiment(const StoredExperiment& theirs);
  Result<std::int64_t> merge_experiments(const Store& other);
  Database db_;
};

}  // namespace ridge::store
