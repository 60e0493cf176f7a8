// SPDX-License-Identifier: Apache-2.0
#include "session/measure_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "measure/known_sizes.h"
#include "runtime/paths.h"

namespace ridge::session {
namespace {

/// Such a name is printed as it is, and is part of the names of files.
bool is_runtime_name(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return std::ranges::any_of(name, letter) && std::ranges::all_of(name, [&](char c) {
           return letter(c) || c == '.' || c == '_' || c == '-';
         });
}

}  // namespace

std::vector<Point> points_of(const MeasureSpec& spec) {
  std::vector<Point> out;
  for (const std::string& runtime : spec.runtimes)
    for (const int threads : spec.threads)
      for (const analysis::Bindings& bindings : spec.sizes)
        out.push_back({bindings, threads, runtime});
  return out;
}

std::size_t count_points(const MeasureSpec& spec) {
  return spec.runtimes.size() * spec.threads.size() * spec.sizes.size();
}

Result<std::vector<Point>> with_arrays(std::vector<Point> points, const MeasureSpec& spec,
                                       const graph::Model& model) {
  for (Point& point : points)
    point.bindings = TRY(measure::with_arrays(model, std::move(point.bindings), spec.inputs));
  return points;
}

Result<std::string> name_runtime(const std::string& given, MeasureSpec& spec) {
  if (!runtime::is_plugin_path(given)) return given;
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::absolute(given, failed).lexically_normal();
  if (failed)
    return environment_error("RIDGE-WB-0058", "the current folder cannot be found")
        .evidence(failed.message())
        .hint("give the plug-in's whole path");
  std::string name = path.filename().string();
  if (!is_runtime_name(name))
    return usage_error("RIDGE-WB-0056",
                       fmt::format("{} is no file with a name for a runtime", printable(given)))
        .hint("a plug-in is called as its file: letters, digits, '.', '_' and '-'");
  const auto [known, is_new] = spec.plugins.try_emplace(name, path.string());
  if (!is_new && known->second != path.string())
    return usage_error("RIDGE-WB-0057", fmt::format("two plug-ins are called {}", name))
        .evidence(fmt::format("{} and {}", printable(known->second), printable(path.string())))
        .hint("a plug-in is called as its file: rename or link one of them");
  return name;
}

Result<std::string> plugin_of(const MeasureSpec& spec, const std::string& runtime,
                              const std::string& folder) {
  const auto own = spec.plugins.find(runtime);
  return own != spec.plugins.end() ? own->second : runtime::find_plugin(runtime, folder);
}

Result<void> check(const MeasureSpec& spec) {
  if (spec.runtimes.size() > 1 && (!spec.runtime_library.empty() || !spec.runtime_options.empty()))
    return usage_error("RIDGE-WB-0051",
                       "--runtime-library and --runtime-option require a single runtime")
        .hint("measure each runtime separately");
  return {};
}

}  // namespace ridge::session
