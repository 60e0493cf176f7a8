// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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

Error not_a_file(std::string_view kind) {
  return input_error("RIDGE-IO-0002", fmt::format("is {}, not a file", kind))
      .hint("give the path of a file");
}

Error cannot_open(const std::string& path, int error_number) {
  if (error_number == ENXIO) {  // open() fails with ENXIO for a socket
    return not_a_file("a socket").in_file(path);
  }
  Error error =
      environment_error("RIDGE-IO-0001", "cannot open it: " + reason(error_number)).in_file(path);
  if (path.empty()) return std::move(error).hint("the path is empty; give the path of a file");
  if (error_number == EACCES) return std::move(error).hint("you need permission to read it");
  return std::move(error).hint("check the spelling of the path");
}

Error unreadable(int error_number) {
  return environment_error("RIDGE-IO-0005", "cannot read it: " + reason(error_number));
}

Error too_large(std::int64_t size, std::int64_t limit) {
  return input_error("RIDGE-IO-0007", fmt::format("has {} bytes, the limit is {}", size, limit));
}

}  // namespace

Result<File> File::open(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return input_error("RIDGE-IO-0003", "the path contains a zero byte").in_file(path);
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return cannot_open(path, errno);
  return adopt(fd, path);
}

Result<File> File::adopt(int descriptor, std::string path) {
  File file(descriptor, std::move(path), 0);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return cannot_open(file.path(), errno);
  if (!S_ISREG(status.st_mode)) {
    return not_a_file(kind_name(status.st_mode)).in_file(file.path());
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
      return unreadable(errno)
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

bool file_exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

Result<std::string> read_file(const std::string& path, std::int64_t limit) {
  const File file = TRY(File::open(path));
  if (file.size() > limit) return too_large(file.size(), limit).in_file(path);
  std::string content(static_cast<std::size_t>(file.size()), '\0');
  TRY(file.read_at(0, std::as_writable_bytes(std::span(content))));
  return content;
}

Result<std::string> read_standard_input(std::int64_t limit) {
  constexpr std::size_t kStep = std::size_t{1} << 16;
  std::string content;
  for (std::size_t size = 0;;) {
    content.resize(size + kStep);
    const ssize_t got = ::read(STDIN_FILENO, content.data() + size, kStep);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(errno).in_file("standard input");
    size += static_cast<std::size_t>(got);
    content.resize(size);
    if (got == 0) return content;
    if (static_cast<std::int64_t>(size) > limit)
      return too_large(static_cast<std::int64_t>(size), limit).in_file("standard input");
  }
}

}  // namespace ridge
