// SPDX-License-Identifier: Apache-2.0
// Behavior of the null runtime, which computes nothing: how long runs take, when they stall, when
// they fail. Entries (--runtime-option):
//
//   ridge.service=constant:US | exponential:US   duration of a run in microseconds; default 0
//   ridge.service_per_sample=US                  added for each row of the first input
//   ridge.seed=N                                 of the exponential durations; default 1
//   ridge.stall=US/PERIOD_US    in the first US of every PERIOD_US since the runtime was opened,
//                               runs wait for the end of the stall
//   ridge.fail_every=N          every N-th run of a worker fails
//   ridge.crash_after=N         the process crashes in the run after N runs of a worker
//   ridge.wait=spin|sleep       how a run passes its time; default spin
//
// Thread rule: immutable after reading; each worker has a ServiceTime of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "stats/random.h"

namespace ridge::null {

struct Behavior {
  enum class Wait : std::uint8_t { kSpin, kSleep };

  double mean_ns = 0, per_sample_ns = 0;
  bool exponential = false;
  std::uint64_t seed = 1;
  double stall_ns = 0, period_ns = 0;
  std::uint64_t fail_every = 0, crash_after = 0;  ///< 0: never
  Wait wait = Wait::kSpin;

  /// Takes one entry. Usage error (RIDGE-NULL-0001) for an unknown key or value.
  Result<void> set(std::string_view key, std::string_view value);
};

/// Durations of the runs of one worker.
class ServiceTime {
 public:
  ServiceTime(const Behavior& behavior, std::uint64_t worker)
      : behavior_(behavior), random_(behavior.seed * 1'000'003 + worker) {}

  /// Duration of a run on so many samples.
  Nanos next(std::int64_t samples = 1);
  /// The moment at which a run may begin that arrives at `now`, `opened` being when the runtime
  /// was.
  Nanos begin(Nanos now, Nanos opened) const;

 private:
  const Behavior& behavior_;
  stats::Random random_;
};

}  // namespace ridge::null
