// SPDX-License-Identifier: Apache-2.0
// Roofs of one machine: arithmetic throughput and bandwidth of each memory level. Plain data;
// measured_roofs.h measures them.
//
//   roofs.push_back({.kind = "compute", .dtype = "float32", .unit = "FLOP/s", .value = 118e9});
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stats/samples.h"

namespace ridge::machine {

struct Roof {
  std::string kind;         ///< "compute", "read", "write", "copy", "triad"
  std::string dtype;        ///< "float32", "int8"; "float32" for streams
  std::string level;        ///< "L1", "L2", "L3", "memory"; empty for compute
  std::string unit;         ///< "FLOP/s" or "B/s"
  std::string instruction;  ///< main instruction of the best kernel
  std::int32_t threads = 1;
  double value = 0;  ///< FLOP/s with a multiply-add as 2, or bytes read + written per s
  stats::Interval ci;
  std::optional<double> theory;  ///< in the same unit

  bool operator==(const Roof&) const = default;
};

/// value / theory; nullopt without a theory.
std::optional<double> share_of_theory(const Roof& roof);

/// A roof with what only its measurement knows.
struct MeasuredRoof : Roof {
  std::string theory_reason;       ///< reason why theory is null
  std::optional<double> clock_hz;  ///< measured between the bursts, mean over the threads
  std::string kernel;
  int bursts = 0;
  double slowest = 0, median = 0;  ///< over the bursts of the winning kernel
  std::int64_t working_set = 0;    ///< bytes per thread; 0 for compute
  /// Bytes that this cache keeps of data that all threads read again and again; 0: not measured.
  /// Only for reads of the outermost cache (cache_reach.h).
  std::int64_t reach = 0;

  bool operator==(const MeasuredRoof&) const = default;
};

/// Describes an implausible roof, below 70 % or above 105 % of its theory; "" for a plausible one.
std::string warning(const MeasuredRoof& roof);

struct MeasuredRoofs {
  std::vector<MeasuredRoof> rows;
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
std::vector<MeasuredRoof> better_of(std::vector<MeasuredRoof> a,
                                    const std::vector<MeasuredRoof>& b);

}  // namespace ridge::machine
