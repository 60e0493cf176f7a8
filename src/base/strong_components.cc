// SPDX-License-Identifier: Apache-2.0
#include "base/strong_components.h"

#include <algorithm>

namespace ridge {

std::vector<std::uint32_t> strong_components(const std::vector<std::vector<std::uint32_t>>& edges) {
  constexpr std::uint32_t kNone = 0xffffffff;
  const auto size = static_cast<std::uint32_t>(edges.size());
  std::vector<std::uint32_t> index(size, kNone), low(size), component(size, kNone), stack;
  struct Frame {
    std::uint32_t vertex;
    std::size_t next = 0;
  };
  std::uint32_t counter = 0, found = 0;
  for (std::uint32_t root = 0; root < size; ++root) {
    if (index[root] != kNone) continue;
    std::vector<Frame> frames = {{root}};
    index[root] = low[root] = counter++;
    stack.push_back(root);
    while (!frames.empty()) {
      Frame& at = frames.back();
      if (at.next < edges[at.vertex].size()) {
        const std::uint32_t to = edges[at.vertex][at.next++];
        if (index[to] == kNone) {
          index[to] = low[to] = counter++;
          stack.push_back(to);
          frames.push_back({to});
        } else if (component[to] == kNone) {
          low[at.vertex] = std::min(low[at.vertex], index[to]);
        }
        continue;
      }
      const std::uint32_t done = at.vertex;
      frames.pop_back();
      if (!frames.empty())
        low[frames.back().vertex] = std::min(low[frames.back().vertex], low[done]);
      if (low[done] != index[done]) continue;
      for (std::uint32_t member = kNone; member != done;) {
        member = stack.back();
        stack.pop_back();
        component[member] = found;
      }
      ++found;
    }
  }
  return component;
}

}  // namespace ridge
