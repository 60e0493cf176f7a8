// Exclusive lock of a folder among processes, held while the object lives.
//
//   const FolderLock lock = TRY(FolderLock::take(folder));
//
// The lock is a flock on the file `lock` of the folder; the kernel releases it when the process
// ends, however it ends. take() waits. Errors: environment class.
#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace ridge::manifest {

class FolderLock {
 public:
  static Result<FolderLock> take(const std::string& folder);

  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace ridge::manifest
