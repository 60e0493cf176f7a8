// SPDX-License-Identifier: Apache-2.0
// Memory with a path, for consumers that take data by path only: a file in a file system in memory
// (tmpfs).
//
//   std::optional<MemoryFile> file = MemoryFile::make(folder, size);
//   if (file) fill(file->bytes());      // others may open file->path() until it goes out of scope
//
// Ownership: the file is removed on destruction; existing mappings keep the memory. Nothing is
// written to disk. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "ipc/descriptor.h"

namespace ridge::runtime {

class MemoryFile {
 public:
  /// Allocates a file of `size` bytes. nullopt if the folder is on disk, or if less than a quarter
  /// of its file system would remain free for others.
  static std::optional<MemoryFile> make(const std::string& folder, std::size_t size);
  MemoryFile(MemoryFile&& other) noexcept
      : path_(std::exchange(other.path_, {})), mapping_(std::move(other.mapping_)) {}
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile();

  const std::string& path() const { return path_; }
  std::span<std::byte> bytes() const { return mapping_.bytes(); }

 private:
  explicit MemoryFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
  ipc::Mapping mapping_;
};

}  // namespace ridge::runtime
