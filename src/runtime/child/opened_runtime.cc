// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/opened_runtime.h"

#include <sys/resource.h>

#include <vector>

#include "runtime/child/plugin.h"
#include "runtime/child/tensor_rows.h"

namespace ridge::runtime {
namespace {

/// Capabilities that are there only if the table has their calls.
constexpr std::uint64_t kOfTheTable = RIDGE_HAS_WORKERS | RIDGE_HAS_HAND_OVER |
                                      RIDGE_SHARES_BUFFERS | RIDGE_CAN_PREPARE | RIDGE_CAN_FORK;

}  // namespace

Result<OpenedRuntime> open_runtime(const OpenCall& call) {
  if (call.memory_limit > 0) {
    const auto limit = static_cast<rlim_t>(call.memory_limit);
    const rlimit both{limit, limit};
    ::setrlimit(RLIMIT_DATA, &both);
  }
  OpenedRuntime opened;
  opened.api = TRY(open_plugin(call.plugin));
  std::vector<const char*> folders;
  for (const std::string& folder : call.folders) folders.push_back(folder.c_str());
  std::vector<RidgeEntry> entries;
  for (const auto& [key, value] : call.entries) entries.push_back({key.c_str(), value.c_str()});

  RidgeOpenOptions options{};
  options.size = sizeof(options);
  options.threads = call.threads;
  options.library = call.library.empty() ? nullptr : call.library.c_str();
  options.folders = folders.data();
  options.folder_count = static_cast<std::uint32_t>(folders.size());
  options.optimization = static_cast<std::uint32_t>(call.optimization);
  options.cpus = call.cpus.data();
  options.cpu_count = static_cast<std::uint32_t>(call.cpus.size());
  options.deterministic = call.deterministic ? 1 : 0;
  options.entries = entries.data();
  options.entry_count = entries.size();
  options.temporary = call.temporary.c_str();
  RidgeError error = no_error();
  TRY(check(opened.api->open(&options, &opened.runtime, &error), error));

  RidgeInfo info{};
  info.size = sizeof(info);
  TRY(check(opened.api->info(opened.runtime, &info, &error), error));
  info.capabilities &= opened.api->capabilities | ~kOfTheTable;
  if (text_or_empty(info.name).empty() || text_or_empty(info.version).empty())
    return environment_error("RIDGE-RT-0020", "the plug-in does not say its name and version")
        .hint("its call info fills name and version of RidgeInfo")
        .in_file(call.plugin);
  opened.info = {text_or_empty(info.name), text_or_empty(info.version), text_or_empty(info.library),
                 text_or_empty(info.notes), info.capabilities};
  if (opened.info.library.empty()) opened.info.library = call.plugin;  // it is the runtime
  if (opened.can(RIDGE_TAKES_WEIGHTS)) opened.memory_folder = call.memory_folder;
  return opened;
}

Error no_memory_left() {
  return environment_error("RIDGE-RT-0035", "the runtime's process ran out of memory")
      .hint("choose a smaller batch or sequence, or a machine with more memory");
}

}  // namespace ridge::runtime
