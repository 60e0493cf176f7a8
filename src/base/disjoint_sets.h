// SPDX-License-Identifier: Apache-2.0
// Disjoint sets over 0 to n-1 (union-find with path halving and union by size).
//
//   DisjointSets sets(nodes);
//   sets.join(a, b);
//   sets.root(a) == sets.root(b)
//
// Which member of a set is its root is arbitrary. Thread rule: one thread. Cost: near constant per
// call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ridge {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n), size_(n, 1) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  std::uint32_t root(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    if (size_[a] < size_[b]) std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
  }

 private:
  std::vector<std::uint32_t> parent_, size_;
};

}  // namespace ridge
