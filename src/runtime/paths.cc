// Where the plug-ins and their libraries lie (runtime/runtime.h).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "runtime/runtime.h"

namespace ridge::runtime {

std::vector<std::string> library_folders(const std::string& onnxruntime_root,
                                         const std::string& cache) {
  std::vector<std::string> folders;
  if (!onnxruntime_root.empty()) folders.push_back(onnxruntime_root + "/lib");
  folders.emplace_back(kPluginFolder);
  if (cache.empty()) return folders;
  // The newest version by name comes first.
  std::error_code ignored;
  std::vector<std::string> fetched;
  for (const auto& entry :
       std::filesystem::directory_iterator(cache + "/ridge/onnxruntime", ignored)) {
    fetched.push_back((entry.path() / "lib").string());
  }
  std::sort(fetched.rbegin(), fetched.rend());
  folders.insert(folders.end(), fetched.begin(), fetched.end());
  return folders;
}

Result<std::string> find_plugin(std::string_view runtime_name) {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const auto folder = program.parent_path();
  const std::string file = fmt::format("lib/ridge/ridge_{}.so", runtime_name);
  for (const auto& candidate : {folder / file, folder.parent_path() / file}) {
    if (std::filesystem::exists(candidate, failed)) return candidate.string();
  }
  return environment_error("RIDGE-RT-0002",
                           fmt::format("ridge was built without the runtime '{}'", runtime_name))
      .evidence(fmt::format("no {} beside {}", file, program.string()))
      .hint("run scripts/fetch_onnxruntime.sh and build again");
}

}  // namespace ridge::runtime
