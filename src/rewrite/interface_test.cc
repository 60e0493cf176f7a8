// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "rewrite/rule.h"
#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

const Rule& interface_rule(std::string_view name) {
  return *std::ranges::find(interface_rules(), name, &Rule::name);
}
std::vector<std::string> names(std::span<const onnx::ValueInfo> infos) {
  std::vector<std::string> out;
  for (const onnx::ValueInfo& info : infos) out.emplace_back(info.name);
  return out;
}
using Names = std::vector<std::string>;
using Nodes = std::vector<graph::NodeId>;

constexpr char kConvs[] = R"(graph main
    input x[1,3,8,8] %s
    constant w[4,3,1,1] v[4,4,1,1]
    Conv(x, w) -> a
    Relu(a) -> b
    Conv(b, v) -> c
    Add(c, b) -> d
    Relu(d) -> y
    output %s)";

analysis::Resolved convs(const std::string& inputs, const std::string& outputs) {
  std::string text = kConvs;
  text.replace(text.find("%s"), 2, inputs);
  text.replace(text.find("%s"), 2, outputs);
  return resolved(text);
}

TEST(Interface, WeightsAmongTheInputsBecomeConstants) {
  const analysis::Resolved model = convs("w[4,3,1,1] v[4,4,1,1]", "y");
  const std::vector<Site> sites = interface_rule("constant_inputs").find(model);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[0].nodes, Nodes{0});
  EXPECT_EQ(sites[1].nodes, Nodes{2});
  const Rewritten after = apply(interface_rule("constant_inputs"), model, sites);
  EXPECT_EQ(names(after.document->model.graph.inputs), Names{"x"});
  EXPECT_EQ(after.document->model.graph.initializers.size(), 2U);
  EXPECT_EQ(after.stands_for.size(), 5U);
  EXPECT_TRUE(interface_rule("constant_inputs").find(resolved(after.document)).empty());
  EXPECT_TRUE(interface_rule("constant_inputs").find(convs("", "y")).empty());
}

TEST(Interface, OutputsThatPreventFusionAreDropped) {
  // a: a convolution's; c: another; b: an activation's, which completes a kernel anyway.
  const analysis::Resolved model = convs("", "y a b c");
  const std::vector<Site> sites = interface_rule("kept_outputs").find(model);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[0].nodes, Nodes{0});
  EXPECT_EQ(sites[1].nodes, Nodes{2});
  const Rewritten after = apply(interface_rule("kept_outputs"), model, sites);
  EXPECT_EQ(names(after.document->model.graph.outputs), (Names{"y", "b"}));
  EXPECT_TRUE(interface_rule("kept_outputs").find(convs("", "y")).empty());
}

TEST(Interface, StateThatADecoderReturnsIsNotDropped) {
  // A key/value cache: the output is read again, but nothing would be fused without it.
  const analysis::Resolved model = resolved(R"(graph main
    input past[1,4,8] new[1,1,8] q[1,1,8]
    Concat(past, new) {axis=1} -> present
    Transpose(present) {perm=[0,2,1]} -> k
    MatMul(q, k) -> y
    output y present)");
  EXPECT_TRUE(interface_rule("kept_outputs").find(model).empty());
}

}  // namespace
}  // namespace ridge::rewrite
