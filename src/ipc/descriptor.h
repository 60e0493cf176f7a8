// SPDX-License-Identifier: Apache-2.0
// An owned file descriptor, and memory that two processes share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"

namespace ridge::ipc {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// Absolute path without symbolic links; empty if the file is not (or no longer) at that path.
  std::string path() const;
  void reset();

 private:
  int fd_ = -1;
};

/// Memory mapping of a descriptor, unmapped on destruction.
class Mapping {
 public:
  enum class Access { kRead, kReadWrite };

  Mapping() = default;
  /// Maps `size` bytes, which may be 0, from `offset` on, a multiple of the size of a page.
  /// Environment error if the kernel refuses.
  static Result<Mapping> map(int fd, std::size_t size, Access access, std::size_t offset = 0);
  /// Takes ownership of memory returned by mmap.
  static Mapping adopt(void* data, std::size_t size);
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Mapping();

  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Anonymous memory that can be sent to another process as a descriptor.
struct SharedMemory {
  Descriptor descriptor;
  Mapping mapping;

  static Result<SharedMemory> make(std::size_t size);
  /// Returns such memory without a mapping. It takes no address space until parts are mapped.
  static Result<Descriptor> make_unmapped(std::size_t size);
  std::span<std::byte> bytes() const { return mapping.bytes(); }
};

}  // namespace ridge::ipc
