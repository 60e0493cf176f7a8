// SPDX-License-Identifier: Apache-2.0
// A shared object for LD_PRELOAD: the i-th allocation, read or write of `ridge` fails, in the
// process that a user starts or in those of its runtimes. It counts the calls of all processes of
// a role together, in a file that they share. verbs_test.cc starts programs with it.
//
//   RIDGE_FAILING_CALL  allocation | read | write; parent | child; the number of the call, 0 for
//                       none; once | then_on: "read:child:17:once"
//   RIDGE_CALLS_FILE    file of Counts, which the caller made
//
// Calls count from the start of main(). Messages (descriptor 2) do not fail and are not counted.
// Calls that the C library makes itself, as in fopen and dlopen, are not seen.
#include "preload.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

extern "C" {
void* __libc_malloc(size_t size);                      // NOLINT: names of glibc
void* __libc_calloc(size_t count, size_t size);        // NOLINT
void* __libc_realloc(void* block, size_t size);        // NOLINT
void* __libc_memalign(size_t alignment, size_t size);  // NOLINT
}

namespace ridge::tests {
namespace {

constexpr std::string_view kChild = "--runtime-child";
constexpr std::string_view kCalls[] = {"allocation", "read", "write"};

struct PreloadState {
  Counts* counts = nullptr;  ///< null: nothing is counted
  int role = 0, call = 0;
  std::int64_t fails = 0;
  bool once = false, chosen = false;
};

std::atomic<bool> started{false};  ///< main() runs, and the environment is read
PreloadState preload_state;

/// Part of a text up to the next colon, which is taken off.
std::string_view next_part(std::string_view& text) {
  const std::size_t end = text.find(':');
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

/// 0: a process that a user starts, 1: one of a runtime.
int role_of_process() {
  char text[512] = {};
  const long file = ::syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const long size = ::syscall(SYS_read, file, text, sizeof(text) - 1);
  ::syscall(SYS_close, file);
  const std::string_view line(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t first = line.find('\0');
  const bool child = first != std::string_view::npos && line.substr(first + 1).starts_with(kChild);
  return child ? 1 : 0;
}

void read_environment() {
  const char* file = ::getenv("RIDGE_CALLS_FILE");
  const char* failing = ::getenv("RIDGE_FAILING_CALL");
  if (file == nullptr || failing == nullptr) return;
  preload_state.role = role_of_process();
  std::string_view text = failing;
  const std::string_view call = next_part(text);
  for (int i = 0; i < kFailingCalls; ++i)
    if (call == kCalls[i]) preload_state.call = i;
  preload_state.chosen = (next_part(text) == "child") == (preload_state.role == 1);
  for (const char digit : next_part(text))
    preload_state.fails = preload_state.fails * 10 + (digit - '0');
  preload_state.once = text == "once";
  const long shared = ::syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  void* counts = ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED,
                        static_cast<int>(shared), 0);
  ::syscall(SYS_close, shared);
  if (counts != MAP_FAILED) preload_state.counts = static_cast<Counts*>(counts);
}

/// Counts a call; true if it is to fail.
bool call_fails(int call) {
  if (!started) return false;
  if (preload_state.counts == nullptr) return false;
  const std::int64_t number = ++preload_state.counts->calls[preload_state.role][call];
  if (!preload_state.chosen || call != preload_state.call || preload_state.fails == 0) return false;
  if (preload_state.once ? number != preload_state.fails : number < preload_state.fails)
    return false;
  preload_state.counts->happened = 1;
  return true;
}

constexpr int kAllocation = 0, kRead = 1, kWrite = 2;

template <class... Arguments>
ssize_t call(int kind, int error, long number, Arguments... arguments) {
  if (call_fails(kind)) return errno = error, -1;
  return ::syscall(number, arguments...);
}

void* no_memory() { return errno = ENOMEM, nullptr; }

using Main = int (*)(int, char**, char**);
Main main_of_program = nullptr;

int counted_main(int count, char** arguments, char** environment) {
  read_environment();
  started = true;
  return main_of_program(count, arguments, environment);
}

}  // namespace
}  // namespace ridge::tests

namespace t = ridge::tests;

#define SEEN extern "C" __attribute__((visibility("default")))

SEEN int __libc_start_main(t::Main start, int count, char** arguments, void (*before)(),
                           void (*after)(), void (*loader)(), void* stack) {
  using Start = int (*)(t::Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto next = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  t::main_of_program = start;
  return next(t::counted_main, count, arguments, before, after, loader, stack);
}

SEEN void* malloc(size_t size) {
  return t::call_fails(t::kAllocation) ? t::no_memory() : __libc_malloc(size);
}
SEEN void* calloc(size_t count, size_t size) {
  return t::call_fails(t::kAllocation) ? t::no_memory() : __libc_calloc(count, size);
}
SEEN void* realloc(void* block, size_t size) {
  return t::call_fails(t::kAllocation) ? t::no_memory() : __libc_realloc(block, size);
}
SEEN void* memalign(size_t alignment, size_t size) {
  return t::call_fails(t::kAllocation) ? t::no_memory() : __libc_memalign(alignment, size);
}
SEEN void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
SEEN int posix_memalign(void** block, size_t alignment, size_t size) {
  void* got = memalign(alignment, size);
  if (got == nullptr) return ENOMEM;
  *block = got;
  return 0;
}

SEEN ssize_t read(int file, void* buffer, size_t size) {
  return t::call(t::kRead, EIO, SYS_read, file, buffer, size);
}
SEEN ssize_t pread(int file, void* buffer, size_t size, off_t at) {
  return t::call(t::kRead, EIO, SYS_pread64, file, buffer, size, at);
}
SEEN ssize_t pread64(int file, void* buffer, size_t size, off64_t at) {
  return t::call(t::kRead, EIO, SYS_pread64, file, buffer, size, at);
}
SEEN ssize_t readv(int file, const iovec* parts, int count) {
  return t::call(t::kRead, EIO, SYS_readv, file, parts, count);
}
SEEN ssize_t recv(int file, void* buffer, size_t size, int flags) {
  return t::call(t::kRead, EIO, SYS_recvfrom, file, buffer, size, flags, nullptr, nullptr);
}
SEEN ssize_t recvmsg(int file, msghdr* message, int flags) {
  return t::call(t::kRead, EIO, SYS_recvmsg, file, message, flags);
}

SEEN ssize_t write(int file, const void* buffer, size_t size) {
  if (file == STDERR_FILENO) return ::syscall(SYS_write, file, buffer, size);
  return t::call(t::kWrite, ENOSPC, SYS_write, file, buffer, size);
}
SEEN ssize_t pwrite(int file, const void* buffer, size_t size, off_t at) {
  return t::call(t::kWrite, ENOSPC, SYS_pwrite64, file, buffer, size, at);
}
SEEN ssize_t pwrite64(int file, const void* buffer, size_t size, off64_t at) {
  return t::call(t::kWrite, ENOSPC, SYS_pwrite64, file, buffer, size, at);
}
SEEN ssize_t writev(int file, const iovec* parts, int count) {
  if (file == STDERR_FILENO) return ::syscall(SYS_writev, file, parts, count);
  return t::call(t::kWrite, ENOSPC, SYS_writev, file, parts, count);
}
SEEN ssize_t send(int file, const void* buffer, size_t size, int flags) {
  return t::call(t::kWrite, EIO, SYS_sendto, file, buffer, size, flags, nullptr, 0);
}
SEEN ssize_t sendmsg(int file, const msghdr* message, int flags) {
  return t::call(t::kWrite, EIO, SYS_sendmsg, file, message, flags);
}
SEEN ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  return t::call(t::kWrite, ENOSPC, SYS_sendfile, to, from, at, size);
}
SEEN ssize_t copy_file_range(int from, off64_t* at, int to, off64_t* to_at, size_t size,
                             unsigned flags) {
  return t::call(t::kWrite, ENOSPC, SYS_copy_file_range, from, at, to, to_at, size, flags);
}
SEEN int fsync(int file) { return static_cast<int>(t::call(t::kWrite, EIO, SYS_fsync, file)); }
SEEN int fdatasync(int file) {
  return static_cast<int>(t::call(t::kWrite, EIO, SYS_fdatasync, file));
}
SEEN int ftruncate(int file, off_t size) noexcept {
  return static_cast<int>(t::call(t::kWrite, ENOSPC, SYS_ftruncate, file, size));
}
SEEN int ftruncate64(int file, off64_t size) noexcept {
  return static_cast<int>(t::call(t::kWrite, ENOSPC, SYS_ftruncate, file, size));
}
SEEN int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(t::call(t::kWrite, EIO, SYS_rename, from, to));
}
