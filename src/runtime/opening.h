// SPDX-License-Identifier: Apache-2.0
// What a runtime's process is opened with: the call, and the folders that exist as long as it runs.
#pragma once

#include <optional>

#include "base/temporary_folder.h"
#include "runtime/protocol.h"

namespace ridge::runtime {

struct Opening {
  OpenCall call;
  TemporaryFolder folder;
  std::optional<TemporaryFolder> memory_folder;  ///< has files only while a model is loaded

  /// Environment errors: no such plug-in, no temporary folder.
  static Result<Opening> of(const Options& options);
};

}  // namespace ridge::runtime
