// SPDX-License-Identifier: Apache-2.0
// The edits of each rule in a real ONNX Runtime: the outputs stay, and other kernels run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "advice/kernel_change.h"
#include "advice/run/check.h"
#include "attribution/testing.h"
#include "bricks/kernels.h"
#include "bricks/loader.h"
#include "graph/sketch.h"
#include "onnx/writer.h"
#include "rewrite/rewritten.h"
#include "session/testing.h"
#include "session/workbench.h"

namespace ridge::advice {
namespace {

using attribution::testing::Attributed;
using attribution::testing::must;
using attribution::testing::runtime_installed;

const rewrite::Rule& rule(std::string_view name) {
  return *std::ranges::find(rewrite::rules(), name, &rewrite::Rule::name);
}

std::vector<std::string> kernels_of_rule(bricks::Loader& loader,
                                         const analysis::Resolved& resolved) {
  std::vector<std::string> out;
  for (const bricks::KernelKind& k : bricks::all_kernels(must(loader.load(resolved))))
    out.push_back(k.text);
  return out;
}

/// Applies a rule in the runtime. Returns how the kernels change; "" if they stay.
std::string change_by_rule(std::string_view name, std::string_view text, std::int64_t opset) {
  const std::shared_ptr<onnx::Document> document = graph::Sketch::document(text);
  std::vector<onnx::OperatorSet> opsets = {{"", opset}};
  document->model.opsets = document->arena.copy(opsets);
  const std::string path = ::testing::TempDir() + "ridge-advice-rules.onnx";
  must(onnx::write_file(*document, path));
  session::testing::Silent notices;
  const session::Environment environment{machine::this_host(), notices};
  const session::MeasureSpec spec;
  const session::Workbench bench = must(session::make_workbench(path, spec, environment));
  const session::Point point = session::points_of(spec).at(0);
  const analysis::Resolved before = must(bench.resolve(point));
  const std::vector<rewrite::Site> sites = rule(name).find(before);
  if (sites.empty()) return "no site";
  const analysis::Resolved after = must(rewrite::rewritten(before, rule(name), sites));
  EXPECT_TRUE(rule(name).find(after).empty());
  const auto column = [&](const analysis::Resolved& resolved) {
    return measure::Column{&resolved, must(bench.request(point))};
  };
  EXPECT_LE(must(compare_outputs(column(before), column(after))).max_rel, 2e-6) << text;
  std::filesystem::remove(path);
  bricks::Loader loader(attribution::testing::options(runtime::Optimization::kAll));
  return kernel_change(kernels_of_rule(loader, before), kernels_of_rule(loader, after));
}

std::string normalized(const std::string& nodes, std::int64_t opset) {
  std::string text =
      "graph main\ninput x0[2,6,32]\nconstant g[32] b[32] g3[1,1,32]\n"
      "reals two=2 one=1 minus=-0.5 eps=0.00001\nintegers last[1]=-1\nSin(x0) -> x\n" +
      nodes + "\nSin(y) -> z\noutput z";
  if (opset >= 18)
    for (std::size_t at = text.find(") {axes=[-1]}"); at != text.npos;
         at = text.find(") {axes=[-1]}"))
      text.replace(at, 13, ", last)");
  return text;
}

constexpr char kCentered[] = "ReduceMean(x) {axes=[-1]} -> m\nSub(x, m) -> d\n";
constexpr char kVariance[] = " -> s\nReduceMean(s) {axes=[-1]} -> v\nAdd(v, eps) -> e\n";

TEST(AdviceRulesSlow, LayerNormalization) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const std::string known = std::string(kCentered) + "Pow(d, two)" + kVariance +
                            "Sqrt(e) -> r\nDiv(d, r) -> q\nMul(q, g) -> p\nAdd(p, b) -> y";
  const std::string product = std::string(kCentered) + "Mul(d, d)" + kVariance +
                              "Sqrt(e) -> r\nDiv(d, r) -> q\nMul(q, g) -> p\nAdd(p, b) -> y";
  const std::string reciprocal =
      std::string(kCentered) + "Pow(d, two)" + kVariance +
      "Sqrt(e) -> r\nReciprocal(r) -> i\nMul(d, i) -> q\nMul(q, g) -> p\n"
      "Add(p, b) -> y";
  const std::string power = std::string(kCentered) + "Mul(d, d)" + kVariance +
                            "Pow(e, minus) -> i\nMul(i, g3) -> w\nMul(w, d) -> p\nAdd(b, p) -> y";
  const std::string plain =
      std::string(kCentered) + "Mul(d, d)" + kVariance + "Sqrt(e) -> r\nDiv(d, r) -> y";
  for (const std::int64_t opset : {13, 17, 18, 23}) {
    SCOPED_TRACE(opset);
    const std::string mean = opset < 18 ? "2 ReduceMean of 1 input" : "2 ReduceMean of 2 inputs";
    const std::string better = "1 LayerNormalization of 3 inputs runs instead of ";
    EXPECT_EQ(change_by_rule("layer_normalization", normalized(known, opset), opset),
              opset < 17 ? "no site" : "");
    EXPECT_EQ(change_by_rule("layer_normalization", normalized(product, opset), opset),
              fmt::format("{}2 Add of 2 inputs, 2 Mul of 2 inputs, {}, 1 Div of 2 inputs, 2 others",
                          better, mean));
    EXPECT_EQ(change_by_rule("layer_normalization", normalized(reciprocal, opset), opset),
              fmt::format("{}2 Add of 2 inputs, 2 Mul of 2 inputs, {}, 1 Pow of 2 inputs, 3 others",
                          better, mean));
    EXPECT_EQ(change_by_rule("layer_normalization", normalized(power, opset), opset),
              fmt::format("{}3 Mul of 2 inputs, 2 Add of 2 inputs, {}, 1 Pow of 2 inputs, 1 others",
                          better, mean));
    // Without the operator, a bias of zeros is added.
    EXPECT_EQ(
        change_by_rule("layer_normalization", normalized(plain, opset), opset),
        fmt::format("1 LayerNormalization of {} inputs runs instead of {}, 1 Add of 2 inputs, "
                    "1 Div of 2 inputs, 1 Mul of 2 inputs, 2 others",
                    opset < 17 ? 3 : 2, mean));
  }
}

TEST(AdviceRulesSlow, RmsNormalization) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const std::string known =
      std::string("Pow(x, two)") + kVariance + "Sqrt(e) -> r\nDiv(x, r) -> q\nMul(q, g) -> y";
  const std::string product =
      std::string("Mul(x, x)") + kVariance + "Sqrt(e) -> r\nDiv(x, r) -> q\nMul(q, g) -> y";
  const std::string reciprocal = std::string("Pow(x, two)") + kVariance +
                                 "Sqrt(e) -> r\nReciprocal(r) -> i\nMul(x, i) -> q\nMul(g, q) -> y";
  const std::string power =
      std::string("Pow(x, two)") + kVariance + "Pow(e, minus) -> i\nMul(x, i) -> y";
  for (const std::int64_t opset : {13, 18, 23}) {
    SCOPED_TRACE(opset);
    EXPECT_EQ(change_by_rule("rms_normalization", normalized(known, opset), opset), "no site");
    const std::string mean = opset < 18 ? "1 ReduceMean of 1 input" : "1 ReduceMean of 2 inputs";
    const std::string better =
        fmt::format("1 {} of 2 inputs runs instead of ",
                    opset < 23 ? "SimplifiedLayerNormalization" : "RMSNormalization");
    EXPECT_EQ(change_by_rule("rms_normalization", normalized(product, opset), opset),
              fmt::format("{}2 Mul of 2 inputs, 1 Add of 2 inputs, 1 Div of 2 inputs, {}, 1 others",
                          better, mean));
    EXPECT_EQ(change_by_rule("rms_normalization", normalized(reciprocal, opset), opset),
              better +
                  "2 Mul of 2 inputs, 1 Add of 2 inputs, 1 Pow of 2 inputs, 1 Reciprocal of 1 "
                  "input, 2 others");
    EXPECT_EQ(
        change_by_rule("rms_normalization", normalized(power, opset), opset),
        fmt::format("{}2 Pow of 2 inputs, 1 Add of 2 inputs, 1 Mul of 2 inputs, {}", better, mean));
  }
}

