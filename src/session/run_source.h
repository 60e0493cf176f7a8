// SPDX-License-Identifier: Apache-2.0
// Loads earlier runs from a source as given to the verbs: "run.json" (ridge.profile/1 or
// ridge.profiles/1), "-" for standard input, "runs.db" for all runs of a store, "runs.db:7" for
// one, "runs.db:last" for the last (a server's URI in place of the file alike, store/source.h), or
// a text recording of another program (import/import.h), imported without its model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "store/store.h"

namespace ridge::session {

/// True if `source` names runs, by its form or by the first bytes of the file; otherwise it may
/// name a model.
bool is_run_source(const std::string& source);

struct LoadedRun {
  profile::Profile profile;
  store::RunId id = 0;  ///< id in its store; 0: not from a store
};
/// Loads the runs, at least one, in the order of the source. Errors name the source.
Result<std::vector<LoadedRun>> load_runs(const std::string& source);
Result<std::vector<profile::Profile>> load_profiles(const std::string& source);

/// Id of the run that `run` names: a number, or "last". A number is not looked up in the store.
/// Errors: usage class if it is not a number; input class for "last" of an empty store.
Result<store::RunId> run_number(const store::Store& store, const std::string& run);

}  // namespace ridge::session
