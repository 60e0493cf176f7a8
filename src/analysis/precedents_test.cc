// SPDX-License-Identifier: Apache-2.0
#include "analysis/precedents.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::resolved;

/// Nodes that find() matches with the first node, which is noted.
std::string like_the_first(const Resolved& r) {
  std::vector<ops::Type> types;
  for (graph::ValueId v = 0; v < r.model().values().size(); ++v) types.push_back(r.type(v));
  Precedents precedents(r.model(), types);
  precedents.note(0);
  std::string names;
  for (graph::NodeId n = 1; n < r.model().nodes().size(); ++n)
    if (precedents.find(n) == 0) names += std::string(r.model().node(n).name) + " ";
  return names;
}

// A declared type, such as the type of the graph's output, may refine the rule's result.
TEST(Precedents, AreOfOneOperatorWithTheSameTypesAndInputsThatRepeatAlike) {
  EXPECT_EQ(like_the_first(resolved(R"(
    graph main
      input x[2,4] y[2,4] z[2,1] i:int64[2,4]
      first: Add(x, y) -> a
      same: Add(y, a) -> b
      twice: Add(x, x) -> c
      other: Mul(x, y) -> d
      narrow: Add(x, z) -> e
      integers: Add(i, i) -> f
      again: Add(e, d) -> g
      told: Add(x, y) -> h
      output h
  )")),
            "same again ");
}

TEST(Precedents, HaveTheSameAttributes) {
  EXPECT_EQ(like_the_first(resolved(R"(
    graph main
      input x[4,4]
      first: Transpose(x) {perm=[1,0]} -> a
      same: Transpose(a) {perm=[1,0]} -> b
      other: Transpose(a) {perm=[0,1]} -> c
      none: Transpose(a) -> d
      last: Relu(d) -> e
      output e
  )")),
            "same ");
}

TEST(Precedents, AreNoneOfWhatConstantsDecide) {
  const Resolved r = resolved(R"(
    graph main
      input x[4,6]
      integers one[2]=2,12 two[2]=12,2
      first: Reshape(x, one) -> a
      second: Reshape(x, two) -> b
      output a b
  )");
  EXPECT_EQ(testing::shown(r, "first"), "float32[2,12]");
  EXPECT_EQ(testing::shown(r, "second"), "float32[12,2]");
}

TEST(Precedents, AreForgottenWhenABodyIsWalkedAgain) {
  // In the first round h has its initial type, in the second the type of the body's output: axis 0
  // differs.
  const Resolved r = resolved(testing::looped(R"(
      double: Concat(h, h) {axis=0} -> d
      next: Relu(d) -> e
      output c e
  )"));
  EXPECT_TRUE(r.counts(testing::node(r, "next")).flops.unknown());
}

}  // namespace
}  // namespace ridge::analysis
