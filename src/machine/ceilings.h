// Measured roofs of this machine: arithmetic throughput and bandwidth of each memory level, for one
// thread and for all.
//
//   const Host host = this_host();
//   const Ceilings c = TRY(load_or_measure(host, live_files(), {.cache_folder = folder}));
//   if (const Ceiling* roof = c.find("compute", "float32", "", 1)) use(roof->value);
//
// A roof is the best of at least twenty short bursts of the best kernel; `ci` is the 95 % interval
// of that maximum under resampling of the bursts, so its upper end is the value. Results are cached
// in `cache_folder`, keyed by processor, microcode, cores, kernel and version of ridge. Roofs
// measured while other programs used the processors are measured again on the next call (up to
// three more times) and each row keeps the higher value, since disturbances only lower a roof.
// Thread rule: use one call at a time per cache folder; concurrent calls overwrite each other's
// whole document. Cost: milliseconds from the cache, about ten seconds to measure. Errors: as
// RoofMeter; a cache that cannot be read or written causes a note, not an error.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "machine/host.h"
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

  const Ceiling* find(std::string_view kind, std::string_view dtype, std::string_view level,
                      int threads) const;
};

struct CeilingsOptions {
  std::vector<int> threads;  ///< empty: 1 and the number of allowed processors
  std::string cache_folder;  ///< empty: no cache
  bool refresh = false;      ///< measure regardless of the cache, and replace its content
  Progress* progress = nullptr;
  std::function<bool()> stop;  ///< polled between measurements; true: return the partial result
};

/// Processor usage by other programs above which roofs count as disturbed.
inline constexpr double kQuietCpus = 0.10;

/// Returns the default thread counts: 1 and the number of allowed processors.
std::vector<int> default_threads(const Host& host);

Result<Ceilings> load_or_measure(const Host& host, const SystemFiles& files,
                                 const CeilingsOptions& options);

/// Measures without using a cache.
Result<Ceilings> measure_ceilings(const Host& host, const SystemFiles& files,
                                  const CeilingsOptions& options);

/// Merges both lists, keeping the higher value of each roof.
std::vector<Ceiling> better_of(std::vector<Ceiling> a, const std::vector<Ceiling>& b);

}  // namespace ridge::machine
