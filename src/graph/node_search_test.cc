// SPDX-License-Identifier: Apache-2.0
#include "graph/node_search.h"

#include <gtest/gtest.h>

namespace ridge::graph {
namespace {

using Numbers = std::vector<std::uint32_t>;

const std::vector<SearchName> kNames = {
    {0, "/fc/MatMul"}, {1, "/fc/Add"}, {2, "/act/Relu"}, {3, "/act/Relu"}, {4, ""}};

TEST(NodeSearch, AWholeNameGoesBeforeParts) {
  const std::vector<SearchName> names = {{0, "conv"}, {1, "conv_1"}};
  EXPECT_EQ(search("conv", names).numbers, Numbers{0});
  EXPECT_EQ(search("conv", names).by, Found::By::kName);
}

TEST(NodeSearch, APartOfANameIsFoundWhateverItsCapitals) {
  EXPECT_EQ(search("matmul", kNames).numbers, Numbers{0});
  EXPECT_EQ(search("matmul", kNames).by, Found::By::kPart);
  EXPECT_EQ(search("/FC/", kNames).numbers, (Numbers{0, 1}));
}

TEST(NodeSearch, OneOfSeveralNamesIsFoundOnce) {
  const std::vector<SearchName> names = {{7, "conv1"}, {7, "conv1_output"}};
  EXPECT_EQ(search("conv1", names).numbers, Numbers{7});
  EXPECT_EQ(search("conv", names).numbers, Numbers{7});
}

TEST(NodeSearch, TwoOfOneNameAreBothFound) {
  EXPECT_EQ(search("/act/Relu", kNames).numbers, (Numbers{2, 3}));
}

TEST(NodeSearch, NothingIsNoPartOfAName) {
  EXPECT_EQ(search("", kNames).by, Found::By::kNothing);
  EXPECT_EQ(search("conv", kNames).by, Found::By::kNothing);
}

TEST(NodeSearch, NearNamesAreAtMostEight) {
  EXPECT_EQ(near("/fc/MatMull", kNames), std::vector<std::string>{"/fc/MatMul"});
  EXPECT_EQ(near("matmull", kNames), std::vector<std::string>{"/fc/MatMul"});
  std::vector<std::string> texts;
  for (char c = 'a'; c <= 'z'; ++c) texts.push_back(std::string("conv") + c);
  std::vector<SearchName> many;
  for (const std::string& text : texts)
    many.push_back({static_cast<std::uint32_t>(many.size()), text});
  EXPECT_EQ(near("conv_", many).size(), 8U);
}

}  // namespace
}  // namespace ridge::graph
