// SPDX-License-Identifier: Apache-2.0
// Runs of a store as a baseline sees them: whose they are, what was measured, their figures.
//
//   std::vector<LeftOut> left_out;
//   const std::vector<MachineRun> runs = TRY(machine_runs(store, filter, left_out));
//
// Runs without a machine, without a latency, or that were not measured by ridge are counted in
// `left_out`, with the reason. Errors: as the store. Thread rule: as the store. Cost: reads each
// run; keeps its layers without their samples.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/baseline/baseline.h"
#include "machine/host.h"
#include "profile/profile.h"
#include "store/run_filter.h"
#include "store/store.h"

namespace ridge::lab {

/// A machine by name, and its kind.
struct MachineName {
  std::string name, processor;
  auto operator<=>(const MachineName&) const = default;
};

/// Reads the host object of ridge.machine/1; empty where it names no processor.
MachineName machine_of(std::string_view host_json);
MachineName machine_of(const machine::Host& host);

struct MachineRun {
  store::RunId id = 0;
  MachineName machine;
  BaselinePoint point;
  profile::Profile profile;  ///< without samples
};

/// Counts one more of what is left out for this reason.
void leave_out(std::vector<LeftOut>& left_out, std::string_view why, std::string example);

/// Oldest first. `newest`: at most so many of each machine and point, the newest; 0: all.
Result<std::vector<MachineRun>> machine_runs(const store::Store& store,
                                             const store::RunFilter& filter,
                                             std::vector<LeftOut>& left_out,
                                             std::size_t newest = 0);

/// A profile as machine_runs() has it; for runs that are in no store.
MachineRun machine_run(profile::Profile profile, store::RunId id = 0);

}  // namespace ridge::lab
