// Calls of the C library that fail on demand: the i-th allocation, the i-th read, the i-th write.
//
//   for (std::int64_t i = 1;; ++i) {
//     const Failing fault(Call::kRead, i, Fault::kOnce);
//     act();
//     if (!fault.happened()) break;        // it did not get as far as that
//   }
//
// This program replaces operator new, pread and write. Without a Failing alive, and in calls before
// the i-th, they do what they always do. One at a time, one thread.
#pragma once

#include <cstdint>

namespace ridge::tests {

enum class Call : std::uint8_t {
  kAllocation,  ///< operator new throws std::bad_alloc
  kRead,        ///< pread gives EIO
  kShortRead,   ///< pread reads one byte of several
  kInterrupt,   ///< pread gives EINTR
  kEndOfFile,   ///< pread finds the file shorter than it was
  kWrite,       ///< write gives ENOSPC
};

enum class Fault : std::uint8_t { kOnce, kFromThenOn };

class Failing {
 public:
  Failing(Call call, std::int64_t i, Fault fault);
  Failing(const Failing&) = delete;
  Failing& operator=(const Failing&) = delete;
  ~Failing();
  /// The i-th call came.
  bool happened() const;
};

/// Blocks of operator new that were not given back.
std::int64_t live_blocks();

}  // namespace ridge::tests
