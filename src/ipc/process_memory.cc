// SPDX-License-Identifier: Apache-2.0
#include "ipc/process_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/number.h"
#include "base/system_file.h"

namespace ridge::ipc {
namespace {

/// The number of kilobytes after `key`, which begins a line; 0 if there is none.
Bytes kilobytes_after(std::string_view text, std::string_view key) {
  const std::size_t found = text.find(key);
  if (found == std::string_view::npos) return {};
  std::string_view rest = text.substr(found + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const auto number = whole_number<std::int64_t>(rest.substr(0, rest.find(' ')));
  return Bytes{number.value_or(0) * 1024};
}

}  // namespace

std::optional<ProcessMemory> memory_of(pid_t process) {
  const Result<std::string> text =
      read_system_file(fmt::format("/proc/{}/smaps_rollup", process), std::int64_t{1} << 16);
  if (!text.ok() || text->find("\nPss:") == std::string::npos) return std::nullopt;
  return ProcessMemory{.proportional = kilobytes_after(*text, "\nPss:"),
                       .own = kilobytes_after(*text, "\nPrivate_Clean:") +
                              kilobytes_after(*text, "\nPrivate_Dirty:"),
                       .anonymous = kilobytes_after(*text, "\nAnonymous:"),
                       .anonymous_huge = kilobytes_after(*text, "\nAnonHugePages:")};
}

}  // namespace ridge::ipc
