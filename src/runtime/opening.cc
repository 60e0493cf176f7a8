// SPDX-License-Identifier: Apache-2.0
#include "runtime/opening.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "runtime/paths.h"

namespace ridge::runtime {

Result<Opening> Opening::of(const Options& options) {
  OpenCall call;
  call.plugin = options.plugin.empty() ? TRY(find_plugin("ort")) : options.plugin;
  call.library = options.library;
  call.folders = options.folders;
  std::replace(call.folders.begin(), call.folders.end(), std::string(kPluginFolder),
               std::filesystem::path(call.plugin).parent_path().string());
  call.threads = options.threads;
  call.optimization = options.optimization;
  call.cpus = options.cpus;
  call.deterministic = options.deterministic;
  call.entries = options.entries;
  call.memory_limit = options.memory_limit.count;
  TemporaryFolder folder =
      TRY(options.temporary.empty() ? TemporaryFolder::make()
                                    : TemporaryFolder::make(options.temporary));
  call.temporary = folder.path();
  std::optional<TemporaryFolder> memory_folder;
  if (!options.memory_folder.empty()) {
    if (Result<TemporaryFolder> made = TemporaryFolder::make(options.memory_folder))
      memory_folder.emplace(std::move(*made));
    call.memory_folder = memory_folder ? memory_folder->path() : call.temporary;
  }
  return Opening{std::move(call), std::move(folder), std::move(memory_folder)};
}

}  // namespace ridge::runtime
