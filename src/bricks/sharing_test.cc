// SPDX-License-Identifier: Apache-2.0
// Figures of sharing against their definitions, piece by piece, on random plans.
#include "bricks/sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "bricks/testing/lettered.h"

namespace ridge::bricks {
namespace {

using testing::lettered;

std::vector<std::string> random_words(std::mt19937& random, std::size_t most, char last) {
  std::vector<std::string> words(random() % (most + 1));
  for (std::string& word : words)
    for (std::size_t left = random() % 12; left > 0; --left)
      word += static_cast<char>('a' + random() % static_cast<unsigned>(last - 'a' + 1));
  return words;
}

void expect(const Amount& amount, const std::string& pieces, const std::string& what) {
  EXPECT_EQ(amount.pieces, std::ssize(pieces)) << what;
  double sum = 0;
  for (const char letter : pieces) sum += static_cast<double>(testing::macs_of(letter));
  EXPECT_EQ(amount.macs, sum) << what;
}

/// Pieces of `word` whose brick `other` has.
std::string in_both(const std::string& word, const std::string& other) {
  std::string out;
  for (const char letter : word)
    if (other.find(letter) != std::string::npos) out += letter;
  return out;
}

void expect_defined(const std::vector<std::string>& words) {
  const Sharing sharing = sharing_of(lettered(words));
  ASSERT_EQ(sharing.models.size(), words.size());
  std::set<char> before;
  std::string pieces, bricks;
  for (std::size_t m = 0; m < words.size(); ++m) {
    std::string known, repeated, fresh;
    for (const char letter : words[m]) {
      const bool seen = fresh.find(letter) != std::string::npos;
      (before.contains(letter) ? known : seen ? repeated : fresh) += letter;
    }
    const ModelSharing& figures = sharing.models[m];
    expect(figures.known, known, "known");
    expect(figures.repeated, repeated, "repeated");
    expect(figures.fresh, fresh, "fresh");
    expect(figures.pieces(), words[m], "pieces");
    EXPECT_EQ(figures.added, fresh.size());
    EXPECT_EQ(figures.unique, std::set<char>(words[m].begin(), words[m].end()).size());
    before.insert(words[m].begin(), words[m].end());
    pieces += words[m];
    bricks += fresh;
    std::size_t commons = 0;
    for (std::size_t c = 0; c < words.size(); ++c) {
      const std::string common = in_both(words[m], words[c]);
      expect(sharing.common(m, c), common, words[m] + " and " + words[c]);
      commons += c != m && !common.empty() ? 1 : 0;
    }
    EXPECT_EQ(figures.commons.size(), commons);
  }
  expect(sharing.pieces, pieces, "all pieces");
  expect(sharing.bricks, bricks, "all bricks");
}

TEST(Sharing, HasTheFiguresOfTheExample) {
  const Sharing s = sharing_of(lettered({"xyy", "yzzz"}));
  EXPECT_EQ(s.models[0].fresh.pieces, 2);
  EXPECT_EQ(s.models[0].repeated.pieces, 1);
  EXPECT_EQ(s.models[1].known.pieces, 1);
  EXPECT_EQ(s.models[1].fresh.pieces, 1);
  EXPECT_EQ(s.models[1].repeated.pieces, 2);
  EXPECT_EQ(s.common(0, 1).pieces, 2);
  EXPECT_EQ(s.common(1, 0).pieces, 1);
  EXPECT_EQ(s.bricks.pieces, 3);
}

TEST(Sharing, FollowsItsDefinitionOnRandomPlans) {
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) expect_defined(random_words(random, 6, i % 2 == 0 ? 'e' : 'z'));
}

TEST(Sharing, DoesNotDependOnTheOrderOfOccurrences) {
  Plan plan = lettered({"abca", "cab", "ac"});
  const Sharing sorted = sharing_of(plan);
  for (Brick& brick : plan.bricks) std::ranges::reverse(brick.occurrences);
  std::ranges::reverse(plan.bricks);
  const Sharing reversed = sharing_of(plan);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(sorted.models[m].known.pieces, reversed.models[m].known.pieces);
    EXPECT_EQ(sorted.models[m].fresh.macs, reversed.models[m].fresh.macs);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(sorted.common(m, c).macs, reversed.common(m, c).macs);
  }
}

