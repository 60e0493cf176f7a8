// SPDX-License-Identifier: Apache-2.0
// Sequences against their definition, on random models of few different layers.
#include "bricks/sequences.h"

#include <gtest/gtest.h>

#include <random>

#include "bricks/form/form.h"
#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using Model = std::vector<LayerKey>;

/// "a b|c": b reads from a, c does not read from b.
Model model_of(std::string_view text) {
  Model out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != ' ' && text[i] != '|')
      out.push_back({std::string(1, text[i]), i > 0 && text[i - 1] == ' '});
  return out;
}

/// "a b, c": the sequences of a model.
std::string sequences(const std::vector<Model>& models, std::size_t of, std::uint32_t most = 100) {
  Sequences found(most);
  for (const Model& m : models) found.add(m);
  const std::vector<std::uint32_t> ends = found.ends(models[of]);
  std::string out;
  for (std::uint32_t i = 0; i < ends.size(); ++i) {
    if (i > 0) out += ends[i] == ends[i - 1] ? " " : ", ";
    out += models[of][i].key;
  }
  return out;
}

TEST(Sequences, JoinsLayersThatOccurOnlyTogether) {
  const std::vector<Model> models = {model_of("A B C D"), model_of("X A B Y")};
  EXPECT_EQ(sequences(models, 0), "A B, C D");
  EXPECT_EQ(sequences(models, 1), "X, A B, Y");
}

TEST(Sequences, KeepsRepeatsApart) {
  EXPECT_EQ(sequences({model_of("s a b a b t")}, 0), "s, a b, a b, t");
  EXPECT_EQ(sequences({model_of("a a a")}, 0), "a, a, a");
  EXPECT_EQ(sequences({model_of("a b a")}, 0), "a, b, a");
}

TEST(Sequences, KeepsBranchesApart) {
  EXPECT_EQ(sequences({model_of("a b|c d")}, 0), "a b, c d");
  // b reads from a in one of two places.
  EXPECT_EQ(sequences({model_of("a b c"), model_of("a|b d")}, 0), "a, b, c");
}

TEST(Sequences, DividesLongOnesIntoEqualParts) {
  EXPECT_EQ(sequences({model_of("a b c d e f g")}, 0, 3), "a b, c d, e f g");
  EXPECT_EQ(sequences({model_of("a b c d")}, 0, 2), "a b, c d");
  EXPECT_EQ(sequences({model_of("a b c")}, 0, 1), "a, b, c");
  EXPECT_EQ(sequences({model_of("a b c")}, 0, 0), "a, b, c");
}

TEST(Sequences, LeavesLayersWithoutAKeyAlone) {
  Model model = model_of("a b c d");
  model[1].key = model[2].key = "";
  EXPECT_EQ(sequences({model}, 0), "a, , , d");
}

/// True if the definition joins two adjacent layers.
bool together(const std::vector<Model>& models, const LayerKey& a, const LayerKey& b) {
  if (!b.follows) return false;
  for (const Model& m : models)
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (m[i].key == a.key && (i + 1 == m.size() || m[i + 1].key != b.key || !m[i + 1].follows))
        return false;
      if (m[i].key == b.key && (!m[i].follows || m[i - 1].key != a.key)) return false;
    }
  return true;
}

TEST(Sequences, FollowTheirDefinition) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::size_t joins = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t alphabet = 2 + below(12);
    std::vector<Model> models(1 + below(3));
    for (Model& m : models) {
      const std::uint32_t length = 1 + below(12);
      for (std::uint32_t i = 0; i < length; ++i)
        m.push_back(
            {std::string(1, static_cast<char>('a' + below(alphabet))), i > 0 && below(8) > 0});
    }
    for (std::size_t m = 0; m < models.size(); ++m) {
      std::string wanted = models[m][0].key;
      for (std::size_t i = 1; i < models[m].size(); ++i) {
        const bool join = together(models, models[m][i - 1], models[m][i]);
        joins += join ? 1 : 0;
        wanted += (join ? " " : ", ") + models[m][i].key;
      }
      ASSERT_EQ(sequences(models, m), wanted) << "round " << round;
    }
  }
  EXPECT_GT(joins, 1000U);
}

TEST(Sequences, TakeKeysAndReadersFromNetworks) {
  const Network n = testing::crafted(testing::resolved(R"(graph main
    input x[1,8]
    one: Relu(x) -> a
    two: Sigmoid(a) -> b
    three: Relu(x) -> c
    four: Add(b, c) -> y
    output y)"));
  const Cutter cutter(n);
  const std::vector<LayerKey> keys = layer_keys(n, cutter);
  ASSERT_EQ(testing::layers(n), "one two three four");
  ASSERT_EQ(keys.size(), 4U);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(keys[i].key, testing::must(canonical_form(n, cutter.piece(i, i + 1))).key);
    EXPECT_EQ(keys[i].follows, i == 1 || i == 3) << i;
  }
  EXPECT_EQ(keys[0].key, keys[2].key);
}

}  // namespace
}  // namespace ridge::bricks
