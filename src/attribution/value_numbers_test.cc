// SPDX-License-Identifier: Apache-2.0
#include "attribution/value_numbers.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::attribution {
namespace {

/// Value numbers of a sketch, queried by value name.
class Numbers {
 public:
  explicit Numbers(std::string_view text, const CanonicalOptions& options = {})
      : resolved_(analysis::testing::resolved(text)),
        copy_(canonicalise(resolved_, options).value()),
        original_(resolved_, copy_, Expansion::of_calls(resolved_.model())),
        numbers_(original_) {}

  bool equal(std::string_view a, std::string_view b) const {
    return numbers_.of(analysis::testing::value(resolved_, a)) ==
           numbers_.of(analysis::testing::value(resolved_, b));
  }

 private:
  analysis::Resolved resolved_;
  Canonical copy_;
  Original original_;
  ValueNumbers numbers_;
};

TEST(ValueNumbers, AgreeWhereOperatorAttributesAndInputsDo) {
  const Numbers n(R"(graph main
    input x[4,4]
    constant w[4,4] v[4,4]
    MatMul(x, w) -> a
    MatMul(x, w) -> b
    MatMul(x, v) -> c
    Softmax(a) {axis=0} -> d
    Softmax(b) {axis=0} -> e
    Softmax(b) {axis=1} -> f
    output d e f c)");
  EXPECT_TRUE(n.equal("a", "b"));
  EXPECT_TRUE(n.equal("d", "e"));
  EXPECT_FALSE(n.equal("e", "f"));
  EXPECT_FALSE(n.equal("a", "c")) << "weights with seeds of their own";
}

TEST(ValueNumbers, SeeThroughWhatHasNoEffect) {
  const Numbers n(R"(graph main
    input x[2,3]
    integers same[2]=2,3 flat[1]=6
    Identity(x) -> a
    Reshape(a, same) -> b
    Reshape(b, flat) -> c
    Dropout(x) -> d
    output a b c d)");
  EXPECT_TRUE(n.equal("x", "b"));
  EXPECT_TRUE(n.equal("x", "d"));
  EXPECT_FALSE(n.equal("x", "c"));
}

TEST(ValueNumbers, OfComputedConstantsAreThoseOfTheirElements) {
  const Numbers n(R"(graph main
    input x[2,3]
    integers two[1]=2 six[1]=6
    Shape(x) -> s
    ReduceProd(s) {keepdims=1} -> p
    Reshape(x, p) -> a
    Reshape(x, six) -> b
    Reshape(x, s) -> c
    output a b c)");
  EXPECT_TRUE(n.equal("p", "six"));
  EXPECT_TRUE(n.equal("a", "b"));
  EXPECT_FALSE(n.equal("a", "c"));
}

TEST(ValueNumbers, OfSeededWeightsDiffer) {
  constexpr std::string_view kText = R"(graph main
    input x[4,8]
    integers shape[2]=8,8
    ConstantOfShape(shape) -> w
    ConstantOfShape(shape) -> v
    MatMul(x, w) -> a
    MatMul(x, v) -> b
    output a b)";
  EXPECT_FALSE(Numbers(kText).equal("a", "b"));
  EXPECT_TRUE(Numbers(kText, {.constants = CanonicalOptions::Constants::kAsIs}).equal("a", "b"));
}

TEST(ValueNumbers, OfChanceAreNeverEqual) {
  const Numbers n(R"(graph main
    input x[4]
    RandomUniformLike(x) -> a
    RandomUniformLike(x) -> b
    output a b)");
  EXPECT_FALSE(n.equal("a", "b"));
}

TEST(ValueNumbers, LookIntoFunctions) {
  const Numbers n(R"(graph main
    input x[4]
    Relu(x) -> a
    local.Rectify(x) -> b
    output a b
  function local.Rectify
    input t
    output u
    Relu(t) -> u)");
  EXPECT_TRUE(n.equal("a", "b"));
}

}  // namespace
}  // namespace ridge::attribution
