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
     "onnxruntime/capi", "scripts/fetch_onnxruntime.sh"},
    {"openvino", "openvino", "OpenVINO", "OPENVINO_ROOT", "openvino", "openvino/libs",
     "openvino/libs", "scripts/fetch_openvino.sh"},
}};

std::filesystem::path running_program() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed);
}

/// Adds `below` of each folder in `parent` whose name begins with `stem`, the newest version first.
void add_versions(const std::string& parent, std::string_view stem, std::string_view below,
                  std::vector<std::string>& folders) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored))
    if (entry.path().filename().string().starts_with(stem))
      found.push_back((entry.path() / below).string());
  std::sort(found.rbegin(), found.rend(), version_before);
  folders.insert(folders.end(), found.begin(), found.end());
}

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

std::vector<std::string> library_folders(const KnownRuntime& runtime, const LibraryRoots& roots) {
  std::vector<std::string> folders;
  if (!roots.root.empty()) folders.push_back(fmt::format("{}/{}", roots.root, runtime.libraries));
  if (!roots.prefix.empty())
    add_versions(roots.prefix + "/lib", "python3", fmt::format("site-packages/{}", runtime.package),
                 folders);
  folders.emplace_back(kPluginFolder);
  if (!roots.cache.empty())
    add_versions(fmt::format("{}/ridge/{}", roots.cache, runtime.folder), "", runtime.libraries,
                 folders);
  return folders;
}

std::string program_prefix() { return running_program().parent_path().parent_path().string(); }

Result<std::string> find_plugin(std::string_view runtime_name, const std::string& folder) {
  const KnownRuntime* known = known_runtime(runtime_name);
  if (known != nullptr) runtime_name = known->name;
  const std::string file = fmt::format("ridge_{}.so", runtime_name);
  const std::filesystem::path program = running_program();
  std::vector<std::filesystem::path> candidates = {folder};
  if (folder.empty())
    candidates = {program.parent_path() / "lib/ridge",
                  program.parent_path().parent_path() / "lib/ridge"};
  std::error_code failed;
  for (const std::filesystem::path& candidate : candidates)
    if (std::filesystem::exists(candidate / file, failed)) return (candidate / file).string();
  return environment_error("RIDGE-RT-0002",
                           fmt::format("ridge was built without the runtime '{}'", runtime_name))
      .evidence(folder.empty() ? fmt::format("no lib/ridge/{} beside {}", file, program.string())
                               : fmt::format("no {} in {}", file, folder))
      .hint(known != nullptr ? fmt::format("run {} and build again", known->fetch)
                             : "the runtimes that ridge knows are those of --runtime");
}

}  // namespace ridge::runtime
