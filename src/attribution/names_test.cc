// SPDX-License-Identifier: Apache-2.0
#include "attribution/names.h"

#include <gtest/gtest.h>

namespace ridge::attribution {
namespace {

struct NameCase {
  std::string_view name;
  graph::NodeId node;
  std::uint32_t output;
  bool whole;
};

TEST(Names, StemIsTheCanonicalNameThatARuntimeExtended) {
  constexpr std::uint32_t kNo = graph::kNone;
  const NameCase cases[] = {
      {"r12", 12, kNo, true},
      {"r12.0", 12, 0, true},
      {"r12.3_nchwc", 12, 3, false},
      {"r12.0_bn_nchwc", 12, 0, false},
      {"r12/MatMulAddFusion", 12, kNo, false},
      {"r280/MatmulTransposeFusion//MatMulScaleFusion/", 280, kNo, false},
      {"r9_token_5", 9, kNo, true},
      {"r9.1_token_17", 9, 1, true},
      {"r277_new_reshape", 277, kNo, false},
      {"gemm_input_reshape", kNo, kNo, false},
      {"r", kNo, kNo, false},
      {"r12x", kNo, kNo, false},
      {"r12.", kNo, kNo, false},
      {"r12.0x", kNo, kNo, false},
      {"reorder_token_4", kNo, kNo, false},
      {"r99999999999", kNo, kNo, false},
      {"", kNo, kNo, false},
  };
  for (const NameCase& c : cases) {
    const Stem stem = stem_of(c.name);
    EXPECT_EQ(stem.node, c.node) << c.name;
    if (c.node == kNo) continue;
    EXPECT_EQ(stem.output, c.output) << c.name;
    EXPECT_EQ(stem.whole, c.whole) << c.name;
  }
}

TEST(Names, TokensAreStrippedOnlyWhereANumberFollows) {
  EXPECT_EQ(without_token("r7_token_12"), "r7");
  EXPECT_EQ(without_token("_token_1"), "");
  EXPECT_EQ(without_token("r7_token_"), "r7_token_");
  EXPECT_EQ(without_token("r7_token_1b"), "r7_token_1b");
}

TEST(Names, ModelsMayNotUseNamesThatMeanSomething) {
  for (const std::string_view name : {"", "r5", "r5.0", "r5.0_nchwc", "w3", "b0", "x_token_1",
                                      "y_nchwc", "ridge.in0", "a/duplicated", "~x", "5:0"})
    EXPECT_TRUE(reserved(name)) << name;
  for (const std::string_view name :
       {"input", "191", "r", "relu5", "w", "weights", "b1.c", "logits:0"})
    EXPECT_FALSE(reserved(name)) << name;
}

}  // namespace
}  // namespace ridge::attribution
