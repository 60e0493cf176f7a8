// SPDX-License-Identifier: Apache-2.0
// The machines of a study: described machines with each combination of settings, or a SCALE-Sim
// configuration.
//
//   const std::vector<StudiedMachine> machines = TRY(study_machines(spec));
//
// Errors (usage class): no machine or both kinds, a feature that a configuration lacks, bad
// settings, more than 4,096 combinations; errors of machine and table files (input class).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accelerator/study/result.h"
#include "accelerator/study/spec.h"
#include "base/result.h"

namespace ridge::accelerator {

struct StudiedMachine {
  StudyMachine machine;
  std::vector<std::pair<std::string, std::string>> set;  ///< keys and values that were set
  std::shared_ptr<const EnergyTable> energy;             ///< null: no energy is estimated
};

/// All combinations of machines and settings: machines vary slowest, the last setting fastest.
Result<std::vector<StudiedMachine>> study_machines(const StudySpec& spec);

}  // namespace ridge::accelerator
