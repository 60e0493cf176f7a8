// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

using testing::bytes;
using testing::shapes;
using testing::work;

TEST(Elementwise, TheTypeDecidesTheKindOfOperation) {
  EXPECT_EQ(work("Add(f32[2,3], f32[3])"), "flops 6");
  EXPECT_EQ(work("Add(i64[2,3], i64[3])"), "int_ops 6");
  EXPECT_EQ(work("Div(f16[2,3], f16[])"), "special 6");
  EXPECT_EQ(work("Div(i32[2,3], i32[])"), "int_ops 6");
  EXPECT_EQ(work("Equal(f32[4], f32[4])"), "flops 4");
  EXPECT_EQ(work("Equal(i64[4], i64[4])"), "int_ops 4");
  EXPECT_EQ(work("And(bool[4], bool[4])"), "int_ops 4");
  EXPECT_EQ(work("Where(bool[4], f32[4], f32[4])"), "flops 4");
  EXPECT_EQ(work("Where(bool[4], i64[4], i64[4])"), "int_ops 4");
  EXPECT_EQ(work("Max(f32[4], f32[1], f32[4])"), "flops 8");
  EXPECT_EQ(work("Mean(f32[4], f32[4])"), "flops 4 special 4");
  EXPECT_EQ(work("Sigmoid(f32[4])"), "special 4");
  EXPECT_EQ(work("Cast(f32[4]) to=7"), "nothing");
  EXPECT_EQ(work("Add(?[4], ?[4])"), "flops ? special ? int_ops ?");
}

TEST(Elementwise, BroadcastsWhatIsKnownAndLeavesTheRest) {
  EXPECT_EQ(shapes("Add(f32[batch,1,8], f32[7,1])"), "f32[batch,7,8]");
  EXPECT_EQ(shapes("Add(f32[batch,8], f32[batch,1])"), "f32[batch,8]");
  EXPECT_EQ(shapes("Add(f32[a], f32[b])"), "f32[?]");
  EXPECT_EQ(shapes("Add(f32[a], f32[5])"), "f32[5]");
  EXPECT_EQ(shapes("Add(f32[?], f32[1])"), "f32[?]");
  EXPECT_EQ(shapes("Add(f32[*], f32[1])"), "f32[*]");
  EXPECT_EQ(shapes("Add(f32[2,3], f32[4,3])"),
            "error: Add: shapes [2,3] and [4,3] do not broadcast: 2 against 4 at axis 0 of the "
            "result [RIDGE-OPS-0106]");
}

TEST(Elementwise, ReadsEachDistinctInputOnce) {
  EXPECT_EQ(bytes("Add(f32[8], f32[8])"), "read 64 written 32");
  EXPECT_EQ(bytes("Add(f32[8], @0)"), "read 32 written 32");
  EXPECT_EQ(bytes("Equal(i64[8], i64[])"), "read 72 written 8");
  EXPECT_EQ(bytes("Add(f32[?], f32[8])"), "read ? written 32");
}

TEST(Fold, SizesStaySymbolicThroughArithmetic) {
  EXPECT_EQ(shapes("Shape(f32[batch,seq,768])"), "i64[3]={batch,seq,768}");
  EXPECT_EQ(shapes("Mul(i64[1]={batch}, i64[1]={12})"), "i64[1]={12*batch}");
  EXPECT_EQ(shapes("Div(i64[]={768}, i64[]={12})"), "i64[]={64}");
  EXPECT_EQ(shapes("Div(i64[1]={seq}, i64[1]={2})"), "i64[1]={(seq//2)}");
  EXPECT_EQ(shapes("Sub(i64[1]={seq}, i64[1]={1})"), "i64[1]={seq - 1}");
  // seq - 1 may be negative; then rounding down and towards zero differ.
  EXPECT_EQ(shapes("Div(i64[1]={?}, i64[1]={2})"), "i64[1]={?}");
  // A size is never -1: exporters of Expand test for it.
  EXPECT_EQ(shapes("Equal(i64[2]={batch,-1}, i64[1]={-1})"), "bool[2]={0,1}");
  EXPECT_EQ(shapes("Where(bool[2]={0,1}, i64[2]={1,1}, i64[2]={batch,9})"), "i64[2]={batch,1}");
  EXPECT_EQ(shapes("Less(i64[1]={batch}, i64[1]={5})"), "bool[1]={?}");
  EXPECT_EQ(shapes("Range(i64[]={0}, i64[]={seq}, i64[]={1})"), "i64[seq]");
  EXPECT_EQ(shapes("ReduceProd(i64[2]={batch,seq}) keepdims=0"), "i64[]={batch*seq}");
  EXPECT_EQ(shapes("Cast(i64[1]={batch}) to=1"), "f32[1]");
}

TEST(Fold, WhatDoesNotFitTheTypeIsNotKnown) {
  EXPECT_EQ(shapes("Add(i64[1]={9223372036854775807}, i64[1]={1})"), "i64[1]={?}");
  EXPECT_EQ(shapes("Add(i32[1]={2147483647}, i32[1]={1})"), "i32[1]={?}");
  EXPECT_EQ(shapes("Div(i64[1]={1}, i64[1]={0})"), "i64[1]={?}");
  EXPECT_EQ(shapes("Sub(u8[1]={1}, u8[1]={2})"), "u8[1]={?}");
}

// Exporters compute sizes in single precision, so folding rounds to it: 2^24 + 1 becomes 2^24.
TEST(Fold, RealsAreRoundedToTheirType) {
  EXPECT_EQ(shapes("Mul(f32[1]={16777217.0}, f32[1]={1.0})"), "f32[1]={16777216}");
  EXPECT_EQ(shapes("Mul(f64[1]={16777217.0}, f64[1]={1.0})"), "f64[1]={16777217}");
}

TEST(Fold, LongRealsAreNotKept) {
  EXPECT_EQ(shapes("ConstantOfShape(i64[1]={65}) value=f32[1]={1.0}"), "f32[65]");
  EXPECT_EQ(shapes("Expand(i64[1]={7}, i64[1]={5000})"), "i64[5000]");
}

TEST(Random, AShapeMayHaveNoElements) {
  EXPECT_EQ(shapes("RandomUniform() shape=[0,3]"), "f32[0,3]");
  EXPECT_TRUE(shapes("RandomUniform() shape=[2,-1]").starts_with("error:"));
}

}  // namespace
}  // namespace ridge::ops
