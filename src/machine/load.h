// SPDX-License-Identifier: Apache-2.0
// Processor usage between two moments, split into own and foreign: the noise of a shared machine.
//
//   const LoadSample before = sample_load(files);
//   measure();
//   const Load load = load_between(before, sample_load(files));
//   if (load.foreign_cpus > 0.1) ...   // others used over a tenth of a processor on average
//
// Source: /proc/stat counts ticks of 10 ms over all processors (proc(5)), so intervals should be
// 0.2 s or longer. Thread rule: pure except for the files and the process's own CPU clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/units.h"
#include "machine/system_files.h"

namespace ridge::machine {

struct LoadSample {
  Nanos at;   ///< CLOCK_MONOTONIC
  Nanos own;  ///< CPU time of this process and its terminated children
  bool known = false;
  double busy = 0;    ///< seconds over all processors: user, nice, system, irq, softirq
  double stolen = 0;  ///< seconds that the hypervisor gave to other guests
};

LoadSample sample_load(const SystemFiles& files);

struct Load {
  /// Processors used by other programs, >= 0; nullopt if unreadable.
  std::optional<double> foreign_cpus;
  std::optional<double> stolen_cpus;  ///< processors taken by the hypervisor, on average
};

Load load_between(const LoadSample& before, const LoadSample& after);

/// Parses the "cpu " line of /proc/stat into a sample; ticks_per_second as of sysconf(_SC_CLK_TCK).
void parse_stat(std::string_view text, std::int64_t ticks_per_second, LoadSample& into);

}  // namespace ridge::machine
