// SPDX-License-Identifier: Apache-2.0
#include "manifest/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/clock.h"
#include "base/system_file.h"
#include "base/text.h"

namespace ridge::manifest {
namespace {

constexpr std::int64_t kMaxLocks = std::int64_t{4} << 20;

Error cannot_lock(const std::string& path, int cause) {
  return environment_error("RIDGE-MAN-0060",
                           fmt::format("cannot lock the folder: {}", std::strerror(cause)))
      .hint("the folder must be writable")
      .in_file(path);
}

/// "process 4711", from the row of /proc/locks with the file's inode (proc(5)): "1: FLOCK ADVISORY
/// WRITE 4711 fe:01:1234 0 EOF". Processes that this one cannot see have no positive number.
std::string holder_of(int descriptor) {
  struct stat status {};
  const Result<std::string> locks = read_system_file("/proc/locks", kMaxLocks);
  if (!locks.ok() || ::fstat(descriptor, &status) != 0) return "another process";
  const std::string inode = fmt::format(":{} ", status.st_ino);
  for (std::string_view rest = *locks; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t process = line.find("WRITE ");
    if (line.find(": FLOCK ") == std::string_view::npos || process == std::string_view::npos ||
        line.find(inode) == std::string_view::npos)
      continue;
    const std::string_view number =
        line.substr(process + 6, line.find(' ', process + 6) - process - 6);
    if (number.empty() || number[0] < '1' || number[0] > '9') break;
    return fmt::format("process {}", number);
  }
  return "another process";
}

/// Takes the flock; returns 0, or errno: EWOULDBLOCK at the limit.
int wait_for(int descriptor, const std::string& path, const Patience& patience) {
  const Nanos end = steady_clock().now() + patience.limit;
  for (bool said = false;; said = true) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK || steady_clock().now() >= end) return errno;
    if (!said && patience.say)
      patience.say(
          fmt::format("waits for {}, which {} holds", printable(path), holder_of(descriptor)));
    const timespec pause{0, 20'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& folder, const Patience& patience) {
  const std::string path = folder + "/lock";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return cannot_lock(path, errno);
  FolderLock lock(descriptor);
  const int failed = wait_for(descriptor, path, patience);
  if (failed == 0) return lock;
  if (failed != EWOULDBLOCK) return cannot_lock(path, failed);
  return environment_error(
             "RIDGE-MAN-0110",
             fmt::format("{} holds the lock for longer than {}", holder_of(descriptor),
                         duration(static_cast<double>(patience.limit.count))))
      .hint("wait until it ends, or end it")
      .in_file(path);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace ridge::manifest
