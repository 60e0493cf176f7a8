// SPDX-License-Identifier: Apache-2.0
// Collects a runtime's profiling events into runs: stores each name once and converts nesting to
// parents and exclusive times.
//
//   Recorder recorder;
//   recorder.begin(now);   ... the plug-in calls on_event ...   ProfiledRun run = recorder.end();
//
// Thread rule: events of one run come from one thread at a time. Cost: one hash of the name per
// event.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/units.h"
#include "runtime/abi.h"
#include "runtime/measurement.h"

namespace ridge::runtime {

class Recorder {
 public:
  /// Starts a run; discards the events of a run that was not ended.
  void begin(Nanos start);
  ProfiledRun end();
  /// Returns the kernels first seen since the last call, in order of their numbers.
  std::vector<KernelInfo> take_new_kernels();
  std::uint64_t events() const { return events_; }

  RidgeProfileSink sink();

 private:
  /// Event whose owner, if any, has not ended yet.
  struct Waiting {
    std::uint32_t event = 0, depth = 0, queue = 0;
  };
  static void on_event(void* self, const RidgeEvent* event);
  void add(const RidgeEvent& event);
  std::uint32_t kernel_of(const RidgeEvent& event);
  std::uint32_t queue_of(std::uint64_t queue);
  void adopt(std::uint32_t depth, std::uint32_t queue, std::uint32_t owner);

  std::unordered_map<std::string, std::uint32_t> kernels_;
  std::string key_;  ///< key of the current event; a member to reuse its memory
  std::unordered_map<std::uint64_t, std::uint32_t> queues_;
  std::vector<KernelInfo> new_kernels_;
  std::vector<Waiting> waiting_;
  ProfiledRun run_;
  std::int64_t start_ns_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace ridge::runtime
