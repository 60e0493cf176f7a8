// What the memory of a runtime's process is made of, for tests and benchmarks of what loading costs.
#pragma once

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace ridge::runtime::testing {

/// Resident, in KiB; 0: not said. Source: proc_pid_status(5).
struct ResidentMemory {
  std::int64_t anonymous = 0;
  std::int64_t files = 0;
  std::int64_t shared = 0;  ///< of files in memory
  std::int64_t peak = 0;    ///< of the sum
  /// Mapped from weights' files in memory, which takes memory of the system whether it is resident
  /// in the process or not.
  std::int64_t weights = 0;
};

/// In KiB, from the lines "from-to ... path" of /proc/PID/maps.
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

/// The number that follows `key` at the start of a line.
inline std::int64_t number_after(const std::string& text, std::string_view key) {
  const std::size_t found = ("\n" + text).find("\n" + std::string(key));
  if (found == std::string::npos) return 0;
  std::size_t at = found + key.size();
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  std::int64_t number = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), number);
  return number;
}

/// Of the one runtime that this process has.
inline ResidentMemory memory_of_child() {
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "status");
    const std::string status(std::istreambuf_iterator<char>(file), {});
    if (number_after(status, "PPid:") != ::getpid()) continue;
    return {number_after(status, "RssAnon:"), number_after(status, "RssFile:"),
            number_after(status, "RssShmem:"), number_after(status, "VmHWM:"),
            mapped_weights(process.path())};
  }
  return {};
}

}  // namespace ridge::runtime::testing
