// SPDX-License-Identifier: Apache-2.0
// Activity of each thread of this process during a run: CPU time, time spent ready without a
// processor, and how often it was scheduled.
//
//   ThreadMeter meter(helper);
//   meter.begin(Share::kAll);   ... a run ...   const auto work = meter.end(readings);
//
// Threads are listed anew at each begin: a runtime may add some. A thread started during the run
// counts from its start; the work of one that ends during the run is lost. The calling thread is
// the first; the helper (a thread of ours that takes no part in runs) is excluded.
//
// Sources: CPU time is read from the thread's CPU clock, exact even while it runs
// (clock_getcpuclockid(3) of another thread); the other two come from
// /proc/self/task/TID/schedstat, which kernels without CONFIG_SCHED_INFO lack. Cost: two system
// calls per thread and reading, outside of the run. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/measurement.h"

namespace ridge::runtime {

/// Share of a level's readings to take. The difference between runs with half of the readings and
/// runs with all of them measures the cost of a reading.
enum class Share : std::uint8_t { kHalf, kAll };

/// Totals of a thread of this process since its start.
struct ThreadTimes {
  std::int64_t cpu_ns = 0;
  std::int64_t wait_ns = -1, switches = -1;  ///< -1: unavailable on this system
};
/// Reads the totals of a thread; nullopt if it no longer exists.
std::optional<ThreadTimes> read_thread(std::int64_t id);
/// Parses "582656 91336 1\n": nanoseconds on a processor, nanoseconds waiting for one, number of
/// times scheduled. Sets the last two in `times`.
void parse_schedstat(std::string_view text, ThreadTimes& times);

/// Threads of this process, the calling thread first, then ascending, without `helper` (0: none).
std::vector<std::int64_t> list_threads(std::int64_t helper);

class ThreadMeter {
 public:
  explicit ThreadMeter(std::int64_t helper) : helper_(helper) {}

  void begin(Share share);
  /// Work of the threads since begin(), in the order of the list; `readings`: number of threads
  /// read.
  std::vector<ThreadWork> end(std::uint32_t& readings);
  /// Returns the threads first seen since the last call, in order of their numbers.
  std::vector<ThreadInfo> take_new_threads();

 private:
  struct Begun {
    std::int64_t id = 0;
    ThreadTimes times;
  };
  std::uint32_t number_of(std::int64_t id);

  std::int64_t helper_;
  Share share_ = Share::kAll;
  std::vector<Begun> begun_;
  std::unordered_map<std::int64_t, std::uint32_t> numbers_;
  std::vector<ThreadInfo> new_threads_;
};

}  // namespace ridge::runtime
