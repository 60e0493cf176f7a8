// Runtimes that ridge has plug-ins for, and the locations of the plug-ins and of their libraries.
//
//   const KnownRuntime* known = known_runtime("ort");
//   options.folders = library_folders(*known, root, cache);
//   options.plugin = TRY(find_plugin(known->name));
//
// Thread rule: functions of constant data and of the file system.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::runtime {

/// Runtime for which ridge has a plug-in.
struct KnownRuntime {
  std::string_view name;           ///< value of --runtime: "ort"
  std::string_view other_name;     ///< name in documents: "onnxruntime"
  std::string_view title;          ///< "ONNX Runtime"
  std::string_view root_variable;  ///< environment variable of an installation: "ONNXRUNTIME_ROOT"
  std::string_view folder;         ///< folder in ridge's cache, with a subfolder per version
  std::string_view libraries;      ///< folder of the libraries below the root
  std::string_view fetch;          ///< script that downloads it
};
std::span<const KnownRuntime> known_runtimes();
/// Looks up by either name; nullptr for an unknown name.
const KnownRuntime* known_runtime(std::string_view name);

/// Search path for the runtime's library, in order: `root`, next to the plug-in, the user's cache.
/// Empty arguments are skipped. `cache` is $XDG_CACHE_HOME or $HOME/.cache.
std::vector<std::string> library_folders(const KnownRuntime& runtime, const std::string& root,
                                         const std::string& cache);

/// Path of the plug-in of that name: `lib/ridge/ridge_<name>.so` next to the program or to its
/// folder. Environment error if there is none.
Result<std::string> find_plugin(std::string_view runtime_name);

}  // namespace ridge::runtime
