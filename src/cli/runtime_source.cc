// SPDX-License-Identifier: Apache-2.0
#include "cli/runtime_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/cache_folder.h"
#include "session/matrix.h"

namespace ridge::cli {
namespace {

Result<runtime::RuntimeInfo> open_known(const runtime::KnownRuntime& known) {
  return session::open_runtime(TRY(runtime::find_plugin(known.name)),
                               {.folders = runtime_folders(known)});
}

machine::RuntimeFinding find(const runtime::KnownRuntime& known) {
  machine::RuntimeFinding found{
      .name = std::string(known.title), .version = {}, .library = {}, .advice = {}};
  const Result<runtime::RuntimeInfo> opened = open_known(known);
  if (opened.ok()) {
    found.version = opened->version;
    found.library = opened->library;
  } else {
    found.advice = opened.error().hint();
  }
  return found;
}

}  // namespace

void restrict_to_runtimes(Flag& flag, const std::vector<std::string>& others) {
  std::vector<std::string_view> names;
  for (const runtime::KnownRuntime& known : runtime::known_runtimes()) names.push_back(known.name);
  names.insert(names.end(), others.begin(), others.end());
  const std::string all = fmt::format("{{{},PATH.so}}", fmt::join(names, ","));
  const auto take = [all, others](std::string& text) -> std::string {
    if (std::ranges::find(others, text) != others.end() || runtime::is_plugin_path(text)) return "";
    const runtime::KnownRuntime* known = runtime::known_runtime(text);
    if (known == nullptr) return text + " not in " + all;
    text = known->name;
    return "";
  };
  flag.checked(take, all);
}

std::vector<std::string> runtime_folders(const runtime::KnownRuntime& runtime) {
  const char* root = std::getenv(std::string(runtime.root_variable).c_str());
  return runtime::library_folders(
      runtime,
      {.root = root ? root : "", .prefix = runtime::program_prefix(), .cache = user_cache()});
}

std::vector<machine::RuntimeFinding> find_runtimes() {
  std::vector<machine::RuntimeFinding> found;
  for (const runtime::KnownRuntime& known : runtime::known_runtimes()) found.push_back(find(known));
  return found;
}

machine::RuntimeFinding try_plugin(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed).lexically_normal();
  machine::RuntimeFinding found{
      .name = whole.filename().string(), .version = {}, .library = {}, .advice = {}};
  const Result<runtime::RuntimeInfo> opened = session::open_runtime(whole.string(), {});
  if (opened.ok()) {
    found.version = fmt::format("{} {}", opened->name, opened->version);
    found.library = opened->library;
  } else {
    found.fault = session::reason_of(opened.error());
    found.advice = opened.error().hint();
  }
  return found;
}

}  // namespace ridge::cli
