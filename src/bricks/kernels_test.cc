// SPDX-License-Identifier: Apache-2.0
#include "bricks/kernels.h"

#include <gtest/gtest.h>

#include "bricks/brick_model.h"
#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using testing::crafted;

std::vector<KernelKind> kinds(const std::vector<std::string>& texts) {
  std::vector<KernelKind> out;
  for (const std::string& text : texts) out.push_back({.op_type = "Any", .text = text});
  return out;
}
std::string difference_of_kernels(const std::vector<std::string>& inside,
                                  const std::vector<std::string>& alone) {
  return kernel_difference(kinds(inside), kinds(alone));
}

TEST(Kernels, AreTheSameInAnyOrder) {
  EXPECT_EQ(difference_of_kernels({}, {}), "");
  EXPECT_EQ(difference_of_kernels({"a", "b", "a"}, {"a", "a", "b"}), "");
}

TEST(Kernels, DifferIfSomeAreMissingOrAdded) {
  EXPECT_EQ(difference_of_kernels({"a", "b"}, {"a"}), "alone it lacks b");
  EXPECT_EQ(difference_of_kernels({"a"}, {"b", "a", "c"}), "alone it runs b; c in addition");
  EXPECT_EQ(difference_of_kernels({"a", "d"}, {"b", "a"}),
            "alone it lacks d, it runs b in addition");
  // The number of executions of each counts.
  EXPECT_EQ(difference_of_kernels({"a", "a"}, {"a"}), "alone it lacks a");
  EXPECT_EQ(difference_of_kernels({"a"}, {"a", "a"}), "alone it runs a in addition");
  EXPECT_EQ(difference_of_kernels({}, {"a"}), "alone it runs a in addition");
}

TEST(Kernels, AreTheSameByTextAlone) {
  EXPECT_EQ(kernel_difference({{.op_type = "Conv", .text = "Conv of 2 inputs, Relu"}},
                              {{.op_type = "Conv", .text = "Conv of 2 inputs"}}),
            "alone it lacks Conv of 2 inputs, Relu, it runs Conv of 2 inputs in addition");
}

/// Texts of the kernels of all layers, or of the core of a brick.
std::string shown(const std::vector<KernelKind>& kernels) {
  std::string out;
  for (const KernelKind& k : kernels) out += (out.empty() ? "" : "; ") + k.text;
  return out;
}
std::string inside(std::string_view text) {
  const Network n = crafted(text);
  const Cutter cutter(n);
  return shown(kernels_inside(n, cutter.piece(0, static_cast<std::uint32_t>(n.layers.size()))));
}

TEST(Kernels, AreDescribedByActivationDomainAndNumberOfInputs) {
  const auto conv = [](std::string_view line) {
    return inside(fmt::format(
        "graph main\n input x[1,4,8,8]\n constant w[4,4,1,1] b[4]\n {} -> y\n output y", line));
  };
  EXPECT_EQ(conv("Conv(x, w)"), "Conv of 2 inputs");
  EXPECT_EQ(conv("Conv(x, w, b)"), "Conv of 3 inputs");
  EXPECT_EQ(conv("Relu(x)"), "Relu of 1 input");
  EXPECT_EQ(conv("com.acme.Conv(x, w, _, b) {activation='Relu'}"),
            "com.acme.Conv of 3 inputs, Relu");
  EXPECT_EQ(conv("com.acme.Conv(x, w, b, b) {activation='Relu'}"),
            "com.acme.Conv of 4 inputs, Relu");
}

TEST(Kernels, OfAPieceAreThoseOfItsLayersInOrder) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    c: Neg(tb) -> y
    a: Relu(x) -> ta
    b: Tanh(ta) -> tb
    output y)");
  const Cutter cutter(n);
  EXPECT_EQ(shown(kernels_inside(n, cutter.piece(0, 2))), "Relu of 1 input; Tanh of 1 input");
  EXPECT_EQ(shown(kernels_inside(n, cutter.piece(1, 3))), "Tanh of 1 input; Neg of 1 input");
}

TEST(Kernels, OfABrickAreThoseOfItsCore) {
  constexpr std::string_view kBrick = R"(graph main
    input in0[1,16,8,8]
    constant c0[4,4,1,1] in0.weight[4,16,1,1]
    in0.conv: Conv(in0, in0.weight) -> in0.sum
    in0.relu: Relu(in0.sum) -> in0.made
    h0: Identity(in0.made) -> t0.0
    n1: Conv(t0.0, c0) -> t1.0
    n2: Sigmoid(t1.0) -> t2.0
    out0.conv: Conv(t2.0, c0) -> out0
    output out0)";
  EXPECT_EQ(shown(kernels_alone(crafted(kBrick))), "Conv of 2 inputs; Sigmoid of 1 input");
  // A donor that is fused with the core shows as its kernel.
  EXPECT_EQ(shown(kernels_alone(crafted(kBrick, {.layers = {{"n2", "out0.conv"}}}))),
            "Conv of 2 inputs; Sigmoid of 1 input; Conv of 2 inputs");
}

TEST(Kernels, CoreNamesAreThoseOfUnits) {
  for (const char* name : {"n0", "n12"}) EXPECT_TRUE(is_core_name(name)) << name;
  for (const char* name : {"", "n", "h0", "in0.conv", "n0.fill", "n-1", "out0.conv", "c0.fill"})
    EXPECT_FALSE(is_core_name(name)) << name;
}

}  // namespace
}  // namespace ridge::bricks
