// The measured roofs of this machine: how fast it multiplies and adds, how fast each memory level
// delivers, for one thread and for all.
//
//   const Host host = this_host();
//   const Ceilings c = TRY(load_or_measure(host, live_files(), {.cache_folder = folder}));
//   if (const Ceiling* roof = c.find("compute", "float32", "", 1)) use(roof->value);
//
// A roof is the best of at least twenty short bursts of the best kernel; `ci` is the 95 % interval
// of that best under resampling of the bursts, so its upper end is the value. Results are kept in
// `cache_folder`, keyed by processor, microcode, cores, kernel and version of ridge. What was
// measured while others used the processors is measured again on the next call (up to three more
// times) and each row keeps the better value, since disturbances only lower a roof. Thread rule:
// one call at a time per cache folder is enough; concurrent ones overwrite each other with whole
// documents. Cost: milliseconds from the cache, about ten seconds to measure. Errors: as RoofMeter;
// a cache that cannot be read or written is a note, not an error.
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
  std::string dtype;  ///< "float32", "int8"; of the streams "float32"
  std::string level;  ///< "L1", "L2", "L3", "memory"; empty for compute
  int threads = 1;
  double value = 0;  ///< FLOP/s with a multiply-add as 2, or B/s read + written
  std::string unit;  ///< "FLOP/s" or "B/s"
  stats::Interval ci;
  std::optional<double> theory, share;  ///< share = value / theory
  std::string theory_reason;            ///< why theory is null
  std::optional<double> clock_hz;       ///< of the same bursts, mean over the threads
  std::string kernel, instruction;
  int bursts = 0;
  double slowest = 0, median = 0;  ///< of the bursts of the winning kernel
  std::int64_t working_set = 0;    ///< bytes per thread; 0 for compute

  bool operator==(const Ceiling&) const = default;
};

/// "" or what is wrong with the roof: below 70 % or above 105 % of its theory.
std::string warning(const Ceiling& ceiling);

struct Ceilings {
  std::vector<Ceiling> rows;
  bool from_cache = false;
  bool complete = true;                ///< false after an interruption
  int attempts = 1;                    ///< measurements that went into the rows
  std::optional<double> foreign_cpus;  ///< used by others during the last of them
  std::vector<std::string> notes;      ///< levels left out, disturbances, cache trouble

  const Ceiling* find(std::string_view kind, std::string_view dtype, std::string_view level,
                      int threads) const;
};

struct CeilingsOptions {
  std::vector<int> threads;  ///< empty: 1 and as many as processors are allowed
  std::string cache_folder;  ///< empty: neither read nor written
  bool refresh = false;      ///< measure whatever the cache holds, and replace it
  Progress* progress = nullptr;
  std::function<bool()> stop;  ///< polled between measurements; true = return what there is
};

/// Others used more than this many processors: the roofs count as disturbed.
inline constexpr double kQuietCpus = 0.10;

/// The thread counts that are measured by default: 1 and all allowed processors.
std::vector<int> default_threads(const Host& host);

Result<Ceilings> load_or_measure(const Host& host, const SystemFiles& files,
                                 const CeilingsOptions& options);

/// Measures without looking at any cache.
Result<Ceilings> measure_ceilings(const Host& host, const SystemFiles& files,
                                  const CeilingsOptions& options);

/// The rows of both, the better of each pair.
std::vector<Ceiling> better_of(std::vector<Ceiling> a, const std::vector<Ceiling>& b);

}  // namespace ridge::machine
