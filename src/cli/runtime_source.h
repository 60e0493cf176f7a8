// SPDX-License-Identifier: Apache-2.0
// Finds the installed runtimes: folders of their libraries, versions.
#pragma once

#include <string>
#include <vector>

#include "cli/flags/flags.h"
#include "machine/fitness.h"
#include "runtime/paths.h"

namespace ridge::cli {

/// Folders to search for a runtime's library, from the environment (ONNXRUNTIME_ROOT,
/// OPENVINO_ROOT) and the user's cache.
std::vector<std::string> runtime_folders(const runtime::KnownRuntime& runtime);

/// Restricts an option to names of runtimes, and `others`; other spellings are replaced:
/// "onnxruntime" by "ort".
void restrict_to_runtimes(Flag& flag, const std::vector<std::string>& others = {});

/// Opens every known runtime in a child process; returns its version, or advice on how to install
/// it. Cost: about 50 ms each.
std::vector<machine::RuntimeFinding> find_runtimes();

}  // namespace ridge::cli