std::string channels(const std::string& nodes, const std::string& shape = "1,8,10,10") {
  return fmt::format(
      "graph main\ninput x0[{}]\nconstant w[16,8,3,3] t[8,16,3,3] m[8,16] bias[16] g[16] be[16] "
      "me[16]\n"
      "reals va[16]=1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8 s[16,1,1]=1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8 "
      "s4[1,16,1,1]=1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8 v[16]=1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8\n"
      "Sin(x0) -> x\n{}\nAbs(y) -> z\noutput z",
      shape, nodes);
}

TEST(AdviceRulesSlow, BatchNormalization) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const auto changed = [](const std::string& nodes, const std::string& shape = "1,8,10,10") {
    return change_by_rule("batch_normalization", channels(nodes, shape), 17);
  };
  constexpr char kNormalized[] = " -> c\nBatchNormalization(c, g, be, me, va) -> y";
  // The runtime folds these by itself.
  EXPECT_EQ(changed(std::string("Conv(x, w, bias)") + kNormalized), "");
  EXPECT_EQ(changed("Conv(x, w, bias) -> c\nMul(c, s) -> d\nAdd(d, s) -> y"), "");
  EXPECT_EQ(changed(std::string("ConvTranspose(x, t, bias)") + kNormalized), "");
  // But not these.
  EXPECT_EQ(changed("ConvTranspose(x, t, bias) -> c\nMul(c, s) -> d\nAdd(d, s) -> y"),
            "1 Add of 2 inputs, 1 Mul of 2 inputs are gone");
  EXPECT_EQ(changed("Conv(x, w, bias) -> c\nSub(c, s4) -> d\nDiv(d, s4) -> y"),
            "1 Div of 2 inputs, 1 Sub of 2 inputs are gone");
  EXPECT_EQ(changed("Conv(x, w, bias) -> c\nMul(s4, c) -> d\nAdd(s4, d) -> y"),
            "1 Add of 2 inputs, 1 com.microsoft.nchwc.Conv of 2 inputs are gone");
  EXPECT_EQ(changed(std::string("Gemm(x, m, bias)") + kNormalized, "5,8"),
            "1 BatchNormalization of 5 inputs is gone");
  EXPECT_EQ(changed("Gemm(x, m, bias) -> c\nMul(c, v) -> d\nAdd(d, v) -> y", "5,8"),
            "1 Add of 2 inputs, 1 Mul of 2 inputs are gone");
}

