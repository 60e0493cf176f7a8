// SPDX-License-Identifier: Apache-2.0
#include "advice/run/int8.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::advice {
namespace {

machine::Host with_vnni() {
  machine::Host host;
  host.features.avx512_vnni = true;
  return host;
}

/// A run in which each node takes 1 ms.
profile::Profile int8_run(const analysis::Resolved& model) {
  profile::Profile out;
  for (std::uint32_t n = 0; n < model.model().nodes().size(); ++n) {
    profile::Layer& layer = out.layers.emplace_back();
    layer.members = {{.node = n}};
    layer.corrected_ns = 1e6;
    out.latency.ns.value += 1e6;
  }
  return out;
}

std::optional<Finding> finding(std::string_view text) {
  const analysis::Resolved model = analysis::testing::resolved(text);
  return int8_finding(model, int8_run(model), with_vnni(), "m.onnx");
}

constexpr std::string_view kFloat = R"(graph main
    input x[1,16,8,8]
    constant w[16,16,3,3]
    Conv(x, w) -> a
    Softmax(a) -> y
    output y)";

TEST(Int8Finding, SaysHowMuchOfTheRunTheNodesTake) {
  const auto found = finding(kFloat);
  ASSERT_TRUE(found);
  EXPECT_EQ(
      found->evidence,
      "1 node multiplies in float32 (100 % of the multiply-accumulates, 50 % of the run), and "
      "this processor multiplies four bytes where it multiplies one float");
}

TEST(Int8Finding, IsNotOfferedWhereTheNodesTakeLittle) {
  const analysis::Resolved model = analysis::testing::resolved(kFloat);
  profile::Profile run = int8_run(model);
  run.latency.ns.value = 30e6;
  EXPECT_FALSE(int8_finding(model, run, with_vnni(), "m.onnx"));
}

TEST(Int8Finding, IsNotOfferedForAQuantizedModel) {
  // With QuantizeLinear and DequantizeLinear around products, one of several or all.
  EXPECT_FALSE(finding(R"(graph main
    input x[1,16,8,8]
    reals s=0.1
    constant w[16,16,3,3] v[16,16,3,3]
    QuantizeLinear(x, s) -> q
    DequantizeLinear(q, s) -> d
    Conv(d, w) -> a
    Conv(a, v) -> y
    output y)"));
  // With operators on integers.
  EXPECT_FALSE(finding(R"(graph main
    input x[1,16]
    constant w[16,16] v[16,16]
    DynamicQuantizeLinear(x) -> q, scale, zero
    QuantizeLinear(w, scale) -> wq
    MatMulInteger(q, wq, zero) -> i
    Cast(i) {to=1} -> f
    Mul(f, scale) -> g
    MatMul(g, v) -> y
    output y)"));
}

}  // namespace
}  // namespace ridge::advice
