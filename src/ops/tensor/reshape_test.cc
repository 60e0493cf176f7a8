// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

using testing::bytes;
using testing::shapes;
using testing::work;

TEST(Reshape, InfersTheOneFreeDimension) {
  EXPECT_EQ(shapes("Reshape(f32[batch,seq,768], i64[4]={0,0,12,64})"), "f32[batch,seq,12,64]");
  EXPECT_EQ(shapes("Reshape(f32[batch,12,seq,64], i64[2]={-1,64})"), "f32[12*batch*seq,64]");
  EXPECT_EQ(shapes("Reshape(f32[2,3,4], i64[2]={?,4})"), "f32[6,4]");
  EXPECT_EQ(shapes("Reshape(f32[batch,3], i64[2]={-1,4})"), "f32[?,4]");
  EXPECT_EQ(shapes("Reshape(f32[2,3,4], i64[3])"), "f32[?,?,?]");
  EXPECT_EQ(shapes("Reshape(f32[2,3,4], i64[?])"), "f32[*]");
  EXPECT_EQ(shapes("Reshape-1(f32[2,3]) shape=[3,2]"), "f32[3,2]");
  EXPECT_EQ(shapes("Reshape(f32[0,3], i64[2]={-1,3})"), "f32[0,3]");
}

TEST(Reshape, SaysWhyATargetCannotBe) {
  EXPECT_EQ(
      shapes("Reshape(f32[2,3], i64[2]={-1,-1})"),
      "error: Reshape: the target [-1,-1] has 2 dimensions of -1, at most one can be inferred "
      "[RIDGE-OPS-0109]");
  EXPECT_EQ(shapes("Reshape(f32[2,3,4], i64[2]={5,-1})"),
            "error: Reshape: shape [2,3,4] of 24 elements cannot become [5,-1] [RIDGE-OPS-0109]");
  EXPECT_EQ(shapes("Reshape(f32[8,3], i64[2]={1,3})"),
            "error: Reshape: shape [8,3] of 24 elements cannot become [1,3] [RIDGE-OPS-0109]");
  EXPECT_EQ(shapes("Reshape(f32[2,3], i64[3]={2,3,0})"),
            "error: Reshape: the target [2,3,0] keeps axis 2, the input [2,3] has none "
            "[RIDGE-OPS-0109]");
  EXPECT_EQ(shapes("Reshape(f32[2,3], i64[1]={-6})"),
            "error: Reshape: the target shape holds -6, it must be -1 or more [RIDGE-OPS-0109]");
}

TEST(Reshape, ViewsMoveNothing) {
  for (const char* node :
       {"Reshape(f32[6], i64[2]={2,3})", "Flatten(f32[2,3,4])", "Squeeze(f32[1,3], i64[1]={0})",
        "Unsqueeze(f32[3], i64[1]={0})", "Identity(f32[3])", "Dropout(f32[3], f32[], bool[]={0})",
        "Shape(f32[3])", "Size(f32[3])", "Constant() value=f32[1]={2.0}"}) {
    EXPECT_EQ(bytes(node), "read 0 written 0") << node;
    EXPECT_EQ(work(node), "nothing") << node;
  }
}

TEST(Dropout, InTrainingScalesAndMasks) {
  EXPECT_EQ(work("Dropout(f32[8], f32[], bool[]={1})"), "flops 16");
  EXPECT_EQ(bytes("Dropout(f32[8], f32[], bool[]={1})"), "read 37 written 32");
}

TEST(Squeeze, RemovesOnlyOnes) {
  EXPECT_EQ(shapes("Squeeze(f32[1,batch,1])"), "f32[*]");
  EXPECT_EQ(shapes("Squeeze(f32[1,batch,1], i64[2]={0,-1})"), "f32[batch]");
  EXPECT_EQ(shapes("Squeeze(f32[1,3], i64[1]={1})"),
            "error: Squeeze: axis 1 of [1,3] is 3, only 1 can be removed [RIDGE-OPS-0109]");
  EXPECT_EQ(shapes("Squeeze(f32[1,3], i64[1]={2})"),
            "error: Squeeze: axis 2 is outside [-2, 2) [RIDGE-OPS-0107]");
  EXPECT_EQ(shapes("Unsqueeze(f32[3], i64[2]={0,0})"),
            "error: Unsqueeze: axis 0 is repeated [RIDGE-OPS-0107]");
}

TEST(Constant, TakesItsValueFromAnyAttribute) {
  EXPECT_EQ(shapes("Constant() value=i64[2]={4,5}"), "i64[2]={4,5}");
  EXPECT_EQ(shapes("Constant() value_int=4"), "i64[]={4}");
  EXPECT_EQ(shapes("Constant() value_ints=[4,5]"), "i64[2]={4,5}");
  EXPECT_EQ(shapes("Constant() value_float=0.5"), "f32[]={0.5}");
  EXPECT_EQ(shapes("Constant() value_floats=[0.5,1.0]"), "f32[2]={0.5,1}");
  EXPECT_EQ(shapes("Constant() value_string=\"x\""), "str[]");
  EXPECT_EQ(shapes("Constant()"),
            "error: Constant: no attribute contains the value [RIDGE-OPS-0103]");
}