TEST(Sharing, CountsNodesLeftOver) {
  Plan plan = lettered({"ab", "b"});
  plan.left_over = {{.model = "m1", .nodes = {7, 8}, .why = {}, .key = {}},
                    {.model = "m1", .nodes = {9}, .why = {}, .key = {}}};
  const Sharing s = sharing_of(plan);
  EXPECT_EQ(s.models[0].nodes_left_over, 0U);
  EXPECT_EQ(s.models[1].nodes_left_over, 3U);
}

using Set = std::set<std::size_t>;

/// Clusters of average linkage from the definition, over all pairs of models at each step.
std::vector<Set> clusters(const Sharing& s) {
  const auto similarity = [&](std::size_t a, std::size_t b) {
    const std::int64_t all = s.common(a, a).pieces + s.common(b, b).pieces;
    return static_cast<double>(s.common(a, b).pieces + s.common(b, a).pieces) /
           static_cast<double>(std::max<std::int64_t>(all, 1));
  };
  std::vector<Set> open, out;
  for (std::size_t m = 0; m < s.models.size(); ++m) open.push_back({m});
  while (open.size() > 1) {
    std::size_t best_a = 0, best_b = 0;
    double best = -1;
    for (std::size_t a = 0; a < open.size(); ++a)
      for (std::size_t b = a + 1; b < open.size(); ++b) {
        double mean = 0;
        for (const std::size_t i : open[a])
          for (const std::size_t j : open[b]) mean += similarity(i, j);
        mean /= static_cast<double>(open[a].size() * open[b].size());
        if (mean > best + 1e-12) best = mean, best_a = a, best_b = b;
      }
    open[best_a].insert(open[best_b].begin(), open[best_b].end());
    out.push_back(open[best_a]);
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(best_b));
  }
  return out;
}

TEST(FamilyOrder, KeepsEveryClusterOfAverageLinkageTogether) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    // Words long enough that similarities are distinct.
    std::vector<std::string> words = random_words(random, 7, 'z');
    for (std::string& word : words)
      for (int more = 0; more < 60; ++more) word += static_cast<char>('a' + random() % 26);
    const Sharing s = sharing_of(lettered(words));
    const std::vector<std::size_t> order = family_order(s);
    EXPECT_EQ(Set(order.begin(), order.end()).size(), words.size());
    for (const Set& cluster : clusters(s)) {
      std::vector<std::size_t> places;
      for (std::size_t at = 0; at < order.size(); ++at)
        if (cluster.contains(order[at])) places.push_back(at);
      EXPECT_EQ(places.back() - places.front() + 1, cluster.size());
    }
  }
}

TEST(FamilyOrder, PutsFamiliesTogether) {
  // Letters a..d and m..p are two families that the plan mixes.
  const Sharing s = sharing_of(lettered({"abcd", "mnop", "abc", "mno", "ab", "mn"}));
  EXPECT_EQ(family_order(s), (std::vector<std::size_t>{0, 2, 4, 1, 3, 5}));
}

TEST(FamilyOrder, TurnsClustersSoThatSimilarModelsMeet) {
  // 0 and 1 are most similar; 2 is similar to 0, not to 1, so 0 and 1 are turned.
  const Sharing s = sharing_of(lettered({"aaaaaaz", "aaaaaa", "zz"}));
  EXPECT_EQ(family_order(s), (std::vector<std::size_t>{1, 0, 2}));
}

TEST(FamilyOrder, JoinsTheFirstOfEquallySimilarModelsFirst) {
  // 0 is as similar to 1 as to 2.
  const Sharing s = sharing_of(lettered({"xy", "xz", "yw"}));
  EXPECT_EQ(family_order(s), (std::vector<std::size_t>{1, 0, 2}));
}

TEST(FamilyOrder, KeepsModelsThatShareNothing) {
  const Sharing s = sharing_of(lettered({"a", "b", "c", ""}));
  EXPECT_EQ(family_order(s), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_TRUE(family_order(sharing_of({})).empty());
}

}  // namespace
}  // namespace ridge::bricks
