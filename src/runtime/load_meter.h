// How much of the machine others use while we measure: the processors' busy time in /proc/stat less
// our own.
//
//   LoadMeter meter(process_times, clock);   meter.begin();
//   ... runs ...   if (meter.due()) Load load = meter.lap();
//
// The kernel counts in ticks of usually 10 ms, so a window is at least 200 ms and its result right
// to about ticks × processors / window. Source: proc(5), /proc/stat: user, nice, system, irq,
// softirq are busy; steal is time that the hypervisor gave to other guests.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/units.h"

namespace ridge::runtime {

/// Times since some fixed moment, summed over processors.
struct CpuTimes {
  Nanos busy;    ///< of all processes
  Nanos stolen;  ///< by the hypervisor
  Nanos own;     ///< of this process, all threads
};

/// The first line of /proc/stat; `own` stays 0. nullopt where the text is something else.
std::optional<CpuTimes> parse_cpu_times(std::string_view proc_stat, std::int64_t ticks_per_second);

/// From /proc/stat and CLOCK_PROCESS_CPUTIME_ID; nullopt where the system has no such file.
std::optional<CpuTimes> read_cpu_times();

/// CPU time of this process, all threads.
Nanos own_cpu_time();

/// Averages over a window, in processors; negative: not known.
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
  /// The window is long enough.
  bool due() const { return clock_.now() - start_ >= kWindow; }
  /// The load since begin() or the last lap(); a new window starts.
  Load lap();

 private:
  Source source_;
  const Clock& clock_;
  Nanos start_;
  std::optional<CpuTimes> times_;
};

}  // namespace ridge::runtime
