// SPDX-License-Identifier: Apache-2.0
#include "ops/describe.h"

#include <gtest/gtest.h>

#include "ops/describe_texts.h"

namespace ridge::ops {
namespace {

TEST(Describe, EveryOperatorHasItsShapeRuleInWords) {
  for (const Operator* row : all())
    EXPECT_FALSE(shape_text(*row).empty())
        << row->domain << "." << row->name << ": add it to src/ops/describe_texts.cc";
}

TEST(Describe, EveryTextIsOfAnOperator) {
  for (const auto& texts : {shape_texts(), traffic_texts(), example_texts()})
    for (const RuleText& t : texts)
      for (std::string_view rest = t.names; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        EXPECT_FALSE(versions(t.domain, word).empty()) << t.domain << "." << word;
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      }
}

TEST(Describe, OperatorsThatShareARuleShareItsText) {
  EXPECT_EQ(shape_text(*find("", "Sub", 14)), shape_text(*find("", "Add", 14)));
  EXPECT_EQ(shape_text(*find("", "LeakyRelu", 16)), "as input 0");
  EXPECT_NE(shape_text(*find("", "Conv", 11)), shape_text(*find("", "ConvTranspose", 11)));
}

TEST(Describe, AnExampleIsWrittenForTheOperatorAskedFor) {
  EXPECT_EQ(example(*find("", "Mul", 14)),
            "input x[1,64,56,56]; constant b[64,1,1]; Mul(x, b) -> y");
  EXPECT_EQ(example(*find("com.microsoft", "QuickGelu", 1)),
            "input x[1,64,56,56]; com.microsoft.QuickGelu(x) -> y");
}

TEST(Describe, BytesFollowFromTheRule) {
  EXPECT_EQ(traffic_text(*find("", "Relu", 14)).reads, "each distinct input once, as stored");
  EXPECT_EQ(traffic_text(*find("", "Gather", 13)).reads,
            "as much as it writes, and all inputs but the first");
  EXPECT_EQ(traffic_text(*find("", "Reshape", 14)).reads, "nothing");
  EXPECT_EQ(traffic_text(*find("", "If", 16)).reads, "what its bodies read");
  EXPECT_EQ(name(counting(*find("", "Transpose", 13))), "moves data");
  EXPECT_EQ(name(counting(*find("", "Reshape", 13))), "view");
}

}  // namespace
}  // namespace ridge::ops
