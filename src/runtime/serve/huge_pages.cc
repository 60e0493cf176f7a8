// SPDX-License-Identifier: Apache-2.0
#include "runtime/serve/huge_pages.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/system_file.h"

namespace ridge::runtime {
namespace {

constexpr int kCollapse = 25;  // MADV_COLLAPSE, which older headers lack
constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
constexpr std::int64_t kMapsLimit = std::int64_t{64} << 20;

struct Range {
  std::uintptr_t from = 0, to = 0;
};

/// The whole huge pages of a private, writable mapping without a file; an empty range for other
/// lines. "7f12a0000000-7f12b0000000 rw-p 00000000 00:00 0   [heap]", see proc_pid_maps(5).
Range private_memory(std::string_view line) {
  Range range;
  const char* const end = line.data() + line.size();
  const auto [dash, failed] = std::from_chars(line.data(), end, range.from, 16);
  if (failed != std::errc() || dash == end) return {};
  const auto [rest, failed_too] = std::from_chars(dash + 1, end, range.to, 16);
  if (failed_too != std::errc()) return {};
  const std::string_view fields(rest, static_cast<std::size_t>(end - rest));
  if (!fields.starts_with(" rw-p ") || fields.find(" 00:00 0") == std::string_view::npos ||
      fields.find("[stack") != std::string_view::npos)
    return {};
  range.from = (range.from + kHugePage - 1) / kHugePage * kHugePage;
  range.to = range.to / kHugePage * kHugePage;
  return range;
}

}  // namespace

void use_huge_pages() {
  ::malloc_trim(0);
  const Result<std::string> maps = read_system_file("/proc/self/maps", kMapsLimit);
  if (!maps.ok()) return;
  std::vector<Range> ranges;
  for (std::string_view rest = *maps; !rest.empty();) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const Range range = private_memory(rest.substr(0, length));
    if (range.from < range.to) ranges.push_back(range);
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  for (const Range& range : ranges) {
    void* const memory = reinterpret_cast<void*>(range.from);  // NOLINT: an address of /proc
    const std::size_t size = range.to - range.from;
    // Where it is not known, the system may do the same in the background.
    if (::madvise(memory, size, kCollapse) != 0 && errno == EINVAL)
      ::madvise(memory, size, MADV_HUGEPAGE);
  }
}

}  // namespace ridge::runtime
