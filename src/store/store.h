// Runs kept in one SQLite file: what --store appends to, and every verb that takes runs reads.
//
//   Store store = TRY(Store::open("runs.db", Access::kCreate));
//   const Appended kept = TRY(store.append(profile, {.recorded_s = now}));
//   Profile same = TRY(store.read(kept.id));           // member by member
//   for (const RunRow& run : TRY(store.list())) ...
//
// The tables are those of profile/profile.h (store/schema.cc); an older store is brought up to date
// when it is opened. A run is appended in one transaction: a program that is killed leaves the runs
// before it and no half of one. Several programs may read while one writes; writers queue up for as
// long as `patience`. A run that is there already is recognised by its content and not kept twice.
//
// Errors: input class for what is no store, a newer one, a damaged one, a run that is not there;
// environment class for a file that is locked or cannot be written. Each names the file.
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
#include "profile/profile.h"
#include "store/database.h"

namespace ridge::store {

using RunId = std::int64_t;

/// What is kept beside a profile.
struct Stamp {
  std::int64_t recorded_s = 0;  ///< seconds since 1970, UTC
  std::string point;            ///< what was asked for (cli/point_key.h); "" where nobody asked
  std::string fitness;          ///< of the host at that time: JSON of machine/fitness.h, or ""
};

struct Appended {
  RunId id = 0;
  bool added = false;  ///< false: the store had it already, as `id`
};

/// A run in a list.
struct RunRow {
  RunId id = 0;
  std::int64_t recorded_s = 0;
  std::string kind, path, graph_hash, runtime, runtime_version, ridge_version, host, point, content;
  std::string sizes;    ///< "batch=8, sequence=128"
  std::string threads;  ///< of the runtime; "" where the run does not say
  std::int64_t batch = 1;
  profile::Estimate latency_ns;  ///< NaN where the run does not say, as the next
  double items_per_s = 0;
  std::int64_t layers = 0;
};

/// A point that could not be measured. A later one of the same model, point and runtime takes its
/// place.
struct Failure {
  std::int64_t recorded_s = 0;
  std::string path, label, runtime;  ///< as asked for: "zoo:vgg16", "batch=4, 2 threads", "ort"
  std::string error;
};

/// What runs call a runtime that failures name as it is asked for: "ONNX Runtime" of "ort".
using RuntimeTitle = std::function<std::string(const std::string&)>;

struct Merged {
  std::int64_t added = 0, duplicates = 0;
};

class Store {
 public:
  static Result<Store> open(const std::string& path, Access access, Nanos patience = kPatience);

  Result<Appended> append(const profile::Profile& profile, const Stamp& stamp = {});
  Result<profile::Profile> read(RunId id) const;
  Result<Stamp> stamp(RunId id) const;
  /// Oldest first.
  Result<std::vector<RunRow>> list() const;
  /// nullopt: there is none.
  Result<std::optional<RunId>> last() const;
  Result<void> remove(RunId id);
  /// Appends the runs of another store that this one has not, and failures that it has not, of
  /// points that neither has measured. Without `title` both name runtimes alike.
  Result<Merged> merge(const Store& other, const RuntimeTitle& title = {});

  /// The last run of a point that was asked for.
  Result<std::optional<RunId>> run_of_point(std::string_view point) const;
  Result<void> record_failure(const Failure& failure);
  /// The point of that failure was measured.
  Result<void> forget_failure(const Failure& failure);
  Result<std::vector<Failure>> failures() const;

  const std::string& path() const { return db_.path(); }

 private:
  explicit Store(Database db) : db_(std::move(db)) {}
  Result<void> must_have(RunId id) const;
  Database db_;
};

}  // namespace ridge::store
