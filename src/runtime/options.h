// SPDX-License-Identifier: Apache-2.0
// Options of a runtime in its child process. Plain data.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "base/words.h"

namespace ridge::runtime {

enum class Optimization : std::uint32_t { kAll = 0, kDisable = 1, kBasic = 2, kExtended = 3 };

}  // namespace ridge::runtime

namespace ridge {

template <>
struct Words<runtime::Optimization> {
  using Optimization = runtime::Optimization;
  static constexpr std::array list{
      Word{Optimization::kAll, "all"}, Word{Optimization::kDisable, "disable"},
      Word{Optimization::kBasic, "basic"}, Word{Optimization::kExtended, "extended"}};
};

}  // namespace ridge

namespace ridge::runtime {

/// Placeholder for the plug-in's own folder in Options::folders; the build puts a link there to the
/// library that it found.
inline constexpr char kPluginFolder[] = "@plugin";

struct Options {
  std::string program = "/proc/self/exe";  ///< started as `program --runtime-child`
  std::string plugin;                      ///< path of the plug-in; empty: find_plugin("ort")
  /// --runtime-library; empty: search `folders`, then as the loader does.
  std::string library;
  std::vector<std::string> folders = {kPluginFolder};  ///< see library_folders
  std::uint32_t threads = 1;
  Optimization optimization = Optimization::kAll;
  std::vector<std::uint32_t> cpus;  ///< processor per thread to pin to; empty: not pinned
  bool deterministic = false;
  std::vector<std::pair<std::string, std::string>> entries;  ///< --runtime-option key=value
  /// Parent of a private folder that exists for the life of the runtime; empty: temporary_root().
  std::string temporary;
  /// Parent of a private folder that holds weights while a runtime that maps them loads a model, if
  /// it is in memory and has room; empty: all weights are passed in memory.
  std::string memory_folder = "/dev/shm";
  Bytes memory_limit{0};  ///< limit on the child's data (RLIMIT_DATA); 0 = none
  /// A child that sends nothing and computes nothing for this long is considered hanging and
  /// killed; one that computes may be slow and is given `busy_silence`.
  Nanos silence{300'000'000'000};
  Nanos busy_silence{3'600'000'000'000};
  Nanos stopped{10'000'000'000};  ///< a child stopped (SIGSTOP) for this long is killed
  std::function<void(const std::string&)> warn;  ///< may be empty
  const std::atomic<bool>* interrupted = nullptr;
};

}  // namespace ridge::runtime
