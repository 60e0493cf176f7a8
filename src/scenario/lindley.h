// A first-come-first-served queue as arithmetic: when each query would be done, given when it
// arrives and how long it is served. The oracle for measured latencies, and a prediction of them.
//
//   Queue queue(1);
//   const std::int64_t done = queue.serve(scheduled_ns, service_ns);
//   const std::int64_t latency = done - scheduled_ns;
//
// One server: Lindley's recursion, start(i) = max(arrival(i), done(i - 1)) (Lindley 1952,
// Proceedings of the Cambridge Philosophical Society 48:277). Several: start(i) = max(arrival(i),
// earliest time at which a server is free) (Kiefer and Wolfowitz 1955). Arrivals ascend; times stay
// far enough below 2^63. Thread rule: one thread. Cost: O(log servers) per query.
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::scenario {

/// Regular interruptions of all work: no progress from k x period to k x period + length, k >= 0.
/// Work that is interrupted goes on afterwards.
struct Stalls {
  std::int64_t period_ns = 0;  ///< 0: none
  std::int64_t length_ns = 0;  ///< below period_ns

  /// When work that starts at `start_ns` and takes `work_ns` without interruptions is done.
  std::int64_t done(std::int64_t start_ns, std::int64_t work_ns) const;
};

class Queue {
 public:
  explicit Queue(int servers = 1, Stalls stalls = {});

  /// When a query that arrives at `arrival_ns` starts to be served, if it is the next.
  std::int64_t start(std::int64_t arrival_ns) const;

  /// Adds a query and returns when it is done.
  std::int64_t serve(std::int64_t arrival_ns, std::int64_t service_ns);

 private:
  Stalls stalls_;
  std::vector<std::int64_t> free_;  ///< when each server is free: a heap, the earliest on top
};

}  // namespace ridge::scenario
