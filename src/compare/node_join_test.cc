// SPDX-License-Identifier: Apache-2.0
#include "compare/node_join.h"

#include <gtest/gtest.h>

#include "compare/testing.h"

namespace ridge::compare {
namespace {

using testing::run_of;

Run only_nodes(std::string label, const std::vector<std::string>& nodes) {
  Run run = run_of(std::move(label), nodes, {});
  run.profile.subject.path = run.label + ".onnx";
  return run;
}

using Common = std::vector<std::uint32_t>;

TEST(NodeJoin, TakesTheSameTableByIndex) {
  const std::vector<compare::Run> runs = {only_nodes("x", {"a:Conv", ":Relu"}),
                                          only_nodes("y", {"a:Conv", ":Relu"})};
  const auto join = join_nodes(runs);
  ASSERT_TRUE(join.ok());
  EXPECT_EQ(join->common[1], (Common{0, 1}));
  EXPECT_EQ(join->rates[1].by, JoinedBy::kIndex);
}

TEST(NodeJoin, FindsNamesWhereANodeCameBetween) {
  const std::vector<compare::Run> runs = {
      only_nodes("x", {"a:Conv", "b:Relu", "c:Gemm"}),
      only_nodes("y", {"a:Conv", "new:Pad", "b:Relu", "c:Gemm"})};
  const auto join = join_nodes(runs);
  ASSERT_TRUE(join.ok());
  EXPECT_EQ(join->common[1], (Common{0, 3, 1, 2}));  // the new node has its own number
  EXPECT_EQ(join->rates[1].by, JoinedBy::kName);
  EXPECT_EQ(join->rates[1].matched, 3u);
  EXPECT_EQ(join->rates[1].nodes, 4u);
  EXPECT_EQ(join->nodes.size(), 4u);
}

/// Consecutively numbered names are misleading once a node is added.
TEST(NodeJoin, TakesStructureWhereNumberedNamesShift) {
  std::vector<compare::Run> runs = {
      only_nodes("x", {"Conv_0:Conv", "Conv_1:Conv", "Conv_2:Conv"}),
      only_nodes("y", {"Conv_0:Conv", "Conv_1:Conv", "Conv_2:Conv", "Conv_3:Conv"})};
  for (std::uint32_t i = 0; i < 3; ++i) runs[0].profile.nodes[i].params = 10 * i;
  runs[1].profile.nodes[0].params = 77;
  for (std::uint32_t i = 0; i < 3; ++i) runs[1].profile.nodes[i + 1].params = 10 * i;
  const auto join = join_nodes(runs);
  ASSERT_TRUE(join.ok());
  EXPECT_EQ(join->rates[1].by, JoinedBy::kStructure);
  EXPECT_EQ(join->common[1], (Common{3, 0, 1, 2}));
}

/// As MatMulNBitsQuantizer of ONNX Runtime names its nodes; the weights are packed.
TEST(NodeJoin, AProductInAnotherTypeIsTheSameProduct) {
  std::vector<compare::Run> runs = {
      only_nodes("float", {"q:MatMul", "n:Softmax", "up:MatMul", "c:Conv"}),
      only_nodes("int4",
                 {"q_Q4:MatMulNBits", "n:Softmax", "up_Q4:MatMulNBits", "c_quant:QLinearConv"})};
  for (std::size_t r = 0; r < 2; ++r)
    for (const std::uint32_t i : {0U, 2U, 3U}) {
      runs[r].profile.nodes[i].params = r == 0 ? 4096 : 640;
      runs[r].profile.nodes[i].work.macs = 4096 * (i + 1);
      if (r == 1 && i < 3) runs[r].profile.nodes[i].domain = "com.microsoft";
    }
  const auto join = join_nodes(runs);
  ASSERT_TRUE(join.ok());
  EXPECT_EQ(join->common[1], (Common{0, 1, 2, 3}));
  EXPECT_EQ(join->rates[1].matched, 4U);
}

/// Names of another export say nothing; the places do.
TEST(NodeJoin, ProductsInAnotherTypeAreJoinedByTheirPlace) {
  std::vector<compare::Run> runs = {
      only_nodes("float", {"a:MatMul", "b:MatMul", "c:MatMul"}),
      only_nodes("int4", {"x:MatMulNBits", "y:Cast", "z:MatMulNBits", "w:MatMulNBits"})};
  const std::vector<std::vector<std::int64_t>> macs = {{100, 100, 300}, {100, 0, 100, 300}};
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t i = 0; i < macs[r].size(); ++i) {
      runs[r].profile.nodes[i].work.macs = macs[r][i];
      runs[r].profile.nodes[i].params = r == 0 ? 8 : 3;
    }
  const auto join = join_nodes(runs);
  ASSERT_TRUE(join.ok());
  EXPECT_EQ(join->common[1], (Common{0, 3, 1, 2}));
}

TEST(NodeJoin, RefusesModelsThatShareNoWork) {
  const std::vector<compare::Run> runs = {only_nodes("x", {"a:Conv", "b:Relu"}),
                                          only_nodes("y", {"q:Gemm", "b:Relu"})};
  const auto join = join_nodes(runs);
  ASSERT_FALSE(join.ok());
  EXPECT_EQ(join.error().text(),
            "error: 'x' and 'y' have no node with work in common\n"
            "  models x.onnx and y.onnx\n"
            "  hint: compare runs of one model, or of versions of it\n"
            "  [RIDGE-CMP-0005]\n");
}

TEST(NodeJoin, RefusesARunWithoutNodes) {
  const std::vector<compare::Run> runs = {only_nodes("x", {}), only_nodes("y", {"a:Conv"})};
  EXPECT_EQ(join_nodes(runs).error().summary(), "run 'x' has no nodes to compare");
}

}  // namespace
}  // namespace ridge::compare
