// SPDX-License-Identifier: Apache-2.0
#include "analysis/resolver.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::looped;
using testing::node;
using testing::resolve_error;
using testing::resolved;
using testing::shown;
using testing::type_of;
using testing::value;

TEST(Resolver, ShapesThatAppearOnlyAfterFoldingAreFound) {
  // Channel shuffle as exporters write it: the target shape is computed from the input's shape.
  const Resolved r = resolved(R"(
    graph main
      input x[batch,8,6]
      integers zero=0 four[1]=4 minus[1]=-1 two[1]=2
      shape: Shape(x) -> s
      batch: Gather(s, zero) {axis=0} -> b
      lift: Unsqueeze(b, axes) -> b1
      integers axes[1]=0
      target: Concat(b1, two, four, minus) {axis=0} -> t
      split: Reshape(x, t) -> y
      output y
  )",
                              {{{"batch", {5, false}}}, {}, FreeSizes::kAsk});
  EXPECT_EQ(type_of(r, "y"), "float32[5,2,4,6]");
  EXPECT_EQ(shown(r, "shape"), "int64[3]");
  ASSERT_NE(r.value(value(r, "t")), nullptr);
  EXPECT_EQ(r.value(value(r, "t"))->ints[0].value(), 5);
}

constexpr std::string_view kUnknown = R"(
  graph main
    input x[2,3]
    odd: com.acme.Odd(x) -> a
    odd2: com.acme.Odd(x) -> b
    act: Relu(a) -> y
    output y b
)";

TEST(Resolver, AnUnknownOperatorIsNamedAndNotCounted) {
  const Resolved r = resolved(kUnknown);
  EXPECT_EQ(shown(r, "odd"),
            "undefined[*] macs ? flops ? special ? int_ops ? bytes ?+? unknown (the operator "
            "'com.acme.Odd' is not known)");
  EXPECT_EQ(r.totals().unknown, 3);
  ASSERT_EQ(r.notes().size(), 1U);
  EXPECT_EQ(r.notes()[0], "2 nodes of an unknown operator, not counted: com.acme.Odd (2)");
}

TEST(Resolver, AnUnknownOperatorInABodyThatIsVisitedAgainCountsOnce) {
  const Resolved r = resolved(looped(R"(
      declare w[5]
      grow: Concat(h, h) {axis=0} -> next
      odd: com.acme.Odd(h) -> v
      same: Relu(h) -> w
      output c next
  )"));
  ASSERT_EQ(r.notes().size(), 2U);
  EXPECT_TRUE(r.notes()[0].starts_with("1 declared shape does not follow")) << r.notes()[0];
  EXPECT_EQ(r.notes()[1], "1 node of an unknown operator, not counted: com.acme.Odd (1)");
}

TEST(Resolver, AFigureThatCannotBeKnownSaysWhy) {
  const Resolved r = resolved(kUnknown);
  EXPECT_EQ(r.counts(node(r, "act")).reason, "input 0 'a' has no known shape");
  EXPECT_TRUE(r.totals().incomplete.test(Totals::kFlops));
  EXPECT_TRUE(r.totals().incomplete.test(Totals::kBytesRead));
}

TEST(Resolver, TheFilesOwnShapesHelpOnlyWhereNothingElseIsKnown) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,3]
      declare a[2,7] b[9,9]
      odd: com.acme.Odd(x) -> a
      act: Relu(a) -> y
      same: Relu(x) -> b
      output y b
  )");
  EXPECT_EQ(shown(r, "act"), "float32[2,7] flops 14 bytes 56+56");
  EXPECT_EQ(type_of(r, "b"), "float32[2,3]");
  ASSERT_EQ(r.notes().size(), 2U);
  EXPECT_EQ(r.notes()[0],
            "1 declared shape does not follow from the inputs and is ignored: 'b' is declared "
            "float32 [9, 9], but is float32 [2, 3]");
}

TEST(Resolver, AShapeThatCannotBeNamesFileGraphAndNode) {
  EXPECT_EQ(
      resolve_error(
          "graph main\n input x[2,3]\n constant w[4,5]\n mm: MatMul(x, w) -> y\n output y"),
      R"(error: sketch: graph 'main' > node #0 'mm': MatMul: [2,3] x [4,5]: the first operand reduces over 3, the second over 4
  hint: the columns of the first factor must equal the rows of the second
  [RIDGE-OPS-0105]
)");
}

TEST(Resolver, ASizePastTheIntegersIsRefused) {
  EXPECT_EQ(
      resolve_error("graph main\n input x[3037000500,3037000500]\n act: Relu(x) -> y\n output y"),
      R"(error: sketch: graph 'main' > node #0 'act': a size, a count or a number of bytes of this node exceeds 2^63 - 1
  hint: check the sizes given and the node's constants
  [RIDGE-ANA-0201]
)");
}

