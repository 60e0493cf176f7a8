// SPDX-License-Identifier: Apache-2.0
// Content of a piece: its kernels and MACs, without their connections. Equal pieces have equal
// contents, so that only intervals of layers with the content of a known brick need a key.
//
//   Contents known;
//   known.add(content_of(brick.kernels, brick.macs));
//   Content content;
//   content.add(network, layer);                          // layer after layer
//   if (known.contains(content)) ...                      // perhaps; its key decides
//
// Thread rule: plain data.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <set>
#include <string_view>

#include "bricks/network.h"

namespace ridge::bricks {

/// Kernels (a sum over their operators, so their order does not matter) and MACs.
struct Content {
  std::size_t kernels = 0, count = 0;
  std::int64_t macs = 0;

  void add(std::string_view op) {
    kernels += std::hash<std::string_view>{}(op);
    ++count;
  }
  void add(const Network& network, std::uint32_t layer) {
    for (const graph::NodeId k : network.layers[layer].kernels)
      add(network.optimized.kernel(k).op_type);
    macs += network.layers[layer].macs;
  }
  auto operator<=>(const Content&) const = default;
};

/// Operators in any container.
Content content_of(const auto& kernels, std::int64_t macs) {
  Content out{.macs = macs};
  for (const std::string_view op : kernels) out.add(op);
  return out;
}

class Contents {
 public:
  void add(const Content& content) {
    known_.insert(content);
    longest_ = std::max(longest_, content.count);
  }
  bool contains(const Content& content) const { return known_.contains(content); }
  /// Kernels of the largest.
  std::size_t longest() const { return longest_; }

 private:
  std::set<Content> known_;
  std::size_t longest_ = 0;
};

}  // namespace ridge::bricks
