// SPDX-License-Identifier: Apache-2.0
// What preload.cc counts, in a file that it shares with the test.
#pragma once

#include <atomic>
#include <cstdint>

namespace ridge::tests {

inline constexpr int kFailingCalls = 3;  ///< allocation, read, write
inline constexpr int kRoles = 2;         ///< the process that a user starts, those of runtimes

struct Counts {
  std::atomic<std::int64_t> calls[kRoles][kFailingCalls];
  std::atomic<std::int64_t> happened;  ///< 1 after a call failed
};

}  // namespace ridge::tests
