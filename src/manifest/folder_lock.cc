#include "manifest/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ridge::manifest {

Result<FolderLock> FolderLock::take(const std::string& folder) {
  const std::string path = folder + "/lock";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  int failed = descriptor < 0 ? -1 : 0;
  if (descriptor >= 0) {
    do failed = ::flock(descriptor, LOCK_EX);
    while (failed != 0 && errno == EINTR);
  }
  if (failed == 0) return FolderLock(descriptor);
  const int cause = errno;
  if (descriptor >= 0) ::close(descriptor);
  return environment_error("RIDGE-MAN-0060",
                           fmt::format("cannot lock the folder: {}", std::strerror(cause)))
      .hint("the folder must be writable")
      .in_file(path);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace ridge::manifest
