// SPDX-License-Identifier: Apache-2.0
// Private temporary folder, deleted with its content by the destructor.
//
//   const TemporaryFolder folder = TRY(TemporaryFolder::make());
//   write_file(folder.path() + "/model.onnx", bytes);
//
// Accessible to its owner only (mode 0700). Its name has the process, the moment at which that
// started, and where processes have these numbers (host and process namespace): the first make()
// of a later process below the same folder deletes what a process that was killed left there.
// Folders of running processes, of other users and of other hosts stay. Thread rule: as a
// std::string.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace ridge {

/// The folder for temporary files: TMPDIR, or /tmp. Environment error if it is no folder.
Result<std::string> temporary_root();

/// Creates an empty file of its own, which stays, in temporary_root(), and returns its path:
/// "ridge-" + `what` + "-XXXXXX" + `ending`. Environment error if that fails.
Result<std::string> new_temporary_file(std::string_view what, std::string_view ending);

class TemporaryFolder {
 public:
  /// Creates a folder inside `below`. Environment error if that fails.
  static Result<TemporaryFolder> make(const std::string& below);
  /// Creates a folder inside temporary_root().
  static Result<TemporaryFolder> make();

  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// Deletes the temporary folders below `below` that processes of this user left, which do not run
/// any more. Nothing fails: a folder that cannot be deleted, or that another process deletes at the
/// same time, is left to it.
void remove_abandoned_folders(const std::string& below);

}  // namespace ridge
