// SPDX-License-Identifier: Apache-2.0
// Times of bricks at one point, from the processes of its suites, without disturbed runs and
// without the cost of profiling.
//
//   const BrickTimes times(TRY(store.suites(point)), {.processors = 2, .threads = 1});
//   if (const BrickTime* brick = times.find(key)) brick->mean_ns();
//
// Per process, with the chains of that process (measure/event_cost.h):
//
//   time of a brick       = mean of its runs' (reported - events * inside)     (not below 0)
//   time of a whole model = median of its runs                               (whole.h)
//   time outside kernels  = of a plain run of the chains
//
// An event costs more where the kernel evicts the profiler's code and data: on an Intel Xeon 2 us
// among kernels of 96 KiB and 5 us among kernels of 1.5 MiB. Chains of both sizes are measured, and
// the cost for a brick is linear in the logarithm of the bytes per kernel, constant beyond them.
//
// The mean, because times are added up: where a kernel waits for memory they are skewed, and the
// median of a sum of many is near the sum of their means. Runs far from the median are limited
// (kFarthestRun), and times of a process far from the others' times are (spread.h).
//
// The second of two chains in a turn finds warm caches, and chains change places from round to
// round, so runs of two successive rounds are averaged before they are subtracted. A run is
// disturbed if other programs used more processors than the runtime leaves idle (measure/gate.h);
// of a brick with too few quiet runs the quietest are used, unless two other processes have quiet
// ones. Thread rule: immutable once made. Cost: O(runs log runs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bricks/neighbors.h"
#include "bricks/spread.h"
#include "measure/gate.h"
#include "profile/suite.h"

namespace ridge::bricks {

struct BrickTime {
  BrickSize size;
  ProcessTimes times;         ///< ascending by process
  double state_ns = 0;        ///< standard deviation of single runs, mean over the processes
  std::size_t processes = 0;  ///< with runs, also those that are not in `times`
  double apart = 0;  ///< ratio of the reuse distance measured to the one asked for, as log2

  double mean_ns() const { return mean(times); }
  Term term(double count) const { return {&times, count, state_ns}; }
};

/// Fewest runs of a brick in a process.
inline constexpr std::size_t kMinRuns = 3;
/// Distance from the median of a process, in robust standard deviations of at least kMinRunSpread
/// of it, to which runs are limited.
inline constexpr double kFarthestRun = 3, kMinRunSpread = 0.01;

/// Times of one process, without disturbed runs and without the cost of profiling.
struct CorrectedProcess {
  struct Brick {
    std::size_t position = 0;  ///< in process->bricks
    double ns = 0, state_ns = 0;
    std::uint32_t runs = 0, disturbed = 0;
    bool quiet = true;  ///< ProcessTime::quiet
  };
  const profile::SuiteProcess* process = nullptr;
  std::vector<Brick> bricks;
  double outside_ns = 0;  ///< time outside kernels
};

CorrectedProcess corrected(const profile::SuiteProcess& process, const measure::Host& host);

class BrickTimes {
 public:
  BrickTimes() = default;
  /// `reuse_bytes`: the reuse distance (suite_times.h). A brick that was not measured at it has the
  /// times at the nearest distance.
  explicit BrickTimes(std::span<const CorrectedProcess> processes, std::int64_t reuse_bytes = 0);
  BrickTimes(std::span<const profile::SuiteProcess> processes, const measure::Host& host,
             std::int64_t reuse_bytes = 0);

  /// Null if the brick was not measured.
  const BrickTime* find(std::string_view key) const;
  /// Why a brick was not measured; "" if that is not known, or it was.
  std::string lost(std::string_view key) const;
  const std::unordered_map<std::string, BrickTime>& all() const { return bricks_; }
  /// Sizes of the bricks that were planned and not measured.
  std::vector<BrickSize> unmeasured() const;
  /// Time of a run outside its kernels.
  const ProcessTimes& outside() const { return outside_; }

  std::size_t processes() const { return processes_; }
  std::size_t runs() const { return runs_; }            ///< runs of bricks
  std::size_t disturbed() const { return disturbed_; }  ///< runs that were dropped

 private:
  void add(const CorrectedProcess& process, std::int64_t reuse_bytes);

  std::unordered_map<std::string, BrickTime> bricks_;
  std::unordered_map<std::string, BrickSize> planned_;  ///< bricks that some process should measure
  std::unordered_map<std::string, std::string> lost_;
  ProcessTimes outside_;
  std::size_t processes_ = 0, runs_ = 0, disturbed_ = 0;
};

}  // namespace ridge::bricks
