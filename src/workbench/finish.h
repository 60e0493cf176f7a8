// The one place where a profile becomes complete: what was measured or imported gets its host and
// its roofs. Everything that keeps, compares or shows runs takes them from here.
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
#include "workbench/environment.h"
#include "workbench/machine_roofs.h"

namespace ridge::workbench {

/// This machine's roofs, read from the cache or measured at the first use: a model that cannot be
/// measured costs no roofs. Ownership: borrows the environment.
class RoofSource {
 public:
  RoofSource(const Environment& environment, std::vector<int> threads, bool refresh)
      : environment_(&environment), threads_(std::move(threads)), refresh_(refresh) {}

  /// Errors: those of machine_roofs; the next call tries again.
  Result<const MachineRoofs*> get();
  /// The time that measuring them took, once: a second call returns 0.
  Nanos take_cost() { return std::exchange(took_, {}); }
  /// Empty where they were not measured.
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
  std::optional<Error> without_roofs;  ///< why it has none
};

/// Adds the host, the roofs of the run's number of threads, and each layer's bound. What was
/// measured counts without roofs.
Finished finish(profile::Profile measured, RoofSource& roofs);

/// Adds the host alone, for runs that are compared and never judged by roofs.
profile::Profile finish_without_roofs(profile::Profile measured, const Environment& environment);

struct FinishedImport {
  profile::Profile profile;
  roofline::Roofs roofs;
};

/// Adds host and roofs of the machine that was recorded, from its document at `machine`; none
/// where that is empty. `threads`: 0 takes the most that the document has. Errors: those of
/// read_machine_file; usage class (RIDGE-IMP-0012): threads without roofs.
Result<FinishedImport> finish_import(profile::Profile imported, const std::string& machine,
                                     int threads);

}  // namespace ridge::workbench
