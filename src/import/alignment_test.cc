// SPDX-License-Identifier: Apache-2.0
// Oracle: exhaustive enumeration of all alignments of short sequences.
#include "import/alignment.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace ridge::imports {
namespace {

struct Every {
  const std::vector<std::vector<std::int32_t>>& worth;
  std::int32_t best = -1;
  std::set<std::vector<std::uint32_t>> ways;  // the best alignments: by element, its match

  void from(std::size_t i, std::size_t j, std::int32_t sum, std::vector<std::uint32_t>& so_far) {
    if (i == worth.size()) {
      if (sum > best) ways.clear();
      best = std::max(best, sum);
      if (sum == best) ways.insert(so_far);
      return;
    }
    so_far.push_back(kUnmatched);
    from(i + 1, j, sum, so_far);
    for (std::size_t k = j; k < worth[i].size(); ++k) {
      if (worth[i][k] == 0) continue;
      so_far.back() = static_cast<std::uint32_t>(k);
      from(i + 1, k + 1, sum + worth[i][k], so_far);
    }
    so_far.pop_back();
  }
};

TEST(Alignment, MatchesWhatEveryBestAlignmentMatches) {
  std::mt19937 random(7);
  std::size_t certain = 0, ambiguous = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::vector<std::int32_t>> worth(1 + random() % 5,
                                                 std::vector<std::int32_t>(1 + random() % 5));
    for (auto& row : worth)
      for (std::int32_t& w : row) w = random() % 2 == 0 ? 0 : random() % 3 == 0 ? 4 : 1;
    Every every{worth};
    std::vector<std::uint32_t> none;
    every.from(0, 0, 0, none);
    const std::vector<std::uint32_t> found = align(
        worth.size(), worth[0].size(), [&](std::size_t i, std::size_t j) { return worth[i][j]; });
    for (std::size_t i = 0; i < worth.size(); ++i) {
      std::set<std::uint32_t> matches;
      for (const auto& way : every.ways) matches.insert(way[i]);
      const std::uint32_t expected = matches.size() == 1 ? *matches.begin() : kUnmatched;
      ASSERT_EQ(found[i], expected) << "round " << round << ", element " << i;
      certain += expected != kUnmatched ? 1 : 0;
      ambiguous += matches.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(certain, 1000U);
  EXPECT_GT(ambiguous, 1000U);
}

}  // namespace
}  // namespace ridge::imports
