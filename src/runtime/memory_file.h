// Memory that has a path, for who takes data by path only: a file in a file system that lives in
// memory (tmpfs).
//
//   std::optional<MemoryFile> file = MemoryFile::make(folder, size);
//   if (file) fill(file->bytes());      // others may open file->path() until it goes out of scope
//
// Ownership: the file is removed at the end; whoever has mapped it by then keeps the memory.
// Nothing is written to disk. Thread rule: one thread.
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
  /// Room for `size` bytes, all of it taken, in a file of its own. nullopt where the folder is on
  /// disk, or where less than a quarter of its file system would stay free: others need it too.
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
