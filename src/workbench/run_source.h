// Runs that were measured before, as the verbs take them: "run.json" (ridge.profile/1 or
// ridge.profiles/1), "-" for standard input, "runs.db" for all runs of a store, "runs.db:7" for
// one, "runs.db:last" for the last; a text that another program recorded (import/import.h), without
// its model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "store/store.h"

namespace ridge::workbench {

/// Whether a text names runs, by its form or by what the file begins with; else it may be a model.
bool names_runs(const std::string& source);

struct LoadedRun {
  profile::Profile profile;
  store::RunId id = 0;  ///< in its store; 0: it comes from none
};
/// At least one, in the order of the source. Errors name the source.
Result<std::vector<LoadedRun>> load_runs(const std::string& source);
Result<std::vector<profile::Profile>> load_profiles(const std::string& source);

/// "runs.db:7" taken apart: the store's path and what stands behind the last colon, "" where the
/// source is a store as a whole; nullopt where it names no store. A file is one by its first bytes.
struct StoredRuns {
  std::string store, run;
};
std::optional<StoredRuns> stored_runs(const std::string& source);

/// The number that `run` means, "last" included. Errors: usage class for what is no number, input
/// class for a run that is not there.
Result<store::RunId> run_number(const store::Store& store, const std::string& run);

}  // namespace ridge::workbench
