// SPDX-License-Identifier: Apache-2.0
#include "ipc/descriptor.h"

#include <fmt/format.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace ridge::ipc {
namespace {

Error no_memory(std::size_t size, int error_number) {
  return environment_error("RIDGE-RT-0030",
                           fmt::format("cannot map {} bytes: {}", size,
                                       std::generic_category().message(error_number)))
      .hint("choose a smaller batch or sequence, or a machine with more memory");
}

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

std::string Descriptor::path() const {
  std::array<char, PATH_MAX> path;
  const std::string link = fmt::format("/proc/self/fd/{}", fd_);
  const ssize_t length = ::readlink(link.c_str(), path.data(), path.size());
  if (length <= 0 || length == std::ssize(path)) return {};
  std::string found(path.data(), static_cast<std::size_t>(length));
  // The link may be no path ("pipe:[1]", "/x (deleted)"), or the path of a file that has been
  // replaced.
  struct stat here {
  }, there{};
  const bool same = ::fstat(fd_, &here) == 0 && ::lstat(found.c_str(), &there) == 0 &&
                    here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  return same && found.front() == '/' ? found : std::string();
}

Result<Mapping> Mapping::map(int fd, std::size_t size, Access access, std::size_t offset) {
  Mapping mapping;
  if (size == 0) return mapping;
  const bool writable = access == Access::kReadWrite;
  void* data = ::mmap(nullptr, size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                      writable ? MAP_SHARED : MAP_PRIVATE, fd, static_cast<off_t>(offset));
  if (data == MAP_FAILED) return no_memory(size, errno);
  mapping.data_ = static_cast<std::byte*>(data);
  mapping.size_ = size;
  return mapping;
}

Mapping Mapping::adopt(void* data, std::size_t size) {
  Mapping mapping;
  mapping.data_ = static_cast<std::byte*>(data);
  mapping.size_ = size;
  return mapping;
}

Mapping::~Mapping() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

Result<Descriptor> SharedMemory::make_unmapped(std::size_t size) {
  Descriptor out(::memfd_create("ridge", MFD_CLOEXEC));
  if (!out.is_open()) return no_memory(size, errno);
  if (::ftruncate(out.get(), static_cast<off_t>(size)) != 0) return no_memory(size, errno);
  return out;
}

Result<SharedMemory> SharedMemory::make(std::size_t size) {
  SharedMemory memory;
  memory.descriptor = TRY(make_unmapped(size));
  memory.mapping = TRY(Mapping::map(memory.descriptor.get(), size, Mapping::Access::kReadWrite));
  return memory;
}

}  // namespace ridge::ipc
