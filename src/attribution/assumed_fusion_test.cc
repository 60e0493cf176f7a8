// SPDX-License-Identifier: Apache-2.0
// Fusion assumed by `--fuse runtime`, compared with the runtime's optimization of the same model.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "analysis/traffic/fuser.h"
#include "attribution/testing.h"
#include "zoo/zoo.h"

namespace ridge::attribution {
namespace {

using testing::Attributed;
using testing::must;
using testing::Optimization;

/// Formats groups of nodes that run together as "a b | c d"; only groups of two or more.
std::string groups_text(const std::map<std::uint32_t, std::string>& groups) {
  std::string out;
  for (const auto& [key, names] : groups)
    if (names.find(' ') != std::string::npos) out += (out.empty() ? "" : " | ") + names;
  return out;
}

/// True if all outputs of the node are known at load time: a runtime has no layer for it.
bool constant(const Attributed& run, graph::NodeId n) {
  return std::ranges::all_of(run.resolved.model().outputs(n), [&](graph::ValueId v) {
    return v == graph::kNone || run.resolved.constant(v);
  });
}

std::string assumed(const Attributed& run) {
  const analysis::Fusion f = analysis::assume_fusion(run.resolved, analysis::Fuse::kRuntime);
  std::map<std::uint32_t, std::string> groups;
  for (graph::NodeId n = 0; n < f.runs_with.size(); ++n) {
    if (constant(run, n)) continue;
    std::string& names = groups[f.runs_with[n]];
    names += (names.empty() ? "" : " ") + run.name(n);
  }
  return groups_text(groups);
}

/// Maps each node to the layer that executes or absorbs it.
std::map<graph::NodeId, std::uint32_t> layer_of(const Attributed& run) {
  std::map<graph::NodeId, std::uint32_t> out;
  for (std::uint32_t l = 0; l < run.attribution.layers.size(); ++l)
    for (const profile::Member& m : run.attribution.layers[l].members)
      if (m.role != profile::Role::kPart) out.emplace(m.node, l);
  return out;
}

std::string performed(const Attributed& run) {
  std::map<std::uint32_t, graph::NodeId> last;
  for (const auto& [n, layer] : layer_of(run)) last[layer] = std::max(last[layer], n);
  std::map<std::uint32_t, std::string> groups;
  for (const auto& [n, layer] : layer_of(run)) {
    std::string& names = groups[last[layer]];
    names += (names.empty() ? "" : " ") + run.name(n);
  }
  return groups_text(groups);
}

struct Pattern {
  std::string_view name, text;
};

constexpr Pattern kPatterns[] = {
    {"ScaleAfterAProduct",
     "input x[1,2,4,8] z[1,2,8,4]\n constant e[]\n mm: MatMul(x, z) -> a\n by: Div(a, e) -> b\n"
     " soft: Softmax(b) -> y\n output y"},
    {"ScaleBeforeAProduct",
     "input x[1,2,4,8] z[1,2,8,4]\n constant e[]\n by: Mul(x, e) -> a\n mm: MatMul(a, z) -> y\n"
     " output y"},
    {"ScaleThatIsReadTwice",
     "input x[1,2,4,8] z[1,2,8,4]\n constant e[]\n mm: MatMul(x, z) -> a\n by: Mul(a, e) -> y\n"
     " also: Relu(a) -> u\n output y u"},
    {"ScaleByAVector",
     "input x[1,2,4,8] z[1,2,8,4]\n constant e[4]\n mm: MatMul(x, z) -> a\n by: Mul(a, e) -> y\n"
     " output y"},
    {"TransposedOperand",
     "input x[1,2,4,8] z[1,2,4,8]\n turn: Transpose(z) {perm=[0,1,3,2]} -> t\n"
     " mm: MatMul(x, t) -> y\n output y"},
    {"TransposeOfMoreThanTwoDimensions",
     "input x[1,2,4,8] z[1,4,2,8]\n turn: Transpose(z) {perm=[0,2,3,1]} -> t\n"
     " mm: MatMul(x, t) -> y\n output y"},
    {"TransposeBeforeAGemm",
     "input x[4,3]\n constant w[4,5] b[5]\n turn: Transpose(x) {perm=[1,0]} -> t\n"
     " gemm: Gemm(t, w, b) -> y\n output y"},
    {"SumBeforeALayerNormalization",
     "input x[1,4,8] z[1,4,8]\n constant g[8] b[8]\n sum: Add(x, z) -> a\n"
     " norm: LayerNormalization(a, g, b) -> y\n output y"},
    {"SumThatIsReadAgain",
     "input x[1,4,8] z[1,4,8]\n constant g[8] b[8]\n sum: Add(x, z) -> a\n"
     " norm: LayerNormalization(a, g, b) -> y\n also: Relu(a) -> u\n output y u"},
    {"SumOfTwoDimensions",
     "input x[4,8] z[4,8]\n constant g[8] b[8]\n sum: Add(x, z) -> a\n"
     " norm: LayerNormalization(a, g, b) -> y\n output y"},
    {"BiasAndSumBeforeALayerNormalization",
     "input x[1,4,8] z[1,4,8]\n constant g[8] b[8] c[8]\n bias: Add(x, c) -> d\n"
     " sum: Add(d, z) -> a\n norm: LayerNormalization(a, g, b) -> y\n output y"},
    {"BiasBeforeAWrittenOutGelu",
     "input x[2,4,4]\n constant b[4]\n Constant() {value_float=1.41421356f} -> r\n"
     " Constant() {value_float=1.0f} -> one\n Constant() {value_float=0.5f} -> half\n"
     " bias: Add(x, b) -> c\n div: Div(c, r) -> d\n erf: Erf(d) -> e\n plus: Add(e, one) -> f\n"
     " times: Mul(c, f) -> g\n by: Mul(g, half) -> y\n output y"},
    {"ScaledAttention",
     "input q[1,4,2,8] k[1,4,2,8] v[1,4,2,8] mask[1,1,1,4]\n constant e[]\n"
     " tq: Transpose(q) {perm=[0,2,1,3]} -> q1\n tk: Transpose(k) {perm=[0,2,3,1]} -> k1\n"
     " tv: Transpose(v) {perm=[0,2,1,3]} -> v1\n qk: MatMul(q1, k1) -> s\n by: Div(s, e) -> s1\n"
     " hide: Add(s1, mask) -> s2\n soft: Softmax(s2) -> p\n pv: MatMul(p, v1) -> o\n"
     " to: Transpose(o) {perm=[0,2,1,3]} -> y\n output y"},
    {"QuantisedConvolution",
     "input x[1,4,8,8]\n constant w[4,4,1,1]\n Constant() {value_float=0.1f} -> s\n"
     " in: QuantizeLinear(x, s) -> a\n open: DequantizeLinear(a, s) -> b\n"
     " wq: QuantizeLinear(w, s) -> c\n wd: DequantizeLinear(c, s) -> e\n conv: Conv(b, e) -> f\n"
     " relu: Relu(f) -> g\n close: QuantizeLinear(g, s) -> h\n out: DequantizeLinear(h, s) -> y\n"
     " output y"},
    {"QuantisedSumAndSoftmax",
     "input x[1,4,8,8] z[1,4,8,8]\n Constant() {value_float=0.1f} -> s\n"
     " in: QuantizeLinear(x, s) -> a\n open: DequantizeLinear(a, s) -> b\n"
     " in2: QuantizeLinear(z, s) -> c\n open2: DequantizeLinear(c, s) -> d\n"
     " sum: Add(b, d) -> f\n close: QuantizeLinear(f, s) -> g\n open3: DequantizeLinear(g, s) -> "
     "h\n"
     " soft: Softmax(h) -> i\n close2: QuantizeLinear(i, s) -> j\n"
     " out: DequantizeLinear(j, s) -> y\n output y"},
    {"QuantisedTanhIsNone",
     "input x[1,4,8,8]\n Constant() {value_float=0.1f} -> s\n"
     " in: QuantizeLinear(x, s) -> a\n open: DequantizeLinear(a, s) -> b\n tanh: Tanh(b) -> c\n"
     " close: QuantizeLinear(c, s) -> d\n out: DequantizeLinear(d, s) -> y\n output y"},
};

class AssumedFusionSlow : public ::testing::TestWithParam<Pattern> {};

TEST_P(AssumedFusionSlow, IsWhatTheRuntimeDoes) {
  const std::string text = fmt::format("graph main\n {}", GetParam().text);
  RUN_OR_SKIP(run, text, Optimization::kAll);
  EXPECT_EQ(assumed(*run), performed(*run));
}

INSTANTIATE_TEST_SUITE_P(Patterns, AssumedFusionSlow, ::testing::ValuesIn(kPatterns),
                         [](const auto& pattern) { return std::string(pattern.param.name); });

class AssumedFusionOfSlow : public ::testing::TestWithParam<const char*> {};

/// Nodes that are assumed to run together share a layer if both are in a layer.
TEST_P(AssumedFusionOfSlow, ANetworkTakesPlace) {
  auto document = std::make_shared<onnx::Document>(must(zoo::make(GetParam())));
  auto model = std::make_shared<const graph::Model>(must(graph::Model::build(std::move(document))));
  RUN_OR_SKIP(run, must(analysis::resolve(model, {}, {{"batch", 1}, {"sequence", 128}})), {});
  const analysis::Fusion f = analysis::assume_fusion(run->resolved, analysis::Fuse::kRuntime);
  const auto layers = layer_of(*run);
  std::string wrong;
  std::int64_t pairs = 0;
  for (graph::NodeId n = 0; n < f.runs_with.size(); ++n) {
    const auto here = layers.find(n), there = layers.find(f.runs_with[n]);
    if (n == f.runs_with[n] || here == layers.end() || there == layers.end()) continue;
    ++pairs;
    if (here->second != there->second)
      wrong += fmt::format("{} with {}\n", run->name(n), run->name(f.runs_with[n]));
  }
  EXPECT_EQ(wrong, "");
  EXPECT_GT(pairs, 0);
}

INSTANTIATE_TEST_SUITE_P(Zoo, AssumedFusionOfSlow,
                         ::testing::Values("resnet50", "mobilenet_v2", "vit_b_16", "bert_base",
                                           "gpt2"),
                         [](const auto& pattern) { return std::string(pattern.param); });

}  // namespace
}  // namespace ridge::attribution
