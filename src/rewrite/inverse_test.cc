// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "rewrite/rule.h"
#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

const Rule& inverse_rule(std::string_view name) {
  return *std::ranges::find(inverse_rules(), name, &Rule::name);
}

std::string without(std::string_view name, std::string_view text) {
  const analysis::Resolved model = resolved(text);
  return text_of(apply(inverse_rule(name), model, inverse_rule(name).find(model)));
}

TEST(Inverse, TransposesThatRestoreTheOrderOfAxes) {
  // The second pair reads what the first leaves; a third reader keeps the first node of the second.
  EXPECT_EQ(without("transposes", R"(graph main
    input x[1,2,3,4]
    Relu(x) -> a
    Transpose(a) {perm=[0,2,3,1]} -> b
    Transpose(b) {perm=[0,3,1,2]} -> c
    Transpose(c) {perm=[0,2,3,1]} -> d
    Transpose(d) {perm=[0,3,1,2]} -> e
    Sin(d) -> f
    Neg(e) -> y
    output y f)"),
            "Relu(x) -> a\n"
            "Transpose(a) -> d\n"
            "Sin(d) -> f\n"
            "Neg(a) -> y\n");
}

TEST(Inverse, TransposesThatDoNotUndoEachOtherStay) {
  const analysis::Resolved model = resolved(R"(graph main
    input x[1,2,3,4]
    Transpose(x) {perm=[0,2,3,1]} -> b
    Transpose(b) {perm=[0,2,3,1]} -> c
    Neg(c) -> y
    output y)");
  EXPECT_TRUE(inverse_rule("transposes").find(model).empty());
}

TEST(Inverse, CastsToAWiderTypeAndBack) {
  // float32 (1) to float64 (11) and back; float32 to float16 (10) and back loses digits.
  EXPECT_EQ(without("casts", R"(graph main
    input x[2,3]
    Cast(x) {to=11} -> a
    Cast(a) {to=1} -> b
    Cast(b) {to=10} -> c
    Cast(c) {to=1} -> d
    Neg(d) -> y
    output y)"),
            "Cast(x) -> c\n"
            "Cast(c) -> d\n"
            "Neg(d) -> y\n");
}

TEST(Inverse, ViewsThatRestoreTheShape) {
  EXPECT_EQ(without("views", R"(graph main
    input x[2,3]
    integers flat[1]=6 shape[2]=2,3 other[2]=3,2
    Relu(x) -> r
    Reshape(r, flat) -> a
    Reshape(a, shape) -> b
    Neg(b) -> y
    Reshape(r, other) -> z
    output y z)"),
            "Relu(x) -> r\n"
            "Neg(r) -> y\n"
            "Reshape(r, other) -> z\n");
}

TEST(Inverse, ChainsOfViewsThatRestoreTheShape) {
  // Three in a row, for any batch, with a reader of the second; then a chain that nothing restores.
  EXPECT_EQ(without("views", R"(graph main
    input x[batch,4,3]
    integers flat[2]=0,12 shape[3]=0,4,3 other[3]=0,3,4 axes[1]=1
    Relu(x) -> r
    Reshape(r, flat) -> a
    Unsqueeze(a, axes) -> b
    Reshape(b, shape) -> c
    Neg(c) -> y
    Sin(b) -> z
    Reshape(y, flat) -> d
    Reshape(d, other) -> e
    Cos(e) -> w
    output y z w)"),
            "Relu(x) -> r\n"
            "Reshape(r, flat) -> a\n"
            "Unsqueeze(a, axes) -> b\n"
            "Neg(r) -> y\n"
            "Sin(b) -> z\n"
            "Reshape(y, flat) -> d\n"
            "Reshape(d, other) -> e\n"
            "Cos(e) -> w\n");
}

TEST(Inverse, WhatAnOutputOrABodyReadsStays) {
  const analysis::Resolved model = resolved(R"(graph main
    input x[1,2,3,4] c:bool[]
    Transpose(x) {perm=[0,2,3,1]} -> a
    Transpose(a) {perm=[0,3,1,2]} -> b
    Transpose(x) {perm=[0,2,3,1]} -> d
    Transpose(d) {perm=[0,3,1,2]} -> e
    If(c) {then_branch=graph:yes else_branch=graph:no} -> z
    output b z
    graph yes
    Neg(e) -> y
    output y
    graph no
    Abs(e) -> y
    output y)");
  EXPECT_TRUE(inverse_rule("transposes").find(model).empty());
}

}  // namespace
}  // namespace ridge::rewrite
