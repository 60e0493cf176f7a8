// SPDX-License-Identifier: Apache-2.0
#include "onnx/external_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
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
    if (part == "..") {
      errno = EXDEV;
      return -1;
    }
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
      return input_error("RIDGE-ONNX-0302", "the symbolic links of this external data form a loop")
          .in_file(path)
          .hint("put the file itself into the model's folder");
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

std::string own_path(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

/// Path without links of an open file or folder; empty if the system does not tell.
std::string real_path(int fd) {
  std::string path(PATH_MAX, '\0');
  const ssize_t length = ::readlink(own_path(fd).c_str(), path.data(), path.size());
  path.resize(length > 0 && path.front() == '/' ? static_cast<std::size_t>(length) : 0);
  return path;
}

bool is_inside(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return !folder.empty() && path.size() > folder.size() && path.starts_with(folder) &&
         path[folder.size()] == '/';
}

std::string folder_or_empty(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return std::string(path.substr(0, std::max<std::size_t>(slash, 1)));
}

/// Opens a location with links, if the file itself lies in one of the two folders. O_PATH opens
/// without any effect on the file; its own path is then checked, so that changes of the links
/// meanwhile have no effect.
Result<int> open_through_links(int folder, const std::string& location, const File* model,
                               const std::string& path) {
  const Descriptor at(::openat(folder, location.c_str(), O_PATH | O_CLOEXEC));
  if (at.get() < 0) return cannot_open(path, errno);
  const std::string real = real_path(at.get()), given = real_path(folder);
  const std::string own =
      model == nullptr ? std::string() : folder_or_empty(real_path(model->descriptor()));
  if (!is_inside(real, given) && !is_inside(real, own)) {
    Error error = input_error("RIDGE-ONNX-0302",
                              "a symbolic link of this external data leads out of the folder of "
                              "the model")
                      .in_file(path);
    if (!real.empty() && !given.empty())
      error = std::move(error).evidence(
          own.empty() || own == given
              ? fmt::format("it leads to {}, not below {}", real, given)
              : fmt::format("it leads to {}, neither below {} nor below {}, where the model "
                            "itself lies",
                            real, given, own));
    return std::move(error).hint("put the file itself into the model's folder (cp -L)");
  }
  struct stat status {};
  if (::fstat(at.get(), &status) != 0) return cannot_open(path, errno);
  if (!S_ISREG(status.st_mode)) return cannot_open(path, ENXIO);
  const int fd = ::open(own_path(at.get()).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return cannot_open(path, errno);
  return fd;
}

}  // namespace

Result<File> open_beneath(const std::string& folder, std::string_view location, const File* model,
                          Resolution resolution) {
  const std::string path = folder.ends_with('/') ? folder + std::string(location)
                                                 : fmt::format("{}/{}", folder, location);
  const Descriptor root(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (root.get() < 0) return cannot_open(path, errno);
  Descriptor fd(-1);
  errno = ENOSYS;
  if (resolution == Resolution::kAuto) fd.reset(open_by_kernel(root.get(), std::string(location)));
  if (fd.get() < 0 && errno == ENOSYS) fd.reset(open_by_component(root.get(), location));
  if (fd.get() < 0 && (errno == ELOOP || errno == EXDEV))
    fd.reset(TRY(open_through_links(root.get(), std::string(location), model, path)));
  if (fd.get() < 0) return cannot_open(path, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return cannot_open(path, errno);
  if (!S_ISREG(status.st_mode)) return cannot_open(path, ENXIO);
  return File::adopt(fd.release(), path);
}

}  // namespace ridge::onnx
