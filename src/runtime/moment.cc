#include "runtime/moment.h"

#include <time.h>

#include <algorithm>

namespace ridge::runtime {
namespace {

/// Time before a moment from which a thread is awake: more than it takes to wake up on a busy host.
constexpr std::int64_t kAwakeNs = 200'000;

/// Waits that are awake throughout: of 10,000 Poisson arrivals a second one in 22,000 is longer.
constexpr std::int64_t kShortNs = 1'000'000;

}  // namespace

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

std::int64_t longest_sleep(std::int64_t wait_ns) { return wait_ns <= kShortNs ? 0 : kLookNs; }

void approach(std::int64_t now_ns, std::int64_t moment_ns, std::int64_t longest_ns) {
  if (moment_ns - now_ns <= kAwakeNs || longest_ns == 0) return pause();
  const std::int64_t until = std::min(moment_ns - kAwakeNs, now_ns + longest_ns);
  const timespec time{until / 1'000'000'000, until % 1'000'000'000};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

}  // namespace ridge::runtime
