// SPDX-License-Identifier: Apache-2.0
// Attribution on handwritten dumps, for cases that a session on this machine does not produce.
#include <gtest/gtest.h>

#include "attribution/attributor.h"
#include "attribution/boundary.h"
#include "attribution/testing.h"

namespace ridge::attribution {
namespace {

using testing::must;

struct DumpCase {
  DumpCase(std::string_view original, std::string_view optimized)
      : run(analysis::testing::resolved(original)) {
    run.copy = must(canonicalise(run.resolved));
    run.graph = must(make_optimized(graph::Sketch::document(optimized)));
    run.attribution = must(attribute(run.resolved, run.copy, run.graph));
    run.coverage = testing::coverage(run.resolved, run.attribution);
  }
  testing::Attributed run;
};

constexpr std::string_view kConvSumRelu = R"(graph main
  input x[1,24,8,8]
  constant w[24,24,1,1] v[24,24,1,1]
  stem: Conv(x, w) -> a
  conv: Conv(a, v) -> c
  add: Add(c, a) -> t
  relu: Relu(t) -> y
  output y)";

TEST(Dumps, OfBlockedKernelsAreReadByTheirNamesAndFourthInput) {
  const DumpCase c(kConvSumRelu, R"(graph main
    input x[1,24,8,8]
    constant k1[24,24,1,1] k2[24,24,1,1]
    ReorderInput: com.microsoft.nchwc.ReorderInput(x) -> reorder_token_0
    r0.0_nchwc: com.microsoft.nchwc.Conv(reorder_token_0, k1) -> reorder_token_1
    r1.0_nchwc_token_3: com.microsoft.nchwc.Conv(reorder_token_1, k2, _, reorder_token_1) -> reorder_token_2
    r3: Relu(reorder_token_2) -> reorder_token_4
    ReorderOutput: com.microsoft.nchwc.ReorderOutput(reorder_token_4) -> y
    output y)");
  EXPECT_EQ(c.run.layers(), "ReorderInput{} Conv{stem} Conv{conv add} Relu{relu} ReorderOutput{}");
  EXPECT_EQ(c.run.attribution.layers[3].layout, "blocked");
  EXPECT_EQ(c.run.attribution.layers[4].layout, "plain");
}

TEST(Dumps, WithRegionsAreSplitByNamesAndOperators) {
  const DumpCase c(R"(graph main
    input x[4,8]
    constant w[8,8] v[8,8]
    one: MatMul(x, w) -> a
    act: Relu(a) -> b
    two: MatMul(b, v) -> d
    last: Tanh(d) -> y
    output y)",
                   // The runtime preserves no tensor between input and output.
                   R"(graph main
    input x[4,8]
    constant w[8,8] v[8,8]
    MatMul(x, w) -> t1
    r1: Relu(t1) -> t2
    com.microsoft.FusedMatMulActivation(t2, v) -> y
    output y)");
  EXPECT_EQ(c.run.evidence("act"), "renamed");
  EXPECT_EQ(c.run.evidence("one"), "region");
  EXPECT_EQ(c.run.coverage.macs_executed, c.run.coverage.macs);
  EXPECT_EQ(c.run.layers(), "MatMul{one} Relu{act} FusedMatMulActivation{two last}");
}

TEST(Dumps, ThatHideABodyHaveItsNodesInTheOwnersLayer) {
  const DumpCase c(R"(graph main
    input x[16,32] i[1]
    constant w[32,32]
    flags c[]=1
    Cast(i) {to=9} -> ib
    integers scalar[1]=1
    Reshape(ib, scalar) -> cond
    choose: If(cond) {then_branch=graph:yes else_branch=graph:no} -> y
    output y
  graph yes
    product: MatMul(x, w) -> p
    output p
  graph no
    sum: Add(x, x) -> s
    output s)",
                   R"(graph main
    input x[16,32] i[1]
    r0: Cast(i) -> r0.0
    integers w6[1]=1
    r1: Reshape(r0.0, w6) -> r1.0
    r2: vendor.Choose(r1.0, x) -> y
    output y)");
  EXPECT_EQ(c.run.evidence("product"), "region");
  EXPECT_EQ(c.run.layers(), "Cast{} Reshape{} Choose{choose product sum}");
  EXPECT_EQ(c.run.coverage.macs_executed, 16 * 32 * 32);
  EXPECT_EQ(c.run.coverage.unplaced, 0);
}

TEST(Dumps, ThatHideTheBodyOfALoopHaveTheWorkOfAllTripsInItsLayer) {
  const DumpCase c(R"(graph main
    input x[16,32]
    constant w[32,32]
    integers trips[]=3
    loop: Loop(trips, _, x) {body=graph:body} -> z
    last: Tanh(z) -> y
    output y
  graph body
    input i[] go[] s[16,32]
    keep: Identity(go) -> more
    product: MatMul(s, w) -> p
    act: Relu(p) -> next
    output more next)",
                   R"(graph main
    input x[16,32]
    r0: vendor.Repeat(x) -> r0.0
    r1: Tanh(r0.0) -> y
    output y)");
  EXPECT_EQ(c.run.layers(), "Repeat{loop product act} Tanh{last}");
  EXPECT_EQ(c.run.evidence("product"), "region");
  EXPECT_EQ(c.run.evidence("act"), "region");
  EXPECT_EQ(c.run.without(), "keep eliminated");
  EXPECT_EQ(c.run.coverage.macs_executed, 3 * 16 * 32 * 32);
}

