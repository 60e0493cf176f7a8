// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/due_time.h"

#include <time.h>

#include <algorithm>

#include "base/clock.h"

namespace ridge::runtime {
namespace {

/// Bounds of the time awake: more than timers are late anywhere; a tenth of the waits of 50 queries
/// a second.
constexpr std::int64_t kMinAwakeNs = 100'000, kMaxAwakeNs = 2'000'000;
constexpr std::int64_t kForget = 512;

/// Waits that are awake throughout: of 10,000 Poisson arrivals a second one in 22,000 is longer.
constexpr std::int64_t kShortNs = 1'000'000;

}  // namespace

std::int64_t longest_sleep(std::int64_t wait_ns) { return wait_ns <= kShortNs ? 0 : kLookNs; }

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

void Waiter::approach(std::int64_t now_ns, std::int64_t due_ns, std::int64_t longest_ns) {
  if (due_ns - now_ns <= awake_ns_ || longest_ns == 0) return pause();
  const std::int64_t until = std::min(due_ns - awake_ns_, now_ns + longest_ns);
  const timespec time{until / 1'000'000'000, until % 1'000'000'000};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
  learn(steady_clock().now().count - until);
}

void Waiter::learn(std::int64_t late_ns) {
  const std::int64_t forgotten = awake_ns_ - awake_ns_ / kForget;
  awake_ns_ = std::clamp(std::max(2 * late_ns, forgotten), kMinAwakeNs, kMaxAwakeNs);
}

}  // namespace ridge::runtime
