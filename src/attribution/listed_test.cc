// SPDX-License-Identifier: Apache-2.0
// Attribution from a list of layers. The lists imitate OpenVINO's, with the names that it keeps
// according to docs/attribution.md.
#include "attribution/listed.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"
#include "attribution/attributor.h"
#include "attribution/conservation.h"

namespace ridge::attribution {
namespace {

using profile::Evidence;
using profile::Role;

struct ListedCase {
  analysis::Resolved resolved;
  Canonical copy;
  Attribution attribution;
};

ListedCase attributed(std::string_view text, const std::vector<ListedLayer>& layers,
                      const std::vector<ListedTensor>& tensors = {}) {
  analysis::Resolved resolved = analysis::testing::resolved(text);
  Result<Canonical> copy = canonicalise(resolved);
  if (!copy.ok()) throw std::runtime_error(copy.error().text());
  const std::vector<std::string> inputs = {"x"};
  Result<OptimizedGraph> graph = make_listed(layers, tensors, inputs);
  if (!graph.ok()) throw std::runtime_error(graph.error().text());
  Result<Attribution> a = attribute(resolved, *copy, *graph);
  if (!a.ok()) throw std::runtime_error(a.error().text());
  return {std::move(resolved), std::move(*copy), std::move(*a)};
}

std::string shown_listing(const ListedCase& c) {
  std::string out;
  for (const Layer& layer : c.attribution.layers) {
    out += (out.empty() ? "" : " ") + layer.type + "{";
    for (const profile::Member& m : layer.members)
      out += (out.back() == '{' ? "" : " ") +
             std::string(m.role == Role::kAbsorbed ? "absorbed:" : "") +
             std::string(c.resolved.model().node(m.node).name);
    out += "}";
  }
  return out;
}

constexpr std::string_view kBlock = R"(graph main
  input x[1,4,8]
  constant w[8,8]
  constant v[8,8]
  first: MatMul(x, w) -> a
  add: Add(a, a) -> b
  relu: Relu(b) -> c
  second: MatMul(c, v) -> y
  output y)";

TEST(Listed, BoundarySliceFindsWhatTheRuntimeDoesNotName) {
  // For MatMul + Add only the name of the Add is listed; the Relu is fused as well.
  const ListedCase c = attributed(
      kBlock,
      {{"k0", "FullyConnected", {{"r1.0", "r2.0"}, "float32", "plain"}, {"x", "0:0"}, {"3:0"}},
       {"k1", "FullyConnected", {{"y"}, "float32", "plain"}, {"3:0", "1:0"}, {"5:0"}}});
  EXPECT_EQ(shown_listing(c), "FullyConnected{first add relu} FullyConnected{second}");
  const std::vector<profile::Member>& members = c.attribution.layers[0].members;
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members[0].evidence, Evidence::kSameTensor);   // found by the walk
  EXPECT_EQ(members[1].evidence, Evidence::kRuntimeList);  // listed
  EXPECT_EQ(members[2].evidence, Evidence::kRuntimeList);
  EXPECT_TRUE(c.attribution.unplaced.empty());
}

// OpenVINO's front end drops such nodes, so its list has no layer at all.
TEST(Listed, ADroppedNodeHasAReasonWhereItIsTheOnlyOne) {
  for (const std::string_view node :
       {"input x[]\n  n: Einsum(x) {equation='...'} -> y",
        "input x[2,3]\n  n: Einsum(x) {equation='ij'} -> y",
        "input x[2,3]\n  n: Einsum(x) {equation='...'} -> y", "input x[2,3]\n  n: Sum(x) -> y",
        "input x[2,3]\n  n: Max(x) -> y", "input x[2,3]\n  n: Min(x) -> y",
        "input x[2,3]\n  n: Mean(x) -> y"}) {
    const ListedCase c = attributed("graph main\n  " + std::string(node) + "\n  output y", {});
    EXPECT_TRUE(c.attribution.unplaced.empty()) << node;
    ASSERT_EQ(c.attribution.without_layer.size(), 1U) << node;
    EXPECT_EQ(c.attribution.without_layer[0].why, profile::Why::kEliminated) << node;
  }
}

