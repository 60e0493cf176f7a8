#include "import/trtexec_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ridge::imports {
namespace {

/// What stands before the name of a node where a layer is TensorRT's own.
constexpr std::array<std::string_view, 6> kOwn = {
    "reshape_before_", "reshape_after_",   "squeeze_after_",
    "unsqueeze_node_", "(Unnamed Layer* ", "Reformatting CopyNode",
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Takes the first item off a list, up to `mark` outside of brackets.
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

/// The ends of "{ForeignNode[a...b]}"; also "__myl..." engines' "[a...b]".
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

void split_name(std::string_view name, std::vector<std::string>& parts,
                std::vector<RecordedRegion>& regions) {
  constexpr std::string_view kProfile = " [profile ";
  constexpr std::size_t kLongest = 64 << 10;
  if (name.size() > kLongest) return;  // brackets in brackets are read once per level
  if (const std::size_t at = name.rfind(kProfile);
      at != std::string_view::npos && name.ends_with(']'))
    name = name.substr(0, at);
  // Items wait here instead of on the stack: a name may nest as deep as it likes.
  std::vector<std::string_view> open{name};
  while (!open.empty()) {
    std::string_view item = trimmed(open.back());
    open.pop_back();
    if (item.empty() || read_region(item, regions)) continue;
    const std::size_t first = open.size();
    for (const std::string_view mark : {" + ", " || "}) {
      std::string_view rest = item;
      if (const std::string_view head = next_item(rest, mark); head.size() == item.size()) continue;
      for (rest = item; !rest.empty();) open.push_back(next_item(rest, mark));
      break;
    }
    if (open.size() == first && wrapped(item, "PWN(", ")"))
      for (std::string_view rest = item.substr(4, item.size() - 5); !rest.empty();)
        open.push_back(next_item(rest, ", "));
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    if (open.size() > first) continue;
    if (std::ranges::none_of(kOwn, [&](std::string_view own) { return item.starts_with(own); }))
      parts.emplace_back(item);
  }
}

std::vector<std::string> metadata_nodes(std::string_view metadata) {
  constexpr std::string_view kBegin = "[ONNX Layer: ";
  std::vector<std::string> out;
  for (;;) {
    const std::size_t begin = metadata.find(kBegin);
    if (begin == std::string_view::npos) return out;
    metadata.remove_prefix(begin + kBegin.size());
    // A name may hold brackets: the entry ends at a separator, at the next entry, or at the end.
    const std::size_t next = std::min(metadata.find('\x1f'), metadata.find(kBegin));
    std::string_view entry = metadata.substr(0, next);
    entry = entry.substr(0, entry.rfind(']'));
    if (const std::size_t bar = entry.find(" | "); bar != std::string_view::npos)
      entry = entry.substr(0, bar);
    if (!entry.empty() && std::ranges::find(out, entry) == out.end()) out.emplace_back(entry);
  }
}

}  // namespace ridge::imports
