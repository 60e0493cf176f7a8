// Waiting for moments of the monotonic clock: asleep, and for the last part awake, because a thread
// that sleeps wakes up late.
//
//   const std::int64_t longest = longest_sleep(moment_ns - now());
//   for (std::int64_t time = now(); time < moment_ns; time = now()) {
//     if (ends()) return false;
//     approach(time, moment_ns, longest);
//   }
#pragma once

#include <cstdint>

namespace ridge::runtime {

/// Longest sleep without looking whether the work was canceled.
inline constexpr std::int64_t kLookNs = 20'000'000;

/// Longest sleep of a wait: 0 for short ones, which are awake throughout, because a thread whose
/// processor idled meanwhile may wake up later than the wait lasts.
std::int64_t longest_sleep(std::int64_t wait_ns);

/// Lets a processor wait for a few cycles.
void pause();

/// Sleeps for at most `longest_ns`, or pauses if the moment is near or no sleep is allowed.
void approach(std::int64_t now_ns, std::int64_t moment_ns, std::int64_t longest_ns);

}  // namespace ridge::runtime
