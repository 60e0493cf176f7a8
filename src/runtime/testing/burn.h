// SPDX-License-Identifier: Apache-2.0
// Work of a known amount, for tests of meters: CPU time by the thread's own clock, and fresh pages.
#pragma once

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace ridge::runtime::testing {

/// CLOCK_THREAD_CPUTIME_ID.
inline std::int64_t own_thread_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

/// Uses at least this much CPU time; returns how much.
inline std::int64_t burn(std::int64_t cpu_ns) {
  const std::int64_t start = own_thread_time();
  std::int64_t used = 0;
  while ((used = own_thread_time() - start) < cpu_ns) continue;
  return used;
}

/// Touches this many fresh pages, one page fault each.
inline void touch_pages(std::size_t pages) {
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* memory =
      ::mmap(nullptr, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  ::madvise(memory, pages * size, MADV_NOHUGEPAGE);
  auto* bytes = static_cast<volatile char*>(memory);
  for (std::size_t i = 0; i < pages; ++i) bytes[i * size] = 1;
  ::munmap(memory, pages * size);
}

}  // namespace ridge::runtime::testing
