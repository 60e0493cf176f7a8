// SPDX-License-Identifier: Apache-2.0
// Theoretical roofs, with every unit busy in every cycle, from the table of microarchitectures and
// the measured clock.
//
//   compute  cores x instructions per cycle x lanes x 2 x clock, the widest usable instruction
//   L1       cores x bytes per cycle x clock: loads and stores overlap, so the slower of
//            the two counts
// Unknown values are nullopt with a reason. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/cpu/stream.h"
#include "machine/host.h"

namespace ridge::machine {

struct Theory {
  std::optional<double> value;  ///< FLOP/s or B/s
  std::string reason;           ///< reason why there is no value
};

/// Cores and clock of the threads.
struct Pace {
  int cores = 1;                   ///< number of distinct cores used by the threads
  std::optional<double> clock_hz;  ///< mean over the threads; nullopt if it cannot be measured
};

/// Peak arithmetic throughput; dtype "float32" or "int8".
Theory compute_theory(const Host& host, std::string_view dtype, const Pace& pace);

/// Peak bandwidth of L1; `level` as in WorkingSet. Outer caches and memory have no theory here.
Theory stream_theory(const Host& host, kernels::StreamKind kind, std::string_view level,
                     const Pace& pace);

}  // namespace ridge::machine
