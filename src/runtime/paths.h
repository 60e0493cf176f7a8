// SPDX-License-Identifier: Apache-2.0
// Runtimes that ridge has plug-ins for, and the locations of the plug-ins and of their libraries.
//
//   const KnownRuntime* known = known_runtime("ort");
//   options.folders = library_folders(*known, {.root = root, .prefix = prefix, .cache = cache});
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
  std::string_view package;        ///< folder of the libraries below site-packages
  std::string_view fetch;          ///< script that downloads it
};
std::span<const KnownRuntime> known_runtimes();
/// Looks up by either name; nullptr for an unknown name.
const KnownRuntime* known_runtime(std::string_view name);

/// Roots below which a runtime's library is looked for; those that are empty are skipped.
struct LibraryRoots {
  std::string root;    ///< installation that the user names
  std::string prefix;  ///< where the program is installed: a Python environment has packages there
  std::string cache;   ///< $XDG_CACHE_HOME or $HOME/.cache
};

/// Whether a runtime is named by the path of its plug-in: it has a slash, or ends in ".so".
bool is_plugin_path(std::string_view named);

/// Search path for the runtime's library, in the order: root, Python packages of the prefix, next
/// to the plug-in, cache; the newest version first.
std::vector<std::string> library_folders(const KnownRuntime& runtime, const LibraryRoots& roots);

/// Folder that holds the folder of the running program: /usr of /usr/bin/ridge.
std::string program_prefix();

/// Path of the plug-in of that name, `ridge_<name>.so`: in `folder`, or without one in lib/ridge
/// next to the program or to its folder. Environment error if there is none.
Result<std::string> find_plugin(std::string_view runtime_name, const std::string& folder = "");

}  // namespace ridge::runtime
