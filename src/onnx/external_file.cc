#include "onnx/external_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace ridge::onnx {
namespace {

/// Non-blocking, so that opening a pipe does not wait for its writer.
constexpr int kRead = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(-1); }
  void reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// Returns a descriptor, or -1 with errno; ENOSYS if the kernel (or a sandbox) does not provide
/// openat2.
int open_by_kernel(int folder, const std::string& location) {
  open_how how{};
  how.flags = kRead;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long fd = ::syscall(SYS_openat2, folder, location.c_str(), &how, sizeof how);
  if (fd < 0 && errno == EPERM) errno = ENOSYS;
  return static_cast<int>(fd);
}

bool is_link(int folder, const std::string& name) {
  struct stat status {};
  return ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISLNK(status.st_mode);
}

int open_by_component(int folder, std::string_view location) {
  Descriptor at(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
  while (at.get() >= 0) {
    const std::size_t slash = location.find('/');
    const std::string part(location.substr(0, slash));
    if (slash == std::string_view::npos) return ::openat(at.get(), part.c_str(), kRead);
    location.remove_prefix(slash + 1);
    if (part.empty() || part == ".") continue;
    const int next =
        ::openat(at.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0 && errno == ENOTDIR) errno = is_link(at.get(), part) ? ELOOP : ENOTDIR;
    if (next < 0) return -1;
    at.reset(next);
  }
  return -1;
}

Error cannot_open(const std::string& path, int error_number) {
  switch (error_number) {
    case ELOOP:
    case EXDEV:
      return input_error("RIDGE-ONNX-0302", "external data behind a symbolic link is rejected")
          .in_file(path)
          .hint("put the file itself into the model's folder (cp -L)");
    case ENXIO:
      return input_error("RIDGE-ONNX-0303", "external data must be a regular file").in_file(path);
    case ENOENT:
    case ENOTDIR:
      return environment_error("RIDGE-ONNX-0308", "the external data of the model is missing")
          .in_file(path)
          .hint("the model needs this file; copy it to that path");
    default:
      return environment_error("RIDGE-ONNX-0309", "cannot open the external data: " +
                                                      std::generic_category().message(error_number))
          .in_file(path);
  }
}

}  // namespace

Result<File> open_beneath(const std::string& folder, std::string_view location,
                          Resolution resolution) {
  const std::string path = folder.ends_with('/') ? folder + std::string(location)
                                                 : fmt::format("{}/{}", folder, location);
  const Descriptor root(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (root.get() < 0) return cannot_open(path, errno);
  Descriptor fd(-1);
  errno = ENOSYS;
  if (resolution == Resolution::kAuto) fd.reset(open_by_kernel(root.get(), std::string(location)));
  if (fd.get() < 0 && errno == ENOSYS) fd.reset(open_by_component(root.get(), location));
  if (fd.get() < 0) return cannot_open(path, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return cannot_open(path, errno);
  if (!S_ISREG(status.st_mode)) {
    return input_error("RIDGE-ONNX-0303", "external data must be a regular file").in_file(path);
  }
  if (status.st_nlink > 1) {
    return input_error("RIDGE-ONNX-0304",
                       fmt::format("external data with {} hard links is rejected", status.st_nlink))
        .in_file(path)
        .hint(
            "another name of the file may lie outside the model's folder; copy it (cp) and "
            "remove the old name");
  }
  return File::adopt(fd.release(), path);
}

}  // namespace ridge::onnx
