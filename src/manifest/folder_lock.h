// SPDX-License-Identifier: Apache-2.0
// Exclusive lock of a folder among processes, held while the object lives.
//
//   const FolderLock lock = TRY(FolderLock::take(folder, {.say = say}));
//
// The lock is a flock on the file `lock` of the folder; the kernel releases it when the process
// ends, however it ends. take() waits for another holder, says so once, and gives up after the
// limit. Errors: environment class, RIDGE-MAN-0060 if the folder cannot be locked, RIDGE-MAN-0110
// at the limit.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/units.h"

namespace ridge::manifest {

/// How long a lock is waited for, and who is told.
struct Patience {
  Nanos limit{60'000'000'000};
  std::function<void(const std::string& line)> say = {};  ///< may be empty
};

class FolderLock {
 public:
  static Result<FolderLock> take(const std::string& folder, const Patience& patience = {});

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
