// SPDX-License-Identifier: Apache-2.0
// A first-come-first-served queue with one server as arithmetic: when each query would be done,
// given when it arrives and how long it is served. The oracle for measured latencies.
//
//   Queue queue;
//   const std::int64_t done = queue.serve(scheduled_ns, service_ns);
//   const std::int64_t latency = done - scheduled_ns;
//
// Lindley's recursion: start(i) = max(arrival(i), done(i - 1)) (Lindley 1952, Proceedings of the
// Cambridge Philosophical Society 48:277). Arrivals ascend; times stay far enough below 2^63.
// Thread rule: one thread.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ridge::scenario::testing {

/// Regular interruptions of all work: no progress from k x period to k x period + length, k >= 0.
/// Work that is interrupted goes on afterwards.
struct Stalls {
  std::int64_t period_ns = 0;  ///< 0: none
  std::int64_t length_ns = 0;  ///< below period_ns

  /// When work that starts at `start_ns` and takes `work_ns` without interruptions is done.
  std::int64_t done(std::int64_t start_ns, std::int64_t work_ns) const {
    if (period_ns <= 0 || length_ns <= 0) return start_ns + work_ns;
    // In time counted without stalls, work is not interrupted; then the stalls are put back. Work
    // that ends exactly when a stall begins is not delayed by it.
    const std::int64_t working = period_ns - length_ns;
    const std::int64_t at = start_ns % period_ns;
    const std::int64_t begun =
        start_ns / period_ns * working + std::max<std::int64_t>(at - length_ns, 0);
    if (work_ns == 0) return std::max(start_ns, start_ns - at + length_ns);
    const std::int64_t last = begun + work_ns - 1;  // the last nanosecond of work
    return last / working * period_ns + length_ns + last % working + 1;
  }
};

class Queue {
 public:
  explicit Queue(Stalls stalls = {}) : stalls_(stalls) {}

  /// Adds a query and returns when it is done.
  std::int64_t serve(std::int64_t arrival_ns, std::int64_t service_ns) {
    return free_ = stalls_.done(std::max(arrival_ns, free_), service_ns);
  }

 private:
  Stalls stalls_;
  std::int64_t free_ = 0;  ///< when the server is free
};

}  // namespace ridge::scenario::testing
