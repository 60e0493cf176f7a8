// What a roof would be if every unit worked in every cycle, from the table of microarchitectures
// and the clock as it was measured.
//
//   compute  cores x instructions per cycle x lanes x 2 x clock, the widest usable instruction
//   L1       cores x bytes per cycle x clock: loads and stores overlap, so the slower of
//            the two counts
// Nothing is guessed: where the table has no answer there is none, and the reason says why. Thread
// rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/cpu/stream.h"
#include "machine/host.h"

namespace ridge::machine {

struct Theory {
  std::optional<double> value;  ///< FLOP/s or B/s
  std::string reason;           ///< why there is none
};

/// Where the threads run and how fast.
struct Pace {
  int cores = 1;                   ///< distinct cores that the threads are on
  std::optional<double> clock_hz;  ///< mean over the threads; nullopt where it cannot be measured
};

/// dtype "float32" or "int8".
Theory compute_theory(const Host& host, std::string_view dtype, const Pace& pace);

/// `level` as in WorkingSet; memory and the outer caches have no theory here.
Theory stream_theory(const Host& host, kernels::StreamKind kind, std::string_view level,
                     const Pace& pace);

}  // namespace ridge::machine
