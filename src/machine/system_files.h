// The files in which Linux describes the machine (/proc, /sys), as a parameter: tests are any host.
//
// Such files have no size, may be missing or unreadable, and are short. Thread rule: as the
// functions inside; live_files() may be used from several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::machine {

struct SystemFiles {
  /// The content without trailing white space; nullopt where it cannot be read.
  std::function<std::optional<std::string>(const std::string& path)> read;
  /// The names inside a folder, sorted; empty where it cannot be listed.
  std::function<std::vector<std::string>(const std::string& path)> list;
};

/// This machine's. Reads at most 1 MiB per file.
SystemFiles live_files();

/// Files in memory, keyed by absolute path; folders follow from the keys.
SystemFiles files_in_memory(std::map<std::string, std::string> files);

/// "0-3,8" -> {0,1,2,3,8}; nullopt where the text is no such list or names more than 65,536.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// "32K", "1024K", "32M" -> bytes; nullopt where the text is no such size.
std::optional<std::int64_t> parse_size(std::string_view text);

/// The value after `key` and a colon or blanks on a line of its own ("MemTotal:  24 kB"); the
/// first.
std::optional<std::string> field(std::string_view text, std::string_view key);

std::optional<std::int64_t> read_integer(const SystemFiles& files, const std::string& path);

}  // namespace ridge::machine
