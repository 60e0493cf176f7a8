// SPDX-License-Identifier: Apache-2.0
// Makes a baseline from runs of many machines, and judges a machine by one.
//
//   std::vector<LeftOut> left_out;
//   const auto runs = TRY(machine_runs(store, {}, left_out));
//   const Baseline baseline = TRY(make_baseline(runs, {}, left_out));
//   for (const OffFinding& f : baseline.findings) use(f.machine, f.subject, f.slowness);
//
//   const BaselineCheck check = TRY(check_machine(read, machine_of(host), runs_of_this_host, {}));
//
// judge.h has the statistic. Machines of one kind and number of processors are compared with each
// other; points with too few machines are left out, by name. Errors: input class: RIDGE-LAB-0070 if
// nothing has enough machines; RIDGE-LAB-0071 if the baseline has no machine of this kind. Thread
// rule: pure. Cost: milliseconds for a dozen machines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/baseline/machine_runs.h"

namespace ridge::lab {

/// Choice of what is compared. kModel: roofs, and latencies and layers of each model.
enum class Rows : std::uint8_t { kModel, kRoof };

struct BaselineOptions {
  Rows rows = Rows::kModel;
  double least_difference = BaselineRule().least_difference;
};

Result<Baseline> make_baseline(std::span<const MachineRun> runs, const BaselineOptions& options,
                               std::vector<LeftOut> left_out);

/// Runs that the machine has in a store count once for each thing, by their median. A machine that
/// is one of the baseline's is compared with the others. `left_out`: of reading the runs.
Result<BaselineCheck> check_machine(const Baseline& baseline, const MachineName& machine,
                                    std::span<const MachineRun> runs,
                                    std::vector<LeftOut> left_out);

/// Errors: as read_file and read_json; RIDGE-LAB-0074 for positions that lead nowhere.
Result<Baseline> read_baseline(const std::string& path);

}  // namespace ridge::lab
