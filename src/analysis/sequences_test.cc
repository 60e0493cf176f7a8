// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "analysis/resolved.h"
#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::node;
using testing::resolve_error;
using testing::resolved;
using testing::shown;
using testing::type_of;
using testing::value;

TEST(Sequences, MembersAreFollowedOneByOne) {
  const Resolved r = resolved(R"(
    graph main
      input a[2,3] b[4,3]
      integers zero=0 one=1 last=-1
      SequenceConstruct(a, b) -> both
      SequenceLength(both) -> n
      SequenceAt(both, one) -> second
      ConcatFromSequence(both) {axis=0} -> joined
      SequenceInsert(both, b, zero) -> three
      SequenceAt(three, zero) -> inserted
      SequenceErase(three, last) -> two
      SequenceAt(two, last) -> kept
      output n second joined inserted kept
  )");
  EXPECT_EQ(r.value(value(r, "n"))->ints[0].value(), 2);
  EXPECT_EQ(type_of(r, "second"), "float32[4,3]");
  EXPECT_EQ(type_of(r, "joined"), "float32[6,3]");
  EXPECT_EQ(type_of(r, "inserted"), "float32[4,3]");
  EXPECT_EQ(type_of(r, "kept"), "float32[2,3]");
}

TEST(Sequences, PartsOfASplitKeepTheirSizes) {
  const Resolved r = resolved(R"(
    graph main
      input x[5,3]
      integers two=2 sizes[2]=4,1 last=-1
      SplitToSequence(x, two) {axis=0} -> pairs
      SequenceAt(pairs, last) -> rest
      SplitToSequence(x, sizes) {axis=0} -> parts
      SequenceAt(parts, last) -> one
      SplitToSequence(x) {axis=1 keepdims=0} -> columns
      SequenceAt(columns, last) -> column
      ConcatFromSequence(columns) {axis=0 new_axis=1} -> stacked
      output rest one column stacked
  )");
  EXPECT_EQ(type_of(r, "rest"), "float32[1,3]");
  EXPECT_EQ(type_of(r, "one"), "float32[1,3]");
  EXPECT_EQ(type_of(r, "column"), "float32[5]");
  EXPECT_EQ(type_of(r, "stacked"), "float32[3,5]");
}

TEST(Sequences, APositionThatIsNotThereIsRefused) {
  EXPECT_TRUE(resolve_error(R"(
    graph main
      input a[2,3]
      integers five=5
      SequenceConstruct(a) -> s
      at: SequenceAt(s, five) -> y
      output y
  )")
                  .find("position 5 is outside a sequence of 1 tensors") != std::string::npos);
}

TEST(Sequences, OneThatALoopFillsHasWhatItsMembersShare) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      integers m=3
      SequenceEmpty() -> none
      Loop(m, _, none) {body=graph:body} -> all
      ConcatFromSequence(all) {axis=0} -> y
      output y
    graph body
      input i[] c[] h
      SequenceInsert(h, x) -> next
      output c next
  )");
  EXPECT_EQ(type_of(r, "y"), "float32[?,4]");
}

TEST(Sequences, AMapRunsItsBodyOncePerTensor) {
  const Resolved r = resolved(R"(
    graph main
      input a[2,3] b[2,3]
      SequenceConstruct(a, b) -> both
      SequenceMap(both) {body=graph:body} -> mapped
      ConcatFromSequence(mapped) {axis=0 new_axis=1} -> y
      output y
    graph body
      input t
      constant w[3,4]
      times: MatMul(t, w) -> u
      output u
  )");
  EXPECT_EQ(shown(r, "times"), "float32[2,4] macs 48 bytes 144+64 params 12 x2");
  EXPECT_EQ(type_of(r, "y"), "float32[?,2,4]");
}

TEST(Optionals, SayWhetherTheyHoldSomething) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,3]
      Optional(x) -> some
      OptionalHasElement(some) -> has
      OptionalGetElement(some) -> y
      Optional() -> none
      OptionalHasElement(none) -> nothing
      output has y nothing
  )");
  EXPECT_EQ(r.value(value(r, "has"))->ints[0].value(), 1);
  EXPECT_EQ(type_of(r, "y"), "float32[2,3]");
  EXPECT_EQ(r.value(value(r, "nothing"))->ints[0].value(), 0);
}

TEST(Bounds, ALoopThatTheDataEndsIsBoundedByItsLimit) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4] c[]
      integers m=5
      loop: Loop(m, c, x) {body=graph:body} -> last
      output last
    graph body
      input i[] go[] h
      constant w[4,4]
      step: MatMul(h, w) -> next
      integers axes[2]=0,1
      ReduceSum(next, axes) {keepdims=0} -> sum
      Cast(sum) {to=9} -> on
      output on next
  )");
  EXPECT_TRUE(r.counts(node(r, "step")).macs.unknown());
  EXPECT_EQ(r.macs_max(node(r, "step")).value(), 5 * 2 * 4 * 4);
  EXPECT_EQ(r.totals().macs_max.value(), 5 * 2 * 4 * 4);
  EXPECT_TRUE(r.totals().incomplete.test(Totals::kMacs));
}

TEST(PackedWeights, CountEachWeight) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,32]
      constant b[8,2,8] scales[8,2]
      times: com.microsoft.MatMulNBits(x, b, scales) {K=32 N=8 bits=4 block_size=16} -> y
      output y
  )");
  EXPECT_EQ(r.counts(node(r, "times")).params, 32 * 8 + 8 * 2);
  EXPECT_EQ(r.totals().params, 32 * 8 + 8 * 2);
  EXPECT_EQ(r.totals().weight_bytes, (8 * 2 * 8 + 8 * 2) * 4);
}

TEST(PackedWeights, CountZeroPointsLikeWeights) {
  // Three blocks per row: 4-bit zero points take two bytes, the second half empty.
  const Resolved bytes = resolved(R"(
    graph main
      input x[2,48]
      constant b[8,3,8] scales[8,3] zeros[16]
      bytes: Cast(zeros) {to=2} -> z
      times: com.microsoft.MatMulNBits(x, b, scales, z) {K=48 N=8 bits=4 block_size=16} -> y
      output y
  )");
  EXPECT_EQ(bytes.totals().params, 48 * 8 + 8 * 3 + 8 * 3);
  EXPECT_EQ(bytes.counts(node(bytes, "times")).params, 48 * 8 + 8 * 3 + 8 * 3);
  const Resolved floats = resolved(R"(
    graph main
      input x[2,48]
      constant b[8,3,8] scales[8,3] zeros[8,3]
      times: com.microsoft.MatMulNBits(x, b, scales, zeros) {K=48 N=8 bits=4 block_size=16} -> y
      output y
  )");
  EXPECT_EQ(floats.totals().params, 48 * 8 + 8 * 3 + 8 * 3);
}

}  // namespace
}  // namespace ridge::analysis