TEST(Listed, PartsOfOneNodeAreOneLayer) {
  const ListedCase c =
      attributed(R"(graph main
  input x[1,4,8]
  constant s[8]
  norm: LayerNormalization(x, s) -> a
  relu: Relu(a) -> y
  output y)",
                 {{"k0", "MVN", {{"~r0.0"}, "float32", "plain"}, {"x"}, {"1:0"}},
                  {"k1", "Subgraph", {{"r0.0"}, "float32", "plain"}, {"1:0"}, {"2:0"}},
                  {"k2", "Eltwise", {{"y"}, "float32", "plain"}, {"2:0"}, {"3:0"}}});
  ASSERT_EQ(c.attribution.layers.size(), 2U) << shown_listing(c);
  EXPECT_EQ(c.attribution.layers[0].kernels.size(), 2U);
  EXPECT_EQ(c.attribution.layers[0].members.size(), 1U);
  EXPECT_EQ(c.attribution.layers[1].members.size(), 1U);
}

TEST(Listed, AReorderIsTheRuntimesOwn) {
  const ListedCase c = attributed(
      kBlock, {{"k0", "Reorder", {{}, "float32", "channels_last"}, {"x"}, {"2:0"}},
               {"k1", "FullyConnected", {{"r2.0"}, "float32", "plain"}, {"2:0", "0:0"}, {"3:0"}},
               {"k2", "FullyConnected", {{"y"}, "float32", "plain"}, {"3:0", "1:0"}, {"5:0"}}});
  EXPECT_EQ(shown_listing(c), "Reorder{} FullyConnected{first add relu} FullyConnected{second}");
  EXPECT_TRUE(c.attribution.layers[0].inserted);
  EXPECT_EQ(c.attribution.layers[0].layout, "channels_last");
}

TEST(Listed, ANameWhoseTensorHasAnotherSizeIsNoBoundary) {
  // The first layer is listed as producing `relu`, but its output has half the size.
  const ListedCase c =
      attributed(kBlock,
                 {{"k0", "FullyConnected", {{"r2.0"}, "float32", "plain"}, {"x", "0:0"}, {"3:0"}},
                  {"k1", "FullyConnected", {{"y"}, "float32", "plain"}, {"3:0", "1:0"}, {"5:0"}}},
                 {{"3:0", onnx::DataType::kFloat, {1, 4, 4}}});
  ASSERT_EQ(c.attribution.layers.size(), 2U) << shown_listing(c);
  for (const Layer& layer : c.attribution.layers) EXPECT_FALSE(layer.members.empty());
  for (const profile::Member& m : c.attribution.layers[0].members)
    EXPECT_NE(m.evidence, Evidence::kSameTensor);
}

/// OpenVINO executes an ArgMax as a TopK, whose first output, the greatest values, nothing reads,
/// and converts the positions.
constexpr std::string_view kArgMax = R"(graph main
  input x[4,8]
  relu: Relu(x) -> a
  top: ArgMax(a) {axis=1} -> y
  output y:int64[4,1])";

const std::vector<ListedTensor> kTopKTensors = {{"1:0", onnx::DataType::kFloat, {4, 8}},
                                                {"3:0", onnx::DataType::kFloat, {4, 1}},
                                                {"3:1", onnx::DataType::kInt32, {4, 1}},
                                                {"4:0", onnx::DataType::kInt64, {4, 1}}};

