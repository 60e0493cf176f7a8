// SPDX-License-Identifier: Apache-2.0
// File access for the rest of the program: opened once, read by position, never mapped to parse
// structure (a file that shrinks must cause an Error, not a SIGBUS).
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

  /// Takes ownership of an open descriptor and closes it if it is not a regular file. `path` is
  /// used in messages.
  static Result<File> adopt(int descriptor, std::string path);

  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }
  int descriptor() const { return fd_; }

  /// Fills `out` with the bytes from `offset` on. A file that has become too short is an input
  /// error.
  Result<void> read_at(std::int64_t offset, std::span<std::byte> out) const;

 private:
  File(int fd, std::string path, std::int64_t size)
      : fd_(fd), path_(std::move(path)), size_(size) {}
  int fd_ = -1;
  std::string path_;
  std::int64_t size_ = 0;
};

/// True if anything exists at `path`; false also if that cannot be determined.
bool file_exists(const std::string& path);

/// Returns the content of a small text or binary file; more than `limit` bytes is an input error.
Result<std::string> read_file(const std::string& path, std::int64_t limit);

/// Reads standard input, a pipe or a file, to its end; more than `limit` bytes is an input error.
Result<std::string> read_standard_input(std::int64_t limit);

/// Replaces `path` atomically: writes a temporary file in the same folder and renames it, so that a
/// reader sees either the old or the new content.
Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace ridge
