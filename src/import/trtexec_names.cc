// SPDX-License-Identifier: Apache-2.0
#include "import/trtexec_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "base/trim.h"

namespace ridge::imports {
namespace {

/// Prefixes of layers that TensorRT inserted, before the name of a node.
constexpr std::array<std::string_view, 6> kOwn = {
    "reshape_before_", "reshape_after_",   "squeeze_after_",
    "unsqueeze_node_", "(Unnamed Layer* ", "Reformatting CopyNode",
};

/// Removes and returns the first item of a list; items end at `mark` outside of brackets.
std::string_view next_item(std::string_view& rest, std::string_view mark) {
  int depth = 0;
  for (std::size_t at = 0; at < rest.size(); ++at) {
    const char c = rest[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    if (depth > 0 || rest.substr(at, mark.size()) != mark) continue;
    const std::string_view item = rest.substr(0, at);
    rest.remove_prefix(at + mark.size());
    return item;
  }
  return std::exchange(rest, {});
}

bool wrapped(std::string_view text, std::string_view begin, std::string_view end) {
  return text.size() > begin.size() + end.size() && text.starts_with(begin) && text.ends_with(end);
}

/// Reads the two end nodes of "{ForeignNode[a...b]}".
bool read_region(std::string_view text, std::vector<RecordedRegion>& regions) {
  constexpr std::string_view kBegin = "{ForeignNode[", kEnd = "]}", kDots = "...";
  if (!wrapped(text, kBegin, kEnd)) return false;
  text = text.substr(kBegin.size(), text.size() - kBegin.size() - kEnd.size());
  const std::size_t dots = text.find(kDots);
  if (dots == std::string_view::npos) {
    regions.push_back({std::string(text), std::string(text)});
  } else {
    regions.push_back(
        {std::string(text.substr(0, dots)), std::string(text.substr(dots + kDots.size()))});
  }
  return true;
}

}  // namespace

bool split_name(std::string_view name, std::vector<std::string>& parts,
                std::vector<RecordedRegion>& regions) {
  constexpr std::string_view kProfile = " [profile ";
  if (name.size() > kLongestName) return false;
  if (const std::size_t at = name.rfind(kProfile);
      at != std::string_view::npos && name.ends_with(']'))
    name = name.substr(0, at);
  struct Item {
    std::string_view text;
    int depth = 0;
  };
  std::vector<Item> open{{name}};
  while (!open.empty()) {
    const std::string_view item = trimmed(open.back().text);
    const int below = open.back().depth + 1;
    open.pop_back();
    if (item.empty() || read_region(item, regions)) continue;
    const std::size_t first = open.size();
    for (const std::string_view mark : {" + ", " || "}) {
      std::string_view rest = item;
      if (const std::string_view head = next_item(rest, mark); head.size() == item.size()) continue;
      for (rest = item; !rest.empty();) open.push_back({next_item(rest, mark), below});
      break;
    }
    if (open.size() == first && wrapped(item, "PWN(", ")"))
      for (std::string_view rest = item.substr(4, item.size() - 5); !rest.empty();)
        open.push_back({next_item(rest, ", "), below});
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    if (open.size() > first && below > kDeepestName) {
      parts.clear();
      regions.clear();
      return false;
    }
    if (open.size() > first) continue;
    if (std::ranges::none_of(kOwn, [&](std::string_view own) { return item.starts_with(own); }))
      parts.emplace_back(item);
  }
  return true;
}

void note_unsplit(std::int64_t names, std::vector<std::string>& notes) {
  if (names > 0)
    notes.push_back(
        fmt::format("{} longer than {} bytes or nested deeper than {} levels left whole",
                    counted(names, "layer name"), kLongestName, kDeepestName));
}

std::vector<std::string> metadata_nodes(std::string_view metadata) {
  constexpr std::string_view kBegin = "[ONNX Layer: ";
  std::vector<std::string> out;
  std::unordered_set<std::string_view> seen;
  for (;;) {
    const std::size_t begin = metadata.find(kBegin);
    if (begin == std::string_view::npos) return out;
    metadata.remove_prefix(begin + kBegin.size());
    // Names may contain brackets: the entry ends at a separator, at the next entry, or at the end.
    std::string_view entry = metadata.substr(0, metadata.find(kBegin));
    entry = entry.substr(0, entry.find('\x1f'));
    entry = entry.substr(0, entry.rfind(']'));
    if (const std::size_t bar = entry.find(" | "); bar != std::string_view::npos)
      entry = entry.substr(0, bar);
    if (!entry.empty() && seen.insert(entry).second) out.emplace_back(entry);
  }
}

}  // namespace ridge::imports
