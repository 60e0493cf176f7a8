// What each thread of this process does in a run: processor time, time ready and without a
// processor, how often it was given one.
//
//   ThreadMeter meter(helper);
//   meter.begin(Share::kAll);   ... a run ...   const auto work = meter.end(readings);
//
// Threads are listed anew at each begin: a runtime may add some. One that is born during the run
// counts from its birth; the work of one that ends in it is lost. The calling thread is the first,
// the helper (a thread of ours that has no part in runs) is left out.
//
// Sources: the processor time of a thread is its CPU clock, exact also while it runs
// (clock_getcpuclockid(3) of another thread); the other two are those of
// /proc/self/task/TID/schedstat, which kernels without CONFIG_SCHED_INFO lack.
// Cost: two system calls per thread and reading, outside of the run. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/measurement.h"

namespace ridge::runtime {

/// How much of a level is read: what a reading costs is told from runs with more and with fewer.
enum class Share : std::uint8_t { kHalf, kAll };

/// Of a thread of this process since its birth.
struct ThreadTimes {
  std::int64_t cpu_ns = 0;
  std::int64_t wait_ns = -1, switches = -1;  ///< -1: the system does not say
};
/// nullopt: there is no such thread any more.
std::optional<ThreadTimes> read_thread(std::int64_t id);
/// "582656 91336 1\n": nanoseconds on a processor, nanoseconds waiting for one, turns. Fills the
/// last two of `times`.
void parse_schedstat(std::string_view text, ThreadTimes& times);

/// Of this process, the calling thread first, then ascending, without `helper` (0: none).
std::vector<std::int64_t> list_threads(std::int64_t helper);

class ThreadMeter {
 public:
  explicit ThreadMeter(std::int64_t helper) : helper_(helper) {}

  void begin(Share share);
  /// What the threads did since begin(), in the order of the list; `readings`: how many were read.
  std::vector<ThreadWork> end(std::uint32_t& readings);
  /// Threads that were first seen since the last call, in order of their numbers.
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
