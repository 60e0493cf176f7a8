// SPDX-License-Identifier: Apache-2.0
// Processor and system counters around a run, over all threads of this process that run the model:
// perf_event_open(2), one counter per event and thread, children of the thread included.
//
//   CounterMeter meter(helper);
//   meter.open(Share::kAll);
//   meter.start();   ... a run ...   meter.stop();
//   const std::vector<CounterValue> values = meter.close(readings);
//
// Hardware events if the machine has them (virtual machines often do not), software events from the
// kernel. A counter that cannot be opened has a reason instead of a value. A processor with fewer
// counters than events multiplexes: values are scaled by time enabled / time running, and both
// times are reported. If perf_event_open is forbidden, the system's own accounting of the process
// (getrusage(2), its CPU clock) replaces the software events.
//
// Counters are opened before the run and closed after it, so that no other run has their overhead;
// one system call starts all and one stops them, and the kernel's part of these calls is counted.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ipc/descriptor.h"
#include "runtime/child/thread_meter.h"
#include "runtime/measurement.h"

struct perf_event_attr;

namespace ridge::runtime {

/// perf_event_open for one thread: returns a descriptor, or -1 with errno.
using OpenCounter = std::function<int(perf_event_attr& attributes, std::int64_t thread)>;
int open_counter(perf_event_attr& attributes, std::int64_t thread);

/// Returns value * enabled / running, rounded; -1 if it never ran although it was enabled.
std::int64_t scaled(std::uint64_t value, std::uint64_t enabled_ns, std::uint64_t running_ns);

class CounterMeter {
 public:
  explicit CounterMeter(std::int64_t helper, OpenCounter open = open_counter);

  void open(Share share);
  void start();
  void stop();
  /// Returns the values of counters that counted, over all threads. `readings`: number of open
  /// counters.
  std::vector<CounterValue> close(std::uint32_t& readings);
  /// Returns all counters, including unavailable ones, on the first call after open(); later calls
  /// return nothing.
  std::vector<CounterInfo> take_new_counters();

 private:
  enum class Source : std::uint8_t { kUnavailable, kPerf, kPerfUser, kAccounts };
  struct Counter {
    Source source = Source::kUnavailable;
    CounterInfo info;
  };
  struct Opened {
    std::uint32_t counter = 0;
    ipc::Descriptor descriptor;
  };

  void probe();
  Counter probe_one(std::size_t kind) const;
  int open_one(std::size_t kind, std::int64_t thread, Source source) const;

  std::int64_t helper_;
  OpenCounter open_;
  std::vector<Counter> counters_;  ///< by kind; empty before the first open
  bool told_ = false;
  std::vector<Opened> opened_;
  std::vector<std::uint32_t> accounts_;  ///< kinds read from the system's accounting in this run
  std::vector<std::int64_t> accounted_;  ///< value at start(); after stop() the increase since
};

}  // namespace ridge::runtime
