// SPDX-License-Identifier: Apache-2.0
#include "runtime/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/version_order.h"
#include "runtime/options.h"

namespace ridge::runtime {

namespace {

constexpr std::array<KnownRuntime, 2> kRuntimes = {{
    {"ort", "onnxruntime", "ONNX Runtime", "ONNXRUNTIME_ROOT", "onnxruntime", "lib",
     "scripts/fetch_onnxruntime.sh"},
    {"openvino", "openvino", "OpenVINO", "OPENVINO_ROOT", "openvino", "openvino/libs",
     "scripts/fetch_openvino.sh"},
}};

}  // namespace

std::span<const KnownRuntime> known_runtimes() { return kRuntimes; }

const KnownRuntime* known_runtime(std::string_view name) {
  for (const KnownRuntime& runtime : kRuntimes)
    if (runtime.name == name || runtime.other_name == name) return &runtime;
  return nullptr;
}

bool is_plugin_path(std::string_view named) {
  return named.find('/') != std::string_view::npos || named.ends_with(".so");
}

std::vector<std::string> library_folders(const KnownRuntime& runtime, const std::string& root,
                                         const std::string& cache) {
  std::vector<std::string> folders;
  if (!root.empty()) folders.push_back(fmt::format("{}/{}", root, runtime.libraries));
  folders.emplace_back(kPluginFolder);
  if (cache.empty()) return folders;
  // Newest version first.
  std::error_code ignored;
  std::vector<std::string> fetched;
  for (const auto& entry : std::filesystem::directory_iterator(
           fmt::format("{}/ridge/{}", cache, runtime.folder), ignored)) {
    fetched.push_back((entry.path() / runtime.libraries).string());
  }
  std::sort(fetched.rbegin(), fetched.rend(), version_before);
  folders.insert(folders.end(), fetched.begin(), fetched.end());
  return folders;
}

Result<std::string> find_plugin(std::string_view runtime_name) {
  const KnownRuntime* known = known_runtime(runtime_name);
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const auto folder = program.parent_path();
  if (known != nullptr) runtime_name = known->name;
  const std::string file = fmt::format("lib/ridge/ridge_{}.so", runtime_name);
  for (const auto& candidate : {folder / file, folder.parent_path() / file}) {
    if (std::filesystem::exists(candidate, failed)) return candidate.string();
  }
  return environment_error("RIDGE-RT-0002",
                           fmt::format("ridge was built without the runtime '{}'", runtime_name))
      .evidence(fmt::format("no {} beside {}", file, program.string()))
      .hint(known != nullptr ? fmt::format("run {} and build again", known->fetch)
                             : "the runtimes that ridge knows are those of --runtime");
}

}  // namespace ridge::runtime
