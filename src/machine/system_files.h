// SPDX-License-Identifier: Apache-2.0
// Injectable access to the files in which Linux describes the machine (/proc, /sys), so that tests
// can imitate any host.
//
// Such files report no size, may be missing or unreadable, and are short. Thread rule: as the
// functions inside; live_files() may be used from several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::machine {

struct SystemFiles {
  /// Returns the content without trailing white space; nullopt if the file cannot be read.
  std::function<std::optional<std::string>(const std::string& path)> read;
  /// Returns the sorted names inside a folder; empty if it cannot be listed.
  std::function<std::vector<std::string>(const std::string& path)> list;
};

/// Files of this machine. Reads at most 1 MiB per file.
SystemFiles live_files();

/// Parses "0-3,8" -> {0,1,2,3,8}; nullopt if `text` is not such a list, or for processor numbers
/// from 65,536 up.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// Parses "32K", "1024K", "32M" -> bytes; nullopt if `text` is not such a size.
std::optional<std::int64_t> parse_size(std::string_view text);

/// Returns the value of the first line that consists of `key`, a colon or blanks, and the value
/// ("MemTotal:  24 kB").
std::optional<std::string> field(std::string_view text, std::string_view key);

std::optional<std::int64_t> read_integer(const SystemFiles& files, const std::string& path);

}  // namespace ridge::machine
