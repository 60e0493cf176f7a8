// SPDX-License-Identifier: Apache-2.0
// Functions and a variable that Debian's compiler and its static libraries take from a glibc newer
// than 2.28, so that packages start with 2.28 as well (cmake/older_glibc.cmake). They are hidden:
// each file that is linked with them has its own.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>

#pragma GCC visibility push(hidden)

extern "C" {

// False (glibc 2.32): the process may have threads, so counters of std::shared_ptr are atomic.
char __libc_single_threaded = 0;

// Thread numbers have this function since glibc 2.30.
pid_t gettid() noexcept { return static_cast<pid_t>(syscall(SYS_gettid)); }

// Waiting by any clock came with glibc 2.30. An older one waits by the time of day: a wait is as
// long as it should be unless somebody sets the clock meanwhile, as in libstdc++ before 2.30.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  using Function = int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  static auto* const of_libc =
      reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "pthread_cond_clockwait"));
  if (of_libc != nullptr) return of_libc(condition, mutex, clock, until);
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec now = {}, today = {};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &today);
  const std::int64_t ns = today.tv_nsec + until->tv_nsec - now.tv_nsec + kSecond;  // not negative
  today.tv_sec += until->tv_sec - now.tv_sec - 1 + ns / kSecond;
  today.tv_nsec = ns % kSecond;
  return pthread_cond_timedwait(condition, mutex, &today);
}

// libgcc asks (glibc 2.35) for the table of the file that holds a function, for exceptions in it.
int _dl_find_object(void* address, dl_find_object* result) noexcept {
  result->dlfo_map_start = address;
  const auto look = [](dl_phdr_info* file, std::size_t, void* out) {
    auto* const found = static_cast<dl_find_object*>(out);
    const auto at = reinterpret_cast<std::uintptr_t>(found->dlfo_map_start);
    void* table = nullptr;
    bool holds = false;
    for (int i = 0; i < file->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = file->dlpi_phdr[i];
      const std::uintptr_t start = file->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_LOAD && at - start < part.p_memsz) holds = true;
      if (part.p_type == PT_GNU_EH_FRAME) table = reinterpret_cast<void*>(start);
    }
    found->dlfo_eh_frame = table;
    return holds && table != nullptr ? 1 : 0;
  };
  return dl_iterate_phdr(look, result) == 1 ? 0 : -1;
}
}

// libstdc++.so keeps this one to itself, and its part for std::exception_ptr calls it. Weak: where
// all of libstdc++ is linked statically, its own counts.
namespace __cxxabiv1 {
[[noreturn, gnu::weak]] void __terminate(std::terminate_handler handler) noexcept {
  handler();
  std::abort();
}
}  // namespace __cxxabiv1

#pragma GCC visibility pop
