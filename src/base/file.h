// Files as the rest of the program sees them: opened once, read by position, never mapped for
// reading structure (a file that shrinks must give an Error, not a SIGBUS).
//
// Ownership: File owns its descriptor. Thread rule: read_at may be called from several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge {

class File {
 public:
  /// Opens a regular file for reading. Missing or unreadable: environment error (exit 4); a folder,
  /// pipe, socket or device: input error (exit 3). Never blocks on a pipe (O_NONBLOCK, then fstat).
  static Result<File> open(const std::string& path);

  /// Takes over an open descriptor, closing it where it is no regular file. `path` stands for it in
  /// messages.
  static Result<File> adopt(int descriptor, std::string path);

  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }
  int descriptor() const { return fd_; }

  /// Fills `out` from `offset`. A file that has become shorter is an input error.
  Result<void> read_at(std::int64_t offset, std::span<std::byte> out) const;

 private:
  File(int fd, std::string path, std::int64_t size)
      : fd_(fd), path_(std::move(path)), size_(size) {}
  int fd_ = -1;
  std::string path_;
  std::int64_t size_ = 0;
};

/// Whether anything is at that path; false too where that cannot be seen.
bool file_exists(const std::string& path);

/// The whole of a small text or binary file; more than `limit` bytes is an input error.
Result<std::string> read_file(const std::string& path, std::int64_t limit);

/// The same from standard input, a pipe or a file, to its end.
Result<std::string> read_standard_input(std::int64_t limit);

/// Writes through a temporary beside `path` and renames it: a reader sees the old or the new
/// content, never a part.
Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace ridge
