// SPDX-License-Identifier: Apache-2.0
// Completes a measured or imported profile with its host and its roofs. Runs that are stored,
// compared or printed have all passed through here.
//
//   RoofSource roofs(environment, spec.threads, spec.refresh_roofs);
//   const Finished finished = finish(TRY(measure::profile_model(resolved, request)), roofs);
//
// Thread rule: one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "roofline/roofs.h"
#include "session/environment.h"
#include "session/machine_roofs.h"

namespace ridge::session {

/// Roofs of this machine, read from the cache or measured at the first use, so that no roofs are
/// measured for a model that fails. Ownership: borrows the environment.
class RoofSource {
 public:
  RoofSource(const Environment& environment, std::vector<int> threads, bool refresh)
      : environment_(&environment), threads_(std::move(threads)), refresh_(refresh) {}

  /// Errors: as machine_roofs; the next call tries again.
  Result<const MachineRoofs*> get();
  /// Returns the time that get() took to obtain the roofs, and resets it to 0.
  Nanos take_cost() { return std::exchange(took_, {}); }
  /// The roofs that get() obtained; empty if there was no successful call.
  const MachineRoofs& measured() const { return roofs_; }
  const Environment& environment() const { return *environment_; }

 private:
  const Environment* environment_;
  std::vector<int> threads_;
  bool refresh_;
  MachineRoofs roofs_;
  Nanos took_;
};

struct Finished {
  profile::Profile profile;
  std::optional<Error> roof_error;  ///< set if the profile has no roofs: the reason
};

/// Adds the host, the roofs for the run's thread count, and each layer's bound. If the roofs cannot
/// be obtained, returns the profile without them.
Finished finish(profile::Profile measured, RoofSource& roofs);

/// Adds only the host, for runs of comparisons, which do not use roofs.
profile::Profile finish_without_roofs(profile::Profile measured, const Environment& environment);

struct FinishedImport {
  profile::Profile profile;
  roofline::Roofs roofs;
};

/// Adds host and roofs of the recorded machine from its document at `machine`; neither if `machine`
/// is empty. `threads`: 0 selects the highest thread count in the document. Errors: as
/// read_machine_file; usage class (RIDGE-IMP-0012): `threads` without `machine`, or without roofs
/// for it in the document.
Result<FinishedImport> finish_import(profile::Profile imported, const std::string& machine,
                                     int threads);

}  // namespace ridge::session
