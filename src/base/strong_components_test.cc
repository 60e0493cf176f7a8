// SPDX-License-Identifier: Apache-2.0
#include "base/strong_components.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace ridge {
namespace {

/// Transitive closure of the edges, by brute force.
std::vector<std::vector<bool>> reached(const std::vector<std::vector<std::uint32_t>>& edges) {
  const std::size_t n = edges.size();
  std::vector<std::vector<bool>> out(n, std::vector<bool>(n));
  for (std::size_t a = 0; a < n; ++a) {
    out[a][a] = true;
    for (const std::uint32_t b : edges[a]) out[a][b] = true;
  }
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        if (out[a][via] && out[via][b]) out[a][b] = true;
  return out;
}

TEST(StrongComponents, AreTheVerticesThatReachEachOther) {
  std::mt19937 random(1);
  for (std::uint32_t n = 1; n < 20; ++n)
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<std::vector<std::uint32_t>> edges(n);
      for (std::uint32_t i = 0; i < n; ++i)
        edges[random() % n].push_back(static_cast<std::uint32_t>(random() % n));
      const std::vector<std::uint32_t> of = strong_components(edges);
      const std::vector<std::vector<bool>> reach = reached(edges);
      for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = 0; b < n; ++b) {
          EXPECT_EQ(of[a] == of[b], reach[a][b] && reach[b][a]);
          EXPECT_TRUE(!reach[a][b] || of[a] >= of[b]);
        }
      const std::set<std::uint32_t> numbers(of.begin(), of.end());
      EXPECT_EQ(*numbers.rbegin() + 1, numbers.size());
    }
}

}  // namespace
}  // namespace ridge
