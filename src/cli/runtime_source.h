// Which runtimes there are: where their libraries are looked for, and what answers.
#pragma once

#include <string>
#include <vector>

#include "machine/fitness.h"
#include "runtime/runtime.h"

namespace CLI {
class Option;
}

namespace ridge::cli {

/// Folders for a runtime's library, from the environment (ONNXRUNTIME_ROOT, OPENVINO_ROOT) and the
/// user's cache.
std::vector<std::string> runtime_folders(const runtime::KnownRuntime& runtime);

/// The option takes names of runtimes; "onnxruntime" becomes "ort".
void take_runtime_names(CLI::Option* option);

/// What a runtime says of itself, from a child process that ends again. Cost: about 50 ms.
Result<runtime::RuntimeInfo> open_runtime(const runtime::KnownRuntime& known);

/// Opens every runtime in a child process and says its version, or how to get it. Cost: about 50 ms
/// each.
std::vector<machine::RuntimeFinding> find_runtimes();

}  // namespace ridge::cli
