// SPDX-License-Identifier: Apache-2.0
// Layers that OpenVINO lists, of models whose outputs it converts to the type that the model says.
#include <gtest/gtest.h>

#include "attribution/testing.h"
#include "measure/testing/one_run.h"

namespace ridge::measure {
namespace {

using attribution::testing::must;

/// "Subgraph{relu} TopK{top} Convert{}"; behind them nodes without a place.
std::string listed_layers(std::string_view text) {
  const analysis::Resolved r =
      must(analysis::resolve(std::make_shared<const graph::Model>(
                                 must(graph::Model::build(graph::Sketch::document(text)))),
                             {}));
  const testing::OneRun one = must(testing::run_once(testing::options("openvino"), r));
  std::string out;
  for (const attribution::Layer& layer : one.attribution.layers) {
    out += (out.empty() ? "" : " ") + layer.type + "{";
    for (const profile::Member& m : layer.members)
      out += (out.back() == '{' ? "" : " ") + std::string(r.model().node(m.node).name);
    out += "}";
  }
  for (const std::uint32_t n : one.attribution.unplaced) out += " lost:" + r.model().describe(n);
  return out;
}

TEST(ListedLayersSlow, AnArgMaxIsItsTopK) {
  SKIP_WITHOUT("openvino");
  EXPECT_EQ(listed_layers(R"(graph main
    input x[64,128]
    top: ArgMax(x) {axis=1} -> y
    output y:int64[64,1])"),
            "TopK{top} Convert{}");
  EXPECT_EQ(listed_layers(R"(graph main
    input x[64,128]
    relu: Relu(x) -> a
    top: ArgMax(a) {axis=1} -> y
    output y:int64[64,1])"),
            "Subgraph{relu} TopK{top} Convert{}");
  EXPECT_EQ(listed_layers(R"(graph main
    input x[64,128]
    top: ArgMax(x) {axis=1} -> a
    sum: Add(a, a) -> y
    output y:int64[64,1])"),
            "TopK{top} Eltwise{sum} Convert{}");
}

TEST(ListedLayersSlow, AnOutputThatIsConvertedKeepsItsLayer) {
  SKIP_WITHOUT("openvino");
  EXPECT_EQ(listed_layers(R"(graph main
    input x:int64[4,8]
    sum: Add(x, x) -> y
    output y:int64[4,8])"),
            "Convert{} Eltwise{sum} Convert{}");
  EXPECT_EQ(listed_layers(R"(graph main
    input x[4,8]
    where: NonZero(x) -> y
    output y:int64[2,n])"),
            "NonZero{where} Convert{}");
  EXPECT_EQ(listed_layers(R"(graph main
    input x[4,8]
    wide: Cast(x) {to=11} -> y
    output y:double[4,8])"),
            "Convert{wide}");
  EXPECT_EQ(listed_layers(R"(graph main
    input x:double[8,8]
    product: MatMul(x, x) -> y
    output y:double[8,8])"),
            "Convert{} MatMul{product} Convert{}");
}

TEST(ListedLayersSlow, AnEinsteinSumThatKeepsItsAxesNeedsNoLayer) {
  SKIP_WITHOUT("openvino");
  EXPECT_EQ(listed_layers(R"(graph main
    input x[]
    sum: Einsum(x) {equation='->'} -> y
    output y[])"),
            "");
  EXPECT_EQ(listed_layers(R"(graph main
    input x[4,8]
    sum: Einsum(x) {equation='ij->ij'} -> y
    output y[4,8])"),
            "");
  EXPECT_NE(listed_layers(R"(graph main
    input x[4,8]
    sum: Einsum(x) {equation='ij->ji'} -> y
    output y[8,4])"),
            "");
}

}  // namespace
}  // namespace ridge::measure
