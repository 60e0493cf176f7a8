// SPDX-License-Identifier: Apache-2.0
// Roofs for a roofline: of this machine, from the cache or measured now, or of another machine,
// from the document that `ridge machine --format json` wrote there.
//
//   const MachineRoofs roofs = TRY(machine_roofs(environment, {1, 2}, false));
//   roofline::place(profile, roofs.at(2));                 // as finish() does
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/roof.h"
#include "profile/profile.h"
#include "roofline/roofs.h"
#include "session/environment.h"

namespace ridge::session {

struct MachineRoofs {
  std::vector<machine::Roof> rows;  ///< for every requested thread count
  std::vector<roofline::Cache> caches;
  roofline::Roofs at(std::int32_t threads) const {
    return roofline::roofs_from(rows, caches, threads);
  }
};

/// Loads or measures the roofs of this machine and reports their notes as warnings. `refresh`:
/// measures cached roofs again.
Result<MachineRoofs> machine_roofs(const Environment& environment, const std::vector<int>& threads,
                                   bool refresh);

/// Bytes that the largest data cache of this machine keeps: its reach (machine/cache_reach.h) if
/// that was measured before, else the size that the system states; 0: unknown. Measures nothing.
std::int64_t kept_cache_bytes(const Environment& environment);

/// Roofs that a kept run has of its machine, for its number of threads.
roofline::Roofs roofs_of_run(const profile::Profile& run);

struct MachineFile {
  MachineRoofs roofs;
  std::string host_json;     ///< the document's object "host"
  std::vector<int> threads;  ///< thread counts with roofs, ascending
};

/// Errors: as in read_file and read_json; input class (RIDGE-IMP-0009): without roofs.
Result<MachineFile> read_machine_file(const std::string& path);

}  // namespace ridge::session
