// SPDX-License-Identifier: Apache-2.0
// Memory by kind and threads of a runtime's process, for tests and benchmarks of what loading costs.
#pragma once

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace ridge::runtime::testing {

/// Resident memory, in KiB; 0: unknown. Source: proc_pid_status(5).
struct ResidentMemory {
  std::int64_t anonymous = 0;
  std::int64_t files = 0;
  std::int64_t shared = 0;  ///< files in memory
  std::int64_t peak = 0;    ///< peak of the total
  /// Mapped from weight files in memory, which use system memory whether or not they are resident
  /// in the process.
  std::int64_t weights = 0;
};

/// Mapped weights in KiB, from the lines "from-to ... path" of /proc/PID/maps.
inline std::int64_t mapped_weights(const std::filesystem::path& process) {
  std::int64_t bytes = 0;
  std::ifstream file(process / "maps");
  for (std::string line; std::getline(file, line);) {
    if (line.find("/ridge-") == std::string::npos || line.find("/weight-") == std::string::npos)
      continue;
    std::int64_t from = 0, to = 0;
    const char* const end = line.data() + line.size();
    const char* const next = std::from_chars(line.data(), end, from, 16).ptr;
    if (next != end) std::from_chars(next + 1, end, to, 16);
    bytes += to - from;
  }
  return bytes / 1024;
}

/// Number that follows `key` at the start of a line.
inline std::int64_t number_after(const std::string& text, std::string_view key) {
  const std::size_t found = ("\n" + text).find("\n" + std::string(key));
  if (found == std::string::npos) return 0;
  std::size_t at = found + key.size();
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  std::int64_t number = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), number);
  return number;
}

struct ChildStatus {
  ResidentMemory memory;
  std::int64_t threads = 0;
};

/// Status of the only runtime process of this process.
inline ChildStatus status_of_child() {
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "status");
    const std::string status(std::istreambuf_iterator<char>(file), {});
    if (number_after(status, "PPid:") != ::getpid()) continue;
    return {.memory = {number_after(status, "RssAnon:"), number_after(status, "RssFile:"),
                       number_after(status, "RssShmem:"), number_after(status, "VmHWM:"),
                       mapped_weights(process.path())},
            .threads = number_after(status, "Threads:")};
  }
  return {};
}

}  // namespace ridge::runtime::testing
