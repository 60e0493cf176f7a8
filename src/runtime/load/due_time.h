// SPDX-License-Identifier: Apache-2.0
// Waiting for moments of the monotonic clock: asleep, and for the last part awake, because a thread
// that sleeps wakes up late.
//
//   Waiter waiter;                                  // kept, so that it learns how late
//   const std::int64_t longest = longest_sleep(due_ns - now());
//   for (std::int64_t time = now(); time < due_ns; time = now()) {
//     if (ends()) return false;
//     waiter.approach(time, due_ns, longest);
//   }
#pragma once

#include <cstdint>

namespace ridge::runtime {

/// Longest sleep without looking whether the work was canceled.
inline constexpr std::int64_t kLookNs = 20'000'000;

/// Longest sleep of a wait: 0 for short ones, which are awake throughout.
std::int64_t longest_sleep(std::int64_t wait_ns);

/// Lets a processor wait for a few cycles.
void pause();

/// Sleeping and pausing before moments. How long before them a thread must be awake differs by
/// hosts: microseconds on a bare machine, now and then a millisecond on a virtual one whose
/// processor idled. So the time awake is twice the latest wake-up, forgotten slowly. Thread rule:
/// one thread at a time.
class Waiter {
 public:
  /// Sleeps for at most `longest_ns`, or pauses if the moment is near or no sleep is allowed.
  void approach(std::int64_t now_ns, std::int64_t due_ns, std::int64_t longest_ns);
  /// Accounts for a sleep that ended so much later than it was to. For example 400 us: awake for
  /// the last 800 us from then on, and for 400 us again after 355 sleeps that ended in time.
  void learn(std::int64_t late_ns);
  std::int64_t awake_ns() const { return awake_ns_; }

 private:
  std::int64_t awake_ns_ = 500'000;
};

}  // namespace ridge::runtime