TEST(Moves, ReadOnlyWhatTheyTouch) {
  EXPECT_EQ(bytes("Gather(f32[30522,768], i64[1,128])"), "read 394240 written 393216");
  EXPECT_EQ(bytes("Gather(i64[3]={7,8,9}, i64[]={1})"), "read 16 written 8");
  EXPECT_EQ(bytes("Slice(f32[100], i64[1]={0}, i64[1]={10})"), "read 56 written 40");
  EXPECT_EQ(bytes("Slice(f32[100], i64[1]={0}, i64[1]={10}, i64[1]={0}, @1)"),
            "error: Slice: a step is 0, it must be positive or negative [RIDGE-OPS-0111]");
  EXPECT_EQ(bytes("Split(f32[6])#2"), "read 24 written 24");
  EXPECT_EQ(bytes("Transpose(f32[2,3])"), "read 24 written 24");
  EXPECT_EQ(bytes("Expand(f32[1,3], i64[2]={4,3})"), "read 28 written 48");
}

TEST(Moves, KeepFreeSizes) {
  EXPECT_EQ(shapes("Concat(f32[batch,1,768], f32[batch,196,768]) axis=1"), "f32[batch,197,768]");
  EXPECT_EQ(shapes("Concat(f32[a,past,8], f32[a,seq,8]) axis=-2"), "f32[a,past + seq,8]");
  EXPECT_EQ(shapes("Transpose(f32[batch,seq,12,64]) perm=[0,2,1,3]"), "f32[batch,12,seq,64]");
  EXPECT_EQ(shapes("Split(f32[batch,seq,2304])#3 axis=2"),
            "f32[batch,seq,768], f32[batch,seq,768], f32[batch,seq,768]");
  EXPECT_EQ(shapes("Slice(f32[batch,seq], i64[1]={0}, i64[1]={seq}, i64[1]={1})"),
            "f32[batch,seq]");
  EXPECT_EQ(shapes("Slice(f32[batch,seq], i64[1]={0}, i64[1]={2147483647}, i64[1]={1})"),
            "f32[batch,seq]");
  EXPECT_EQ(shapes("Slice(f32[1,1024], i64[1]={0}, i64[1]={seq}, i64[1]={1})"),
            "f32[1,min(seq, 1024)]");
  EXPECT_EQ(shapes("Slice(f32[1,seq], i64[1], i64[1], i64[1]={1})"), "f32[1,?]");
  EXPECT_EQ(shapes("Slice(f32[1,seq], i64[1], i64[1], i64[1])"), "f32[?,?]");
  EXPECT_EQ(shapes("Pad(f32[batch,3], i64[4]={0,1,0,2})"), "f32[batch,6]");
  EXPECT_EQ(shapes("Expand(f32[1,1], i64[2]={batch,seq})"), "f32[batch,seq]");
  EXPECT_EQ(shapes("ConstantOfShape(i64[2]={batch,?})"), "f32[batch,?]");
  EXPECT_EQ(shapes("NonZero(bool[3,4])"), "i64[2,?]");
}

TEST(Moves, SayWhatDoesNotFit) {
  EXPECT_EQ(shapes("Concat(f32[2,3], f32[3,4]) axis=0"),
            "error: Concat: input 1 has shape [3,4], the earlier ones have 3 on axis 1 "
            "[RIDGE-OPS-0105]");
  EXPECT_EQ(
      shapes("Concat(f32[2,3], f32[3]) axis=0"),
      "error: Concat: input 1 has shape [3], but an earlier input has rank 2 [RIDGE-OPS-0104]");
  EXPECT_EQ(shapes("Split(f32[7])#2"),
            "error: Split: an axis of 7 does not divide into 2 equal parts [RIDGE-OPS-0110]");
  EXPECT_EQ(shapes("Split(f32[7], i64[2]={3,3})#2"),
            "error: Split: the parts add up to 6, the axis has 7 [RIDGE-OPS-0110]");
  EXPECT_EQ(shapes("Transpose(f32[2,3]) perm=[0,0]"),
            "error: Transpose: axis 0 is repeated [RIDGE-OPS-0107]");
  EXPECT_EQ(shapes("Gather(f32[3], i64[1]={3})"),
            "error: Gather: index 3 is outside [-3, 3) [RIDGE-OPS-0111]");
  EXPECT_EQ(shapes("Expand(f32[3], i64[1]={4})"),
            "error: Expand: shapes [3] and [4] do not broadcast: 3 against 4 at axis 0 of the "
            "result [RIDGE-OPS-0106]");
  EXPECT_EQ(shapes("Tile(f32[3], i64[2]={2,2})"),
            "error: Tile: 2 repeats for the input [3] of rank 1 [RIDGE-OPS-0111]");
  EXPECT_EQ(shapes("Pad(f32[3], i64[2]={-2,-2})"),
            "error: Pad: padding axis 0 of [3] leaves -1 elements [RIDGE-OPS-0111]");
}

}  // namespace
}  // namespace ridge::ops