TEST(Resolver, ATotalPastTheIntegersIsRefused) {
  EXPECT_EQ(resolve_error("graph main\n input x[1000000000,1000000000]\n a: Relu(x) -> b\n c: "
                          "Relu(b) -> d\n e: Relu(d) -> y\n output y"),
            R"(error: sketch: graph 'main': a total of the model exceeds 2^63 - 1
  hint: check the sizes given with --bind and --shape
  [RIDGE-ANA-0202]
)");
}

TEST(Resolver, AnEnormousTensorCostsNothingToCount) {
  const Resolved r = resolved(R"(
    graph main
      input x[1]
      integers huge[1]=1152921504606846976
      fill: ConstantOfShape(huge) -> y
      output y x
  )");
  EXPECT_EQ(shown(r, "fill"), "float32[1152921504606846976] bytes 8+4611686018427387904");
}

TEST(Resolver, NodesOutOfOrderAreTakenInOne) {
  const Resolved r =
      resolved("graph main\n input x[2]\n second: Relu(a) -> y\n first: Neg(x) -> a\n output y");
  EXPECT_EQ(shown(r, "second"), "float32[2] flops 2 bytes 8+8");
  ASSERT_EQ(r.notes().size(), 1U);
  EXPECT_EQ(r.notes()[0],
            "the nodes of graph 'main' are not in topological order; they are sorted");
}

TEST(Resolver, AnInputReadTwiceIsReadOnce) {
  const Resolved r = resolved("graph main\n input x[2,3]\n sq: Mul(x, x) -> y\n output y");
  EXPECT_EQ(shown(r, "sq"), "float32[2,3] flops 6 bytes 24+24");
}

TEST(Resolver, ANodeOfAHundredThousandInputsIsAffordable) {
  std::string inputs;
  for (int i = 0; i < 100'000; ++i) inputs += i == 0 ? "x" : ", x";
  const Resolved r =
      resolved("graph main\n input x[2,3]\n cat: Concat(" + inputs + ") {axis=0} -> y\n output y");
  EXPECT_EQ(shown(r, "cat"), "float32[200000,3] bytes 24+2400000");
}

TEST(Resolver, ResolvingAgainNeedsNoNewModel) {
  const auto model = testing::model(
      "graph main\n input x[n,4]\n constant w[4,8]\n mm: MatMul(x, w) -> y\n output y");
  for (const std::int64_t n : {1, 2, 64}) {
    const Result<Resolved> r = resolve(model, {{{"n", {n, false}}}, {}, FreeSizes::kAsk});
    ASSERT_TRUE(r.ok());
    EXPECT_EQ(r->totals().macs.value(), n * 32);
  }
}

// A target that was fixed at export holds for one batch only, and so does all that follows.
TEST(Resolver, StatesTheSizesThatNodesInsideFix) {
  Bindings free;
  free.free = FreeSizes::kSymbolic;
  const Resolved r = resolved(R"(
    graph main
      input x[batch,sequence,64]
      integers one[3]=1,-1,64 flat[2]=8,512
      constant w[8,4]
      a: Reshape(x, one) -> b
      c: Reshape(b, flat) -> d
      t: Transpose(d) -> e
      mm: MatMul(e, w) -> y
      output y
  )",
                              free);
  std::string text;
  for (const FixedSize& f : r.fixed_sizes())
    text += fmt::format("{} = {} at {}\n", r.dims().text(f.left), r.dims().text(f.right),
                        r.model().node(f.node).name);
  EXPECT_EQ(text, "64*batch*sequence = 4096 at c\n");
  const Resolved fixed = resolved(R"(
    graph main
      input x[batch,sequence,64]
      integers one[3]=1,0,64
      constant w[64,4]
      a: Reshape(x, one) -> b
      mm: MatMul(b, w) -> y
      output y
  )",
                                  free);
  ASSERT_EQ(fixed.fixed_sizes().size(), 1U);
  EXPECT_EQ(fixed.dims().text(fixed.fixed_sizes()[0].left), "batch");
  EXPECT_TRUE(fixed.fixed_sizes()[0].right.is(1));
  const Resolved product = resolved(
      "graph main\n input x[n,width]\n constant w[64,4]\n mm: MatMul(x, w) -> y\n output y", free);
  ASSERT_EQ(product.fixed_sizes().size(), 1U);
  EXPECT_EQ(product.dims().text(product.fixed_sizes()[0].left), "width");
  EXPECT_TRUE(product.fixed_sizes()[0].right.is(64));
}

}  // namespace
}  // namespace ridge::analysis