TEST(Listed, ALayerWithMoreOutputsThanTheNodeIsTheNodes) {
  const ListedCase c =
      attributed(kArgMax,
                 {{"k0", "Subgraph", {{"r0.0"}, "float32", "plain"}, {"x"}, {"1:0"}},
                  {"y", "TopK", {{"y"}, "float32", "plain"}, {"1:0"}, {"3:0", "3:1"}},
                  {"k2", "Convert", {{}, "int32", "plain"}, {"3:1"}, {"4:0"}}},
                 kTopKTensors);
  ASSERT_EQ(shown_listing(c), "Subgraph{relu} TopK{top} Convert{}");
  EXPECT_TRUE(c.attribution.layers[2].inserted);
  EXPECT_EQ(c.attribution.layers[1].members[0].evidence, Evidence::kRuntimeList);
  // The output that is read is the node's, the other is none of the model's.
  EXPECT_EQ(std::ranges::count(c.attribution.tensor, c.resolved.model().main().outputs[0]), 1);
}

TEST(Listed, ALayerOfTheOnlyNodeIsNotTheRuntimesOwn) {
  const ListedCase c =
      attributed(R"(graph main
  input x[4,8]
  top: ArgMax(x) {axis=1} -> y
  output y:int64[4,1])",
                 {{"y", "TopK", {{"y"}, "float32", "plain"}, {"x"}, {"3:0", "3:1"}},
                  {"k1", "Convert", {{}, "int32", "plain"}, {"3:1"}, {"4:0"}}},
                 kTopKTensors);
  ASSERT_EQ(shown_listing(c), "TopK{top} Convert{}");
  EXPECT_TRUE(c.attribution.unplaced.empty());
}

TEST(Listed, OutputsOfANodeKeepTheirPlacesWhereOneIsNotUsed) {
  const ListedCase c =
      attributed(R"(graph main
  input x[4,8]
  integers k[1]=1
  top: TopK(x, k) {axis=1} -> _, y
  output y:int64[4,1])",
                 {{"y", "TopK", {{"y"}, "float32", "plain"}, {"x"}, {"3:0", "3:1"}},
                  {"k1", "Convert", {{}, "int32", "plain"}, {"3:1"}, {"4:0"}}},
                 kTopKTensors);
  ASSERT_EQ(shown_listing(c), "TopK{top} Convert{}");
  EXPECT_EQ(c.attribution.layers[0].members[0].evidence, Evidence::kRuntimeList);
}

TEST(Listed, ANodeThatIsListedHasAPlaceWithoutAnyBoundary) {
  // Nobody reads what the TopK makes, so which of its outputs is the node's is open; the layer that
  // makes the tensor goes before the one that makes part of it.
  const ListedCase c =
      attributed(kArgMax,
                 {{"k0", "Subgraph", {{"r0.0"}, "float32", "plain"}, {"x"}, {"1:0"}},
                  {"k1", "Reduce", {{"~y"}, "float32", "plain"}, {"1:0"}, {"2:0"}},
                  {"y", "TopK", {{"y"}, "float32", "plain"}, {"2:0"}, {"3:0", "3:1"}}},
                 kTopKTensors);
  ASSERT_EQ(shown_listing(c), "Subgraph{relu} ArgMax{top}");
  const Layer& last = c.attribution.layers.back();
  ASSERT_EQ(last.kernels.size(), 2U);
  EXPECT_EQ(c.attribution.kernels[last.kernels[0]].op_type, "TopK");
  EXPECT_EQ(last.members[0].evidence, Evidence::kRuntimeList);
}

TEST(Listed, LayersThatNeverTookTimeAndOnlyMoveDataAreGone) {
  ListedCase c = attributed(R"(graph main
  input x[1,4,8]
  integers shape[2]=4,8
  view: Reshape(x, shape) -> a
  relu: Relu(a) -> y
  output y)",
                            {{"k0", "Reshape", {{"r0.0"}, "float32", "plain"}, {"x"}, {"1:0"}},
                             {"k1", "Eltwise", {{"y"}, "float32", "plain"}, {"1:0"}, {"2:0"}}});
  drop_views(c.attribution, c.resolved, {false, false});
  EXPECT_EQ(shown_listing(c), "Eltwise{relu}");  // arithmetic is kept, however short
  ASSERT_EQ(c.attribution.without_layer.size(), 1U);
  EXPECT_EQ(c.attribution.without_layer[0].why, profile::Why::kEliminated);
}

}  // namespace
}  // namespace ridge::attribution
