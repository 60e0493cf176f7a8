#include "runtime/descriptor.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace ridge::runtime {
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

Result<Mapping> Mapping::map(int fd, std::size_t size, Access access) {
  Mapping mapping;
  if (size == 0) return mapping;
  const bool writable = access == Access::kReadWrite;
  void* data = ::mmap(nullptr, size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                      writable ? MAP_SHARED : MAP_PRIVATE, fd, 0);
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

Result<SharedMemory> SharedMemory::make(std::size_t size) {
  SharedMemory memory;
  memory.descriptor = Descriptor(::memfd_create("ridge", MFD_CLOEXEC));
  if (!memory.descriptor.is_open()) return no_memory(size, errno);
  if (::ftruncate(memory.descriptor.get(), static_cast<off_t>(size)) != 0) {
    return no_memory(size, errno);
  }
  memory.mapping = TRY(Mapping::map(memory.descriptor.get(), size, Mapping::Access::kReadWrite));
  return memory;
}

}  // namespace ridge::runtime
