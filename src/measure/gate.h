// SPDX-License-Identifier: Apache-2.0
// Selection of the runs that count: drops warm-up, and pairs during which other processes used
// processors that the model needed.
//
// A run is disturbed if the foreign load exceeds the processors that the model leaves idle by more
// than a tenth of a processor. Both runs of a pair are dropped together, so that plain and profiled
// runs saw the same machine. If too few pairs are quiet, the quietest are kept and the result is
// marked `busy`.
//
// Processes measured in turns (runtime/turns.h) keep the same rounds, namely those that all of them
// finished, so that their runs stay comparable by index: the longest warm-up of any is dropped from
// all, and a round disturbed for one is dropped from all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "measure/runs.h"

namespace ridge::measure {

struct Host {
  int processors = 1;  ///< available to this process
  int threads = 1;     ///< used by the model
};

/// Minimum number of pairs kept per process, if it has as many after warm-up: enough for an
/// interval from a single process (stats/block_median.h).
inline constexpr std::size_t kMinPairs = 6;

/// True if others used more processors than the model leaves idle.
bool is_disturbed(double foreign_cpus, const Host& host);

struct Kept {
  std::vector<std::size_t> pairs;  ///< ascending positions in plain and profiled
  std::size_t warmup = 0;          ///< number of leading pairs dropped
  std::size_t disturbed = 0;       ///< number of pairs dropped because of foreign load
  bool busy = false;               ///< disturbed pairs had to be kept
  std::string steadiness;          ///< verdict on the plain series (stats::name)
};

Kept gate(const ProcessRuns& process, const Host& host);

/// Gates processes measured in turns, one result each. A process that ended before kMinPairs
/// rounds while another continued keeps nothing and does not restrict the others. `host`: of the
/// process with the most threads.
std::vector<Kept> gate_in_turns(std::span<const ProcessRuns* const> processes, const Host& host);

}  // namespace ridge::measure
