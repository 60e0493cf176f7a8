// SPDX-License-Identifier: Apache-2.0
// A step in a process of its own whose address space may grow by so many bytes and no more: what
// needs more fails there. For tests of how much memory a reader takes.
//
//   EXPECT_TRUE(holds_within(32 << 20, [&] { return read(path).ok(); }));
//
// The kernel sets the limit (RLIMIT_AS), so the code under test has no part in the count.
// Sanitizers map memory of their own: ask sanitized() first (base/testing/sanitized.h).
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <exception>

namespace ridge::testing {

/// Bytes of the process's address space; 0 if unknown.
inline std::int64_t address_space() {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  long pages = 0;
  const bool read = std::fscanf(file, "%ld", &pages) == 1;
  static_cast<void>(std::fclose(file));
  return read ? std::int64_t{pages} * ::sysconf(_SC_PAGESIZE) : 0;
}

/// True if `step` returned true within the limit.
template <typename Step>
bool holds_within(std::int64_t bytes, Step step) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto limit = static_cast<rlim_t>(address_space() + bytes);
    const rlimit space{limit, limit};
    if (::setrlimit(RLIMIT_AS, &space) != 0) ::_exit(2);
    try {
      ::_exit(step() ? 0 : 1);
    } catch (const std::exception&) {  // std::bad_alloc
      ::_exit(3);
    }
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

}  // namespace ridge::testing
