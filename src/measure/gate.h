// Which runs count: warm-up is dropped, and so are pairs during which other processes used the
// processors the model needed.
//
// A run is disturbed where foreign load exceeds the processors the model leaves idle by more than a
// tenth of one. Both runs of a pair go together, so that plain and profiled runs saw the same
// machine. Where too few pairs are quiet the quietest are kept, and the result says so.
//
// Of processes that took turns (runtime/turns.h) the same rounds are kept, those that all of them
// finished, so that their runs stay partners: the longest warm-up of any is dropped from all, and a
// round that was disturbed for one goes from all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "measure/runs.h"

namespace ridge::measure {

struct Host {
  int processors = 1;  ///< that this process may use
  int threads = 1;     ///< that the model uses
};

/// The least that must be kept of each process, if it has as many after warm-up: a lone one has an
/// interval then (stats/block_median.h).
inline constexpr std::size_t kLeastPairs = 6;

struct Kept {
  std::vector<std::size_t> pairs;  ///< ascending positions in plain and profiled
  std::size_t warmup = 0;          ///< leading pairs dropped
  std::size_t disturbed = 0;       ///< dropped because of foreign load
  bool busy = false;               ///< disturbed pairs had to be kept
  std::string steadiness;          ///< stats::name of the plain series
};

Kept gate(const ProcessRuns& process, const Host& host);

/// For each of them; one that ended before kLeastPairs rounds where another went on keeps nothing
/// and holds up nobody. `host`: of the one with the most threads.
std::vector<Kept> gate_in_turns(std::span<const ProcessRuns* const> processes, const Host& host);

}  // namespace ridge::measure
