#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

namespace ridge {
namespace {

std::string reason(int error_number) { return std::generic_category().message(error_number); }

std::string_view kind_name(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

Error cannot_open(const std::string& path, int error_number) {
  if (error_number == ENXIO) {  // how open() answers for a socket
    return input_error("RIDGE-IO-0002", "is a socket, not a file").in_file(path);
  }
  Error error =
      environment_error("RIDGE-IO-0001", "cannot open it: " + reason(error_number)).in_file(path);
  if (error_number == ENOENT) return std::move(error).hint("check the spelling of the path");
  if (error_number == EACCES) return std::move(error).hint("you need permission to read it");
  return error;
}

Error cannot_write(const std::string& path, int error_number) {
  return environment_error("RIDGE-IO-0006", "cannot write it: " + reason(error_number))
      .in_file(path);
}

/// A file descriptor and a name that go away together unless the file was kept.
class Temporary {
 public:
  Temporary(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (fd_ >= 0) ::close(fd_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  int descriptor() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }
  int rename_to(const std::string& target) {
    const int status = std::rename(path_.c_str(), target.c_str());
    if (status == 0) path_.clear();
    return status;
  }

 private:
  int fd_;
  std::string path_;
};

int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

/// An empty file beside `path` that nobody else has; -1 with errno set where that fails. The umask
/// holds as for any new file.
int create_beside(const std::string& path, std::string& name) {
  static std::atomic<unsigned> serial = 0;
  for (;;) {
    name = fmt::format("{}.{}-{}.tmp", path, ::getpid(), serial++);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
}

/// Where `path` leads through symbolic links, so that a link stays one; `path` itself where nothing
/// is there yet.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? std::string(real.get()) : path;
}

/// A pipe, terminal or device (`/dev/stdout`) takes the bytes as they come; there is nothing to
/// rename over.
Result<void> write_in_place(const std::string& path, std::string_view content) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return cannot_write(path, errno);
  const Temporary open_file(fd, "");
  if (const int failure = write_all(fd, content); failure != 0) return cannot_write(path, failure);
  return {};
}

}  // namespace

Result<File> File::open(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return input_error("RIDGE-IO-0003", "the path holds a zero byte").in_file(path);
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return cannot_open(path, errno);
  File file(fd, path, 0);
  struct stat status {};
  if (::fstat(fd, &status) != 0) return cannot_open(path, errno);
  if (!S_ISREG(status.st_mode)) {
    return input_error("RIDGE-IO-0002", fmt::format("is {}, not a file", kind_name(status.st_mode)))
        .in_file(path);
  }
  file.size_ = status.st_size;
  return file;
}

File::File(File&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)), size_(other.size_) {}

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(size_, other.size_);
  return *this;
}

File::~File() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> File::read_at(std::int64_t offset, std::span<std::byte> out) const {
  const auto wanted = static_cast<std::int64_t>(out.size());
  if (offset < 0 || wanted < 0) return bug("a negative offset", "File::read_at").in_file(path_);
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::pread(fd_, out.data() + done, out.size() - done,
                              offset + static_cast<std::int64_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return environment_error("RIDGE-IO-0005", "cannot read it: " + reason(errno))
          .evidence(fmt::format("{} bytes at byte {:#x}", wanted, offset))
          .in_file(path_);
    }
    if (n == 0) {
      return input_error("RIDGE-IO-0004",
                         fmt::format("the file ends at byte {}, {} bytes at byte {} are needed",
                                     offset + static_cast<std::int64_t>(done), wanted, offset))
          .hint("the file is truncated or became shorter while it was read")
          .in_file(path_);
    }
    done += static_cast<std::size_t>(n);
  }
  return {};
}

Result<std::string> read_file(const std::string& path, std::int64_t limit) {
  const File file = TRY(File::open(path));
  if (file.size() > limit) {
    return input_error("RIDGE-IO-0007",
                       fmt::format("holds {} bytes, at most {} are read", file.size(), limit))
        .in_file(path);
  }
  std::string content(static_cast<std::size_t>(file.size()), '\0');
  TRY(file.read_at(0, std::as_writable_bytes(std::span(content))));
  return content;
}

Result<void> write_file(const std::string& path, std::string_view content) {
  struct stat present {};
  const bool exists = ::stat(path.c_str(), &present) == 0;
  if (exists && S_ISDIR(present.st_mode)) return cannot_write(path, EISDIR);
  if (exists && !S_ISREG(present.st_mode)) return write_in_place(path, content);

  const std::string target = resolved(path);
  std::string name;
  const int fd = create_beside(target, name);
  if (fd < 0) return cannot_write(path, errno);
  Temporary temporary(fd, std::move(name));
  if (exists && ::fchmod(fd, present.st_mode & 0777U) != 0) return cannot_write(path, errno);
  if (const int failure = write_all(fd, content); failure != 0) return cannot_write(path, failure);
  if (temporary.close() != 0 || temporary.rename_to(target) != 0) return cannot_write(path, errno);
  return {};
}

}  // namespace ridge
