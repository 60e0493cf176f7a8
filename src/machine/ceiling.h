// Measured roofs of one machine: arithmetic throughput and bandwidth of each memory level. Plain
// data; ceilings.h measures it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stats/samples.h"

namespace ridge::machine {

struct Ceiling {
  std::string kind;   ///< "compute", "read", "write", "copy", "triad"
  std::string dtype;  ///< "float32", "int8"; "float32" for streams
  std::string level;  ///< "L1", "L2", "L3", "memory"; empty for compute
  int threads = 1;
  double value = 0;  ///< FLOP/s with a multiply-add as 2, or bytes read + written per s
  std::string unit;  ///< "FLOP/s" or "B/s"
  stats::Interval ci;
  std::optional<double> theory, share;  ///< share = value / theory
  std::string theory_reason;            ///< reason why theory is null
  std::optional<double> clock_hz;       ///< measured between the bursts, mean over the threads
  std::string kernel, instruction;
  int bursts = 0;
  double slowest = 0, median = 0;  ///< over the bursts of the winning kernel
  std::int64_t working_set = 0;    ///< bytes per thread; 0 for compute
  /// Bytes that this cache keeps of data that all threads read again and again; 0: not measured.
  /// Only for reads of the outermost cache (cache_reach.h).
  std::int64_t reach = 0;

  bool operator==(const Ceiling&) const = default;
};

/// Describes an implausible roof, below 70 % or above 105 % of its theory; "" for a plausible one.
std::string warning(const Ceiling& ceiling);

struct Ceilings {
  std::vector<Ceiling> rows;
  bool from_cache = false;
  bool complete = true;  ///< false after an interruption
  int attempts = 1;      ///< number of measurements that contributed to the rows
  /// processors used by other programs during the last measurement
  std::optional<double> foreign_cpus;
  std::vector<std::string> notes;  ///< levels that were skipped, disturbances, cache errors
};

/// Processor usage by other programs above which roofs count as disturbed.
inline constexpr double kQuietCpus = 0.10;

/// Merges both lists, keeping the higher value and reach of each roof.
std::vector<Ceiling> better_of(std::vector<Ceiling> a, const std::vector<Ceiling>& b);

}  // namespace ridge::machine
