// SPDX-License-Identifier: Apache-2.0
// Atomic and durable file writer: bytes go to a temporary file in the same folder; commit() syncs
// it, renames it and syncs the folder.
//
//   FileWriter out = TRY(FileWriter::create("model.onnx"));
//   TRY(out.write(part));  …
//   TRY(out.commit());
//
// A reader sees either the old or the new content, also after a power failure. If the path is a
// symbolic link, its target is replaced and the link stays. Pipes, terminals and devices
// (/dev/stdout) are written directly. Without commit() the temporary file is deleted. Errors:
// environment class. Not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge {

enum class Durability {
  kSynced,    ///< commit() syncs file and folder
  kUnsynced,  ///< temporary files, and files that sync_file_system() syncs before they are needed
};

class FileWriter {
 public:
  static Result<FileWriter> create(const std::string& path,
                                   Durability durability = Durability::kSynced);

  FileWriter(FileWriter&&) noexcept;
  FileWriter& operator=(FileWriter&&) noexcept;
  ~FileWriter();

  Result<void> write(std::string_view bytes);
  Result<void> commit();

  /// True if bytes go to a pipe or a device, which read_back() cannot read.
  bool in_place() const;
  /// The first `bytes` bytes that were written, also after a failure of write() or commit(), while
  /// the file is not in place; "" if they cannot be read.
  std::string read_back(std::size_t bytes) const;

 private:
  struct State;
  explicit FileWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Syncs everything on the file system of a folder: cheaper than to sync thousands of files one by
/// one. Errors: environment class.
Result<void> sync_file_system(const std::string& folder);

/// Error (environment class) if no file can be created at `path`; leaves nothing behind. Pipes and
/// devices are not opened, because the reader of a pipe would see its end.
Result<void> check_writable(const std::string& path);

/// Creates a folder; the one above it must exist. One that is there already stays as it is. Error
/// (environment class): it cannot be created, or a file has its name.
Result<void> make_folder(const std::string& path);

/// Error (environment class) if no file can be created in a folder, which need not exist.
Result<void> check_writable_folder(const std::string& path);

}  // namespace ridge
