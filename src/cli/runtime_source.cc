// SPDX-License-Identifier: Apache-2.0
#include "cli/runtime_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "cli/cache_folder.h"
#include "session/matrix.h"

namespace ridge::cli {
namespace {

machine::RuntimeFinding find(const runtime::KnownRuntime& known) {
  machine::RuntimeFinding found{
      .name = std::string(known.title), .version = {}, .library = {}, .advice = {}};
  const Result<runtime::RuntimeInfo> opened =
      session::open_runtime(known, {.folders = runtime_folders(known)});
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
  const std::string all = fmt::format("{{{}}}", fmt::join(names, ","));
  const auto take = [all, others](std::string& text) -> std::string {
    if (std::ranges::find(others, text) != others.end()) return "";
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

}  // namespace ridge::cli
