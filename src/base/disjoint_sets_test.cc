// SPDX-License-Identifier: Apache-2.0
#include "base/disjoint_sets.h"

#include <gtest/gtest.h>

#include <random>

namespace ridge {
namespace {

TEST(DisjointSets, AgreeWithRelabelingEveryMember) {
  std::mt19937 random(1);
  for (std::uint32_t n = 1; n < 40; ++n) {
    DisjointSets sets(n);
    std::vector<std::uint32_t> label(n);
    std::iota(label.begin(), label.end(), 0U);
    for (std::uint32_t step = 0; step < n; ++step) {
      const auto a = static_cast<std::uint32_t>(random() % n),
                 b = static_cast<std::uint32_t>(random() % n);
      sets.join(a, b);
      const std::uint32_t from = label[a], to = label[b];
      for (std::uint32_t& l : label)
        if (l == from) l = to;
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j)
          ASSERT_EQ(sets.root(i) == sets.root(j), label[i] == label[j]) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace ridge
