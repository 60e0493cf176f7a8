// SPDX-License-Identifier: Apache-2.0
// Load of other processes during a measurement: the processors' busy time in /proc/stat less our
// own.
//
//   LoadMeter meter(read_cpu_times, clock);   meter.begin();
//   ... runs ...   if (meter.due()) Load load = meter.lap();
//
// The kernel counts in ticks of usually 10 ms, so a window is at least 200 ms, and its error is
// about ticks × processors / window. Source: proc(5), /proc/stat: user, nice, system, irq, softirq
// are busy; steal is time that the hypervisor gave to other guests.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/units.h"

namespace ridge::runtime {

/// Times since a fixed moment, summed over processors.
struct CpuTimes {
  Nanos busy;    ///< all processes
  Nanos stolen;  ///< taken by the hypervisor
  Nanos own;     ///< this process, all threads
};

/// Parses the first line of /proc/stat; `own` stays 0. nullopt for any other text.
std::optional<CpuTimes> parse_cpu_times(std::string_view proc_stat, std::int64_t ticks_per_second);

/// Reads /proc/stat and CLOCK_PROCESS_CPUTIME_ID; nullopt if there is no such file.
std::optional<CpuTimes> read_cpu_times();

/// CPU time of this process, all threads.
Nanos own_cpu_time();

/// Averages over a window, in processors; negative: unknown.
struct Load {
  double foreign_cpus = -1;
  double stolen_cpus = -1;
};

class LoadMeter {
 public:
  static constexpr Nanos kWindow{200'000'000};
  using Source = std::function<std::optional<CpuTimes>()>;

  LoadMeter(Source source, const Clock& clock) : source_(std::move(source)), clock_(clock) {}
  void begin();
  /// True if the window is long enough.
  bool due() const { return clock_.now() - start_ >= kWindow; }
  /// Returns the load since begin() or the last lap() and starts a new window.
  Load lap();

 private:
  Source source_;
  const Clock& clock_;
  Nanos start_;
  std::optional<CpuTimes> times_;
};

}  // namespace ridge::runtime