TEST(Dumps, ThatLackAKernelLeaveItsNodesUnplaced) {
  const DumpCase c(R"(graph main
    input x[4,8]
    constant w[8,8]
    product: MatMul(x, w) -> a
    other: Relu(a) -> z
    last: Tanh(x) -> y
    output y z)",
                   R"(graph main
    input x[4,8]
    r2: Tanh(x) -> y
    output y)");
  EXPECT_EQ(c.run.coverage.unplaced, 2) << "nothing that runs is next to them";
  EXPECT_EQ(c.run.attribution.unplaced, (std::vector<std::uint32_t>{0, 1}));
}

TEST(Dumps, BytesAreThoseThatCrossTheBoundaryOfALayer) {
  const DumpCase c(kConvSumRelu, R"(graph main
    input x[1,24,8,8]
    constant k1[32,24,1,1] k2[32,24,1,1]
    ReorderInput: com.microsoft.nchwc.ReorderInput(x) -> reorder_token_0
    r0.0_nchwc: com.microsoft.nchwc.Conv(reorder_token_0, k1) -> reorder_token_1
    r1.0_nchwc: com.microsoft.nchwc.Conv(reorder_token_1, k2, _, reorder_token_1) -> reorder_token_2
    r3: Relu(reorder_token_2) -> reorder_token_4
    ReorderOutput: com.microsoft.nchwc.ReorderOutput(reorder_token_4) -> y
    output y)");
  const std::vector<LayerTraffic> t =
      boundary_traffic(c.run.resolved, c.run.graph, c.run.attribution);
  constexpr std::int64_t kImage = 24 * 8 * 8 * 4, kWeight = 24 * 24 * 4;
  EXPECT_EQ(t[0].read, kImage);            // a reorder
  EXPECT_EQ(t[1].read, kImage + kWeight);  // one whole node, without the runtime's padding
  EXPECT_EQ(t[2].read, kImage + kWeight);  // the sum reads the same tensor as the convolution
  EXPECT_EQ(t[2].written, kImage);
  EXPECT_EQ(t[3].bytes(), 2 * kImage);
}

/// As ONNX Runtime holds float16 weights in float32, here float32 in float64: x [4, 8] and y [4, 16]
/// are float32, w [8, 16] has 1024 bytes in the runtime.
TEST(Dumps, WeightsCountInTheWiderTypeThatTheRuntimeHolds) {
  const char* optimized = R"(graph main
    input x[4,8]
    constant InsertedCast_w[8,16]
    r0: MatMul(x, InsertedCast_w) -> y
    output y)";
  testing::Attributed run(analysis::testing::resolved(
      "graph main\n input x[4,8]\n constant w[8,16]\n one: MatMul(x, w) -> y\n output y"));
  const auto dump = graph::Sketch::document(optimized);
  const_cast<onnx::Tensor&>(dump->model.graph.initializers[0]).type = onnx::DataType::kDouble;
  run.copy = must(canonicalise(run.resolved));
  run.graph = must(make_optimized(dump));
  run.attribution = must(attribute(run.resolved, run.copy, run.graph));
  const std::vector<LayerTraffic> t = boundary_traffic(run.resolved, run.graph, run.attribution);
  EXPECT_EQ(t[0].read, 4 * 8 * 4 + 8 * 16 * 8);
  EXPECT_EQ(t[0].least.bytes, 4 * 8 * 4 + 8 * 16 * 8 + 4 * 16 * 4);
  EXPECT_EQ(t[0].least.streamed, 4 * 8 * 4 + 8 * 16 * 8);  // the input and the weights
}

/// Both products read w, of 4096 bytes: it counts for the first.
TEST(Dumps, AWeightThatTwoLayersReadStreamsOnce) {
  const DumpCase c(R"(graph main
    input x[4,32]
    constant w[32,32]
    one: MatMul(x, w) -> a
    two: MatMul(a, w) -> y
    output y)",
                   R"(graph main
    input x[4,32]
    constant w[32,32]
    r0: MatMul(x, w) -> r0.0
    r1: MatMul(r0.0, w) -> y
    output y)");
  const std::vector<LayerTraffic> t =
      boundary_traffic(c.run.resolved, c.run.graph, c.run.attribution);
  EXPECT_EQ(t[0].least.streamed, 4 * 32 * 4 + 32 * 32 * 4);
  EXPECT_EQ(t[1].least.streamed, 0);
}

TEST(Conservation, RefusesANodeInTwoLayers) {
  DumpCase c(
      kConvSumRelu,
      "graph main\n input x[1,24,8,8]\n constant w[24,24,1,1] v[24,24,1,1]\n r0: Conv(x, w) -> "
      "r0.0\n r1: Conv(r0.0, v) -> r1.0\n r2: Add(r1.0, r0.0) -> r2.0\n r3: Relu(r2.0) -> y\n "
      "output y");
  EXPECT_EQ(c.run.coverage.by_evidence[static_cast<int>(profile::Evidence::kSameTensor)], 4);
  Attribution twice = c.run.attribution;
  twice.layers[1].members.push_back(twice.layers[0].members[0]);
  EXPECT_FALSE(check_conservation(c.run.resolved, twice).ok());
  Attribution both = c.run.attribution;
  both.without_layer.push_back({0, profile::Why::kFolded, std::nullopt});
  EXPECT_FALSE(check_conservation(c.run.resolved, both).ok());
  Attribution nowhere = c.run.attribution;
  nowhere.layers[3].members.clear();
  EXPECT_FALSE(check_conservation(c.run.resolved, nowhere).ok());
  Attribution absorbed = c.run.attribution;
  absorbed.layers[0].members[0].role = profile::Role::kAbsorbed;
  EXPECT_FALSE(check_conservation(c.run.resolved, absorbed).ok()) << "its MACs would be lost";
}

}  // namespace
}  // namespace ridge::attribution
