// SPDX-License-Identifier: Apache-2.0
// Counts right and wrong accusations over simulated fleets, through run databases.
#pragma once

#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "lab/baseline/reference.h"
#include "lab/baseline/testing/draws.h"

namespace ridge::lab::testing {

struct DrawCounts {
  int found = 0;    ///< draws in which the first machine is named by its memory roofs
  int accused = 0;  ///< draws in which an equal machine is named, by anything
  std::vector<std::string> accusations;
};

/// The baseline of one draw, made as ridge runs baseline makes it.
inline Result<Baseline> draw_baseline(const FleetNoise& noise, const Fleet& fleet,
                                      std::uint64_t seed) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  store::Store store = TRY(store::Store::open(folder.path() + "/fleet.db", store::Access::kCreate));
  TRY(write_fleet(store, noise, fleet, seed));
  std::vector<LeftOut> left_out;
  const std::vector<MachineRun> runs = TRY(machine_runs(store, {}, left_out));
  return make_baseline(runs, {}, std::move(left_out));
}

inline Result<DrawCounts> count_draws(const FleetNoise& noise, const Fleet& fleet, int draws,
                                      std::uint64_t seed = 1) {
  DrawCounts out;
  for (int i = 0; i < draws; ++i) {
    const Baseline baseline =
        TRY(draw_baseline(noise, fleet, seed + static_cast<std::uint64_t>(i)));
    bool found = false, accused = false;
    for (const OffFinding& f : baseline.findings) {
      const bool slow = fleet.memory < 1 && f.machine == "n01";
      found |= slow && f.subject.starts_with("memory roofs");
      accused |= !slow;
      if (!slow)
        out.accusations.push_back(
            fmt::format("draw {}: {}, {}, {:.3f} x", i, f.machine, f.subject, f.slowness));
    }
    out.found += found ? 1 : 0;
    out.accused += accused ? 1 : 0;
  }
  return out;
}

}  // namespace ridge::lab::testing
