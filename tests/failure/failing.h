// SPDX-License-Identifier: Apache-2.0
// Fault injection into calls of the C library: the i-th allocation, the i-th read, the i-th write.
//
//   for (std::int64_t i = 1;; ++i) {
//     const Failing fault(Call::kRead, i, Fault::kOnce);
//     act();
//     if (!fault.happened()) break;        // fewer than i calls
//   }
//
// The test program replaces operator new, pread and write. Without a live Failing, and in calls
// before the i-th, they behave as usual. One Failing at a time, one thread.
#pragma once

#include <cstdint>

namespace ridge::tests {

enum class Call : std::uint8_t {
  kAllocation,  ///< operator new throws std::bad_alloc
  kRead,        ///< pread fails with EIO
  kShortRead,   ///< pread reads one byte of several
  kInterrupt,   ///< pread fails with EINTR
  kEndOfFile,   ///< pread returns 0, as at the end of the file
  kWrite,       ///< write fails with ENOSPC
};

enum class Fault : std::uint8_t { kOnce, kFromThenOn };

class Failing {
 public:
  Failing(Call call, std::int64_t i, Fault fault);
  Failing(const Failing&) = delete;
  Failing& operator=(const Failing&) = delete;
  ~Failing();
  /// True if the i-th call was made, and failed.
  bool happened() const;
};

/// Number of blocks of operator new that are not yet freed.
std::int64_t live_blocks();

}  // namespace ridge::tests
