// The machines that ridge accel is asked about: described machines and what --set makes of each, or
// a SCALE-Sim configuration.
//
//   const std::vector<MachineSet> machines = TRY(accel_machines(options));
//
// Errors (usage class): none or both given, what a configuration cannot tell, bad settings, more
// than 4,096 combinations; those of machine and table files (input class).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/accel_options.h"
#include "export/accelerator_view.h"

namespace ridge::cli {

struct MachineSet {
  exports::AcceleratorMachine machine;
  std::vector<std::pair<std::string, std::string>> set;
  std::shared_ptr<const accelerator::EnergyTable> energy;  ///< null: none is told
};

/// Every machine with every combination of the settings, the first one slowest.
Result<std::vector<MachineSet>> accel_machines(const AccelOptions& options);

accelerator::Convention accel_convention(const AccelOptions& options);

}  // namespace ridge::cli