TEST(AdviceRulesSlow, Attention) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const auto changed = [](const std::string& scores) {
    return change_by_rule("attention", R"(graph main
      input q0[2,16,96] k0[2,16,96] v0[2,16,96] m0[2,1,1,16] n0[2,1,16,16]
      reals c=0.17677669 d=5.656854 h=0.42044820
      integers split[4]=0,0,3,32 join[3]=0,0,96
      Reshape(q0, split) -> q1
      Reshape(k0, split) -> k1
      Reshape(v0, split) -> v1
      Transpose(q1) {perm=[0,2,1,3]} -> q
      Transpose(k1) {perm=[0,2,3,1]} -> kt
      Transpose(v1) {perm=[0,2,1,3]} -> v
      )" + scores + R"(
      Softmax(s) {axis=-1} -> p
      MatMul(p, v) -> o
      Transpose(o) {perm=[0,2,1,3]} -> o1
      Reshape(o1, join) -> y
      Sin(y) -> z
      output z)",
                          17);
  };
  constexpr char kPlain[] =
      "1 com.microsoft.MultiHeadAttention of 3 inputs runs instead of 4 Transpose of 1 input, 1 "
      "MatMul of 2 inputs, 1 Softmax of 1 input, 1 com.microsoft.FusedMatMul of 2 inputs";
  EXPECT_EQ(changed("MatMul(q, kt) -> a\nMul(a, c) -> s"), kPlain);
  EXPECT_EQ(changed("Mul(q, h) -> qs\nMul(kt, h) -> ks\nMatMul(qs, ks) -> s"), kPlain);
  const std::string masked =
      " instead of 4 Transpose of 1 input, 1 Add of 2 inputs, 1 MatMul of 2 inputs, 1 Softmax of 1 "
      "input, 1 others";
  EXPECT_EQ(changed("Sin(n0) -> n\nMatMul(q, kt) -> a\nDiv(a, d) -> b\nAdd(b, n) -> s"),
            "1 com.microsoft.MultiHeadAttention of 4 inputs runs" + masked);
  EXPECT_EQ(changed("Sin(m0) -> m\nMatMul(q, kt) -> a\nDiv(a, d) -> b\nAdd(b, m) -> s"),
            "1 Expand of 2 inputs, 1 com.microsoft.MultiHeadAttention of 4 inputs run" + masked);
}

TEST(AdviceRulesSlow, AttentionOverACache) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  // 9 keys and values by head; the mask has one row for one query.
  EXPECT_EQ(change_by_rule("attention", R"(graph main
              input q[2,3,1,32] k[2,3,9,32] v0[2,3,9,32] m[9]
              reals c=0.17677669
              Sin(v0) -> v
              Transpose(k) {perm=[0,1,3,2]} -> kt
              MatMul(q, kt) -> a
              Mul(a, c) -> b
              Add(b, m) -> s
              Softmax(s) -> p
              MatMul(p, v) -> y
              Sin(y) -> z
              output z)",
                           13),
            "2 Reshape of 2 inputs, 2 Transpose of 1 input, 1 Expand of 2 inputs, 1 "
            "com.microsoft.MultiHeadAttention of 4 inputs run instead of 1 Add of 2 inputs, 1 "
            "MatMul of 2 inputs, 1 Softmax of 1 input, 1 com.microsoft.FusedMatMul of 2 inputs");
}

/// Sizes change_by_rule kernels only where the runtime is given the model as it was declared.
TEST(AdviceRulesSlow, FreeSizes) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  constexpr char kText[] = R"(graph main
    input x[n,4,8]
    Sin(x) -> a
    Shape(a) -> s
    ConstantOfShape(s) -> c
    Add(a, c) -> y
    output y)";
  EXPECT_EQ(change_by_rule("free_sizes", kText, 17), "");
  const analysis::Resolved before =
      analysis::testing::resolved(kText, {.sizes = {{"n", {2, false}}}, .shapes = {}});
  const rewrite::Rule& sizes = rule("free_sizes");
  const analysis::Resolved after = must(rewrite::rewritten(before, sizes, sizes.find(before)));
  const auto layers = [](const analysis::Resolved& resolved) {
    return Attributed::of(resolved,
                          {.level = runtime::Optimization::kAll,
                           .copy = {.sizes = attribution::CanonicalOptions::Sizes::kAsDeclared}})
        ->layers();
  };
  EXPECT_EQ(layers(before), "Sin{} Shape{} ConstantOfShape{} Add{}");
  EXPECT_EQ(layers(after), "Sin{} Add{}");
}

}  // namespace
}  // namespace ridge::advice
