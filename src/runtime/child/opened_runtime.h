// SPDX-License-Identifier: Apache-2.0
// A runtime opened in this process.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/abi.h"
#include "runtime/protocol.h"

namespace ridge::runtime {

struct OpenedRuntime {
  const RidgeRuntimeApi* api = nullptr;  ///< nullptr: none is open
  RidgeRuntime* runtime = nullptr;       ///< lives as long as the process
  RuntimeInfo info;
  /// Folder for weights; empty: the runtime takes no weights from files.
  std::string memory_folder;

  bool can(std::uint64_t capability) const { return (info.capabilities & capability) != 0; }
};

/// Limits the memory of this process as the call says, opens the plug-in and the runtime. Errors:
/// open_plugin()'s, the runtime's, RIDGE-RT-0020.
Result<OpenedRuntime> open_runtime(const OpenCall& call);

/// Error (RIDGE-RT-0035) for an allocation that failed between calls of the runtime.
Error no_memory_left();

}  // namespace ridge::runtime
