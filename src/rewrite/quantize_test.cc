// SPDX-License-Identifier: Apache-2.0
#include "rewrite/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "onnx/weights.h"
#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

using analysis::testing::value;

/// The elements of a float32 initializer.
Result<std::vector<float>> floats(const analysis::Resolved& r, graph::ValueId v) {
  const std::vector<std::byte> bytes =
      TRY(onnx::load(r.model().document(), *r.model().value(v).tensor, INT64_MAX));
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

/// Every activation lies between -1 and 3.
Result<Rewritten> quantized_as_given(const analysis::Resolved& r, Range range = {-1, 3}) {
  Ranges ranges;
  for (const graph::ValueId v : calibrated_values(r)) ranges[v] = range;
  return quantized(r, ranges, [&](graph::ValueId v) { return floats(r, v); });
}

Rewritten must(Result<Rewritten> result) {
  if (!result.ok()) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

std::string names_of(const analysis::Resolved& r, const std::vector<graph::ValueId>& values) {
  std::string out;
  for (const graph::ValueId v : values)
    out += (out.empty() ? "" : " ") + std::string(r.model().value(v).name.view());
  return out;
}

/// Nodes without scales and zero points: "x -> Q -> ridge.quantized.0".
std::string brief(const Rewritten& r) {
  std::string out;
  for (const onnx::Node& n : r.document->model.graph.nodes) {
    const bool pair = n.op_type.view().ends_with("Linear");
    out += fmt::format("{} ", n.op_type.view());
    for (std::size_t i = 0; i < (pair ? 1 : n.inputs.size()); ++i)
      out += fmt::format("{} ", n.inputs.data()[i].view());
    out += "->";
    for (const Text& o : n.outputs) out += fmt::format(" {}", o.view());
    out += "\n";
  }
  return out;
}

template <typename T>
std::vector<T> constant(const Rewritten& r, std::string_view name) {
  for (const onnx::Tensor& t : r.document->model.graph.initializers) {
    if (t.name.view() != name) continue;
    std::vector<T> out(t.bytes.size() / sizeof(T));
    std::memcpy(out.data(), t.bytes.data(), t.bytes.size());
    return out;
  }
  throw std::runtime_error("no constant " + std::string(name));
}

/// The node that writes a name.
const onnx::Node& writer(const Rewritten& r, std::string_view name) {
  for (const onnx::Node& n : r.document->model.graph.nodes)
    for (const Text& o : n.outputs)
      if (o.view() == name) return n;
  throw std::runtime_error("nothing writes " + std::string(name));
}

const onnx::Node& node(const Rewritten& r, std::string_view op_type) {
  for (const onnx::Node& n : r.document->model.graph.nodes)
    if (n.op_type.view() == op_type) return n;
  throw std::runtime_error("no " + std::string(op_type));
}

std::string_view input_values(const onnx::Node& n, std::size_t i) {
  return n.inputs.data()[i].view();
}

TEST(Quantize, PairsStandAroundAConvolutionWithItsRelu) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[1,2,5,5]
    constant w[4,2,3,3] b[4]
    Conv(x, w, b) -> c
    Relu(c) -> y
    output y)");
  EXPECT_EQ(names_of(r, calibrated_values(r)), "x y");
  EXPECT_EQ(names_of(r, quantized_constants(r)), "w b");
  const Rewritten q = must(quantized_as_given(r));
  EXPECT_EQ(text_of(q),
            "DequantizeLinear(ridge.constant.0, ridge.constant.1, ridge.constant.2)"
            " -> ridge.weight.0\n"
            "DequantizeLinear(ridge.constant.3, ridge.constant.4, ridge.constant.5)"
            " -> ridge.bias.0\n"
            "QuantizeLinear(x, ridge.constant.6, ridge.constant.7) -> ridge.quantized.0\n"
            "DequantizeLinear(ridge.quantized.0, ridge.constant.6, ridge.constant.7)"
            " -> ridge.dequantized.0\n"
            "Conv(ridge.dequantized.0, ridge.weight.0, ridge.bias.0) -> c\n"
            "Relu(c) -> ridge.float.0\n"
            "QuantizeLinear(ridge.float.0, ridge.constant.6, ridge.constant.7)"
            " -> ridge.quantized.1\n"
            "DequantizeLinear(ridge.quantized.1, ridge.constant.6, ridge.constant.7) -> y\n");
  EXPECT_EQ(q.stands_for,
            (std::vector<std::vector<graph::NodeId>>{{0}, {0}, {0}, {0}, {0}, {1}, {1}, {1}}));
  EXPECT_EQ(resolved(q.document).model().main().outputs.size(), 1U);
}

TEST(Quantize, WeightsAndBiasAreThoseOfAPlainLoop) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[1,2,5,5]
    constant w[4,2,3,3] b[4]
    Conv(x, w, b) -> y
    output y)");
  const Rewritten q = must(quantized_as_given(r));
  const std::vector<float> w = *floats(r, value(r, "w")), b = *floats(r, value(r, "b"));
  const onnx::Node& conv = node(q, "Conv");
  const onnx::Node &weight = writer(q, input_values(conv, 1)),
                   &bias = writer(q, input_values(conv, 2));
  const auto wq = constant<std::int8_t>(q, input_values(weight, 0));
  const auto ws = constant<float>(q, input_values(weight, 1));
  const auto bq = constant<std::int32_t>(q, input_values(bias, 0));
  const auto bs = constant<float>(q, input_values(bias, 1));
  EXPECT_EQ(constant<std::int8_t>(q, input_values(weight, 2)), std::vector<std::int8_t>(4));
  EXPECT_EQ(weight.attributes[0].i, 0);
  const float xs = 4.F / 255;  // of -1 to 3
  const onnx::Node& x = writer(q, input_values(conv, 0));
  EXPECT_EQ(constant<float>(q, input_values(x, 1)), std::vector<float>{xs});
  EXPECT_EQ(constant<std::uint8_t>(q, input_values(x, 2)), std::vector<std::uint8_t>{64});  // 63.75
  for (std::size_t channel = 0; channel < 4; ++channel) {
    float largest = 0;
    for (std::size_t i = 0; i < 18; ++i) largest = std::max(largest, std::abs(w[channel * 18 + i]));
    EXPECT_FLOAT_EQ(ws[channel], largest / 127);
    bool full = false;
    for (std::size_t i = 0; i < 18; ++i) {
      const std::int8_t integer = wq[channel * 18 + i];
      EXPECT_NEAR(static_cast<float>(integer) * ws[channel], w[channel * 18 + i],
                  ws[channel] * 0.5001F);
      full |= std::abs(integer) == 127;
    }
    EXPECT_TRUE(full);
    EXPECT_FLOAT_EQ(bs[channel], xs * ws[channel]);
    EXPECT_NEAR(static_cast<float>(bq[channel]) * bs[channel], b[channel], bs[channel] * 0.501F);
  }
}

TEST(Quantize, GemmAndMatMulHaveTheirChannelsWhereTheWeightsHaveThem) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[2,3]
    constant u[3,4] v[5,4] s[1] t[2,5,6]
    Gemm(x, u, s) {alpha=0.5f beta=2.0f} -> a
    Gemm(a, v) {transB=1} -> b
    MatMul(b, t) -> y
    output y)");
  const Rewritten q = must(quantized_as_given(r));
  EXPECT_EQ(brief(q),
            "DequantizeLinear ridge.constant.0 -> ridge.weight.0\n"
            "DequantizeLinear ridge.constant.3 -> ridge.bias.0\n"
            "QuantizeLinear x -> ridge.quantized.0\n"
            "DequantizeLinear ridge.quantized.0 -> ridge.dequantized.0\n"
            "Gemm ridge.dequantized.0 ridge.weight.0 ridge.bias.0 -> ridge.float.0\n"
            "QuantizeLinear ridge.float.0 -> ridge.quantized.1\n"
            "DequantizeLinear ridge.quantized.1 -> a\n"
            "DequantizeLinear ridge.constant.6 -> ridge.weight.1\n"
            "Gemm a ridge.weight.1 -> ridge.float.1\n"
            "QuantizeLinear ridge.float.1 -> ridge.quantized.2\n"
            "DequantizeLinear ridge.quantized.2 -> b\n"
            "DequantizeLinear ridge.constant.9 -> ridge.weight.2\n"
            "MatMul b ridge.weight.2 -> y\n");
  const std::vector<float> u = *floats(r, value(r, "u")), s = *floats(r, value(r, "s"));
  const onnx::Node &first = writer(q, "ridge.weight.0"), &bias = writer(q, "ridge.bias.0");
  EXPECT_EQ(first.attributes[0].i, 1);
  EXPECT_EQ(writer(q, "ridge.weight.1").attributes[0].i, 0);
  EXPECT_EQ(writer(q, "ridge.weight.2").attributes.size(), 0U);  // one scale for all
  EXPECT_EQ(node(q, "Gemm").attributes.size(), 0U);
  const auto scales = constant<float>(q, input_values(first, 1));
  const auto integers = constant<std::int8_t>(q, input_values(first, 0));
  ASSERT_EQ(scales.size(), 4U);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_NEAR(integers[i] * scales[i % 4], 0.5F * u[i], 0.501F * scales[i % 4]);
  const auto biases = constant<std::int32_t>(q, input_values(bias, 0));
  const auto bias_scale = constant<float>(q, input_values(bias, 1));
  ASSERT_EQ(biases.size(), 4U);
  for (std::size_t c = 0; c < 4; ++c)
    EXPECT_NEAR(static_cast<float>(biases[c]) * bias_scale[c], 2 * s[0], 0.501F * bias_scale[c]);
}

TEST(Quantize, ABatchNormalizationIsFolded) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[1,1,2,2]
    reals w[2,1,1,1]=2,4 scale[2]=3,5 shift[2]=7,9 mean[2]=1,2 variance[2]=4,25
    Conv(x, w) -> c
    BatchNormalization(c, scale, shift, mean, variance) {epsilon=0.0f} -> n
    Relu(n) -> y
    output y)");
  EXPECT_EQ(names_of(r, quantized_constants(r)), "w scale shift mean variance");
  const Rewritten q = must(quantized_as_given(r));
  const onnx::Node& conv = node(q, "Conv");
  const onnx::Node &weight = writer(q, input_values(conv, 1)),
                   &bias = writer(q, input_values(conv, 2));
  // 2 * 3/2 = 3 and 4 * 5/5 = 4; 7 - 1 * 3/2 = 5.5 and 9 - 2 * 5/5 = 7.
  EXPECT_EQ(constant<float>(q, input_values(weight, 1)),
            (std::vector<float>{3.F / 127, 4.F / 127}));
  const auto bq = constant<std::int32_t>(q, input_values(bias, 0));
  const auto bs = constant<float>(q, input_values(bias, 1));
  EXPECT_NEAR(static_cast<float>(bq[0]) * bs[0], 5.5, bs[0]);
  EXPECT_NEAR(static_cast<float>(bq[1]) * bs[1], 7, bs[1]);
  EXPECT_EQ(conv.outputs.data()[0].view(), "n");
  EXPECT_EQ(q.stands_for[4], (std::vector<graph::NodeId>{0, 1}));
}

TEST(Quantize, ATensorIsQuantizedOnceAndFloatsStayForOthers) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[2,4]
    constant u[4,4] v[4,4]
    Tanh(x) -> t
    MatMul(t, u) -> a
    MatMul(t, v) -> b
    Add(a, b) -> s
    Add(s, t) -> y
    output y)");
  EXPECT_EQ(names_of(r, calibrated_values(r)), "t");
  EXPECT_EQ(brief(must(quantized_as_given(r))),
            "Tanh x -> t\n"
            "QuantizeLinear t -> ridge.quantized.0\n"
            "DequantizeLinear ridge.quantized.0 -> ridge.dequantized.0\n"
            "DequantizeLinear ridge.constant.0 -> ridge.weight.0\n"
            "MatMul ridge.dequantized.0 ridge.weight.0 -> a\n"
            "DequantizeLinear ridge.constant.3 -> ridge.weight.1\n"
            "MatMul ridge.dequantized.0 ridge.weight.1 -> b\n"
            "Add a b -> s\n"
            "Add s t -> y\n");
}

TEST(Quantize, TensorsStayInt8BetweenConvolutions) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[1,2,8,8]
    constant w[2,2,1,1]
    Conv(x, w) -> a
    MaxPool(a) {kernel_shape=[2,2] strides=[2,2]} -> p
    Conv(p, w) -> b
    Add(b, p) -> s
    Relu(s) -> r
    Dropout(r) -> d
    GlobalAveragePool(d) -> g
    Sigmoid(g) -> m
    Mul(d, m) -> e
    Conv(e, w) -> z
    Softmax(z) -> y
    output y)");
  // p has the numbers of a, and d has the numbers of r.
  EXPECT_EQ(names_of(r, calibrated_values(r)), "x a b r g m e z");
  const Rewritten q = must(quantized_as_given(r));
  EXPECT_EQ(brief(q),
            "DequantizeLinear ridge.constant.0 -> ridge.weight.0\n"
            "QuantizeLinear x -> ridge.quantized.0\n"
            "DequantizeLinear ridge.quantized.0 -> ridge.dequantized.0\n"
            "Conv ridge.dequantized.0 ridge.weight.0 -> ridge.float.0\n"
            "QuantizeLinear ridge.float.0 -> ridge.quantized.1\n"
            "DequantizeLinear ridge.quantized.1 -> a\n"
            "MaxPool a -> ridge.float.1\n"
            "QuantizeLinear ridge.float.1 -> ridge.quantized.2\n"
            "DequantizeLinear ridge.quantized.2 -> p\n"
            "DequantizeLinear ridge.constant.0 -> ridge.weight.1\n"
            "Conv p ridge.weight.1 -> ridge.float.2\n"
            "QuantizeLinear ridge.float.2 -> ridge.quantized.3\n"
            "DequantizeLinear ridge.quantized.3 -> b\n"
            "Add b p -> s\n"
            "Relu s -> ridge.float.3\n"
            "QuantizeLinear ridge.float.3 -> ridge.quantized.4\n"
            "DequantizeLinear ridge.quantized.4 -> r\n"
            "Dropout r -> d\n"
            "GlobalAveragePool d -> ridge.float.4\n"
            "QuantizeLinear ridge.float.4 -> ridge.quantized.5\n"
            "DequantizeLinear ridge.quantized.5 -> g\n"
            "Sigmoid g -> ridge.float.5\n"
            "QuantizeLinear ridge.float.5 -> ridge.quantized.6\n"
            "DequantizeLinear ridge.quantized.6 -> m\n"
            "Mul d m -> ridge.float.6\n"
            "QuantizeLinear ridge.float.6 -> ridge.quantized.7\n"
            "DequantizeLinear ridge.quantized.7 -> e\n"
            "DequantizeLinear ridge.constant.0 -> ridge.weight.2\n"
            "Conv e ridge.weight.2 -> ridge.float.7\n"
            "QuantizeLinear ridge.float.7 -> ridge.quantized.8\n"
            "DequantizeLinear ridge.quantized.8 -> z\n"
            "Softmax z -> y\n");
}

TEST(Quantize, AnAddOfARowIsTheBiasOfAMatMul) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[3,2,4]
    constant u[4,4] a[4] v[4,4] b[2,1]
    MatMul(x, u) -> m
    Add(a, m) -> h
    Softmax(h) -> s
    MatMul(s, v) -> n
    Add(n, b) -> y
    output y)");
  EXPECT_EQ(names_of(r, quantized_constants(r)), "u a v");
  EXPECT_EQ(brief(must(quantized_as_given(r))),
            "DequantizeLinear ridge.constant.0 -> ridge.weight.0\n"
            "DequantizeLinear ridge.constant.3 -> ridge.bias.0\n"
            "QuantizeLinear x -> ridge.quantized.0\n"
            "DequantizeLinear ridge.quantized.0 -> ridge.dequantized.0\n"
            "MatMul ridge.dequantized.0 ridge.weight.0 -> m\n"
            "Add ridge.bias.0 m -> h\n"
            "Softmax h -> s\n"
            "QuantizeLinear s -> ridge.quantized.1\n"
            "DequantizeLinear ridge.quantized.1 -> ridge.dequantized.1\n"
            "DequantizeLinear ridge.constant.6 -> ridge.weight.1\n"
            "MatMul ridge.dequantized.1 ridge.weight.1 -> n\n"
            "Add n b -> y\n");
}

TEST(Quantize, FunctionsOfOneElementStandBetweenInt8) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[1,2,4,4] z[4,4]
    constant w[2,2,1,1] u[4,4]
    Conv(x, w) -> a
    Concat(a, x) {axis=1} -> k
    Slice(k, from, to, axis) -> l
    HardSwish(l) -> h
    Conv(h, w) -> y
    MatMul(z, u) -> m
    Tanh(m) -> t
    MatMul(t, u) -> q
    integers from[1]=0 to[1]=2 axis[1]=1
    output y q)");
  // Concat is int8 for the sake of HardSwish; m is not for the sake of Tanh: MatMul can give
  // floats.
  EXPECT_EQ(names_of(r, calibrated_values(r)), "x z a k h y t");
}

TEST(Quantize, OnlyAClipThatTheIntegersReplaceIsPartOfAConvolution) {
  const std::string_view text = R"(graph main
    input x[1,1,4,4]
    constant w[1,1,1,1]
    reals low={} high=6
    Conv(x, w) -> c
    Clip(c, low, high) -> y
    output y)";
  const auto calibrated = [&](std::string_view low) {
    const analysis::Resolved r = resolved(fmt::format(fmt::runtime(text), low));
    return names_of(r, calibrated_values(r));
  };
  EXPECT_EQ(calibrated("0"), "x y");
  EXPECT_EQ(calibrated("1"), "x c");  // 0 is an integer, and less than 1
}

TEST(Quantize, WhatABodyReadsKeepsItsName) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[1,2] c:bool[]
    constant w[2,2]
    Relu(x) -> h
    MatMul(h, w) -> y
    If(c) {then_branch=graph:yes else_branch=graph:no} -> z
    output y z
  graph yes
    Neg(h) -> a
    output a
  graph no
    Neg(y) -> b
    output b)");
  const Rewritten q = must(quantized_as_given(r));
  EXPECT_EQ(writer(q, "h").op_type.view(), "Relu");
  EXPECT_EQ(writer(q, "y").op_type.view(), "MatMul");
  EXPECT_EQ(resolved(q.document).model().main().outputs.size(), 2U);
}

TEST(Quantize, ScalesAreOfARangeThatHas0) {
  const auto text = [](Range range) {
    const ActivationScale s = activation_scale(range);
    return fmt::format("{:.6g} {}", s.scale, s.zero);
  };
  EXPECT_EQ(text({-1, 1}), "0.00784314 128");
  EXPECT_EQ(text({0, 6}), "0.0235294 0");
  EXPECT_EQ(text({2, 6}), "0.0235294 0");
  EXPECT_EQ(text({-6, -2}), "0.0235294 255");
  EXPECT_EQ(text({0, 0}), "1 0");
  EXPECT_EQ(text({0, 1e-40F}), "1 0");
  EXPECT_EQ(text({-3e38F, 3e38F}), "2.35294e+36 128");
}

TEST(Quantize, ZeroIsExactAndTheEndsAreReached) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> draw(-10, 10);
  for (int i = 0; i < 1000; ++i) {
    const float a = draw(random), b = draw(random);
    const Range range{std::min(a, b), std::max(a, b)};
    const ActivationScale s = activation_scale(range);
    for (const float x : {range.minimum, range.maximum, 0.F}) {
      const float integer = std::clamp(std::nearbyint(x / s.scale) + s.zero, 0.F, 255.F);
      EXPECT_NEAR((integer - s.zero) * s.scale, x, x == 0 ? 0 : s.scale * 0.502F);
    }
  }
}

TEST(Quantize, ExtremeWeights) {
  const std::vector<float> w = {0, 0, 3e38F, -3e38F, 1e-40F, 0};
  const ChannelWeights q = quantize_weights(w, {.outer = 1, .channels = 3, .inner = 2}, {});
  EXPECT_EQ(q.elements, (std::vector<std::int8_t>{0, 0, 127, -127, 0, 0}));
  EXPECT_EQ(q.scales[0], 1);
  EXPECT_FLOAT_EQ(q.scales[1], 3e38F / 127);
  EXPECT_EQ(q.scales[2], std::numeric_limits<float>::min());
  // A bias beside weights that are far smaller, or 0: it needs a greater scale to fit into int32.
  const std::vector<float> bias = {5, -5};
  const ChannelWeights small =
      quantize_weights(std::vector<float>{1e-9F, 0}, {.outer = 1, .channels = 2, .inner = 1},
                       min_scales(bias, 0.01F));
  const std::vector<float> scales = bias_scales(0.01F, small.scales);
  const std::vector<std::int32_t> integers = quantize_bias(bias, scales);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(static_cast<double>(integers[i]) * scales[i], bias[i], 1e-6);
}

std::string error_of(const analysis::Resolved& r, Range range = {-1, 3}) {
  const Result<Rewritten> q = quantized_as_given(r, range);
  return q.ok() ? "quantized" : q.error().text();
}

TEST(Quantize, Errors) {
  const std::string_view text = R"(graph main
    input x[2,2]
    reals w[2,2]=1,2,3,{}
    MatMul(x, w) -> y
    output y)";
  const analysis::Resolved good = resolved(fmt::format(fmt::runtime(text), 4));
  EXPECT_EQ(error_of(good), "quantized");
  EXPECT_EQ(error_of(good, {NAN, 1}),
            "error: tensor 'x' has no finite range: nan to 1\n  [RIDGE-REWRITE-0003]\n");
  EXPECT_EQ(error_of(good, {0, INFINITY}),
            "error: tensor 'x' has no finite range: 0 to inf\n  [RIDGE-REWRITE-0003]\n");
  EXPECT_EQ(error_of(good, {1, -1}),
            "error: tensor 'x' has no finite range: 1 to -1\n  [RIDGE-REWRITE-0003]\n");
  EXPECT_EQ(
      error_of(resolved(fmt::format(fmt::runtime(text), "nan"))),
      "error: node #0 (MatMul) has weights that are NaN or infinite\n  [RIDGE-REWRITE-0004]\n");
  EXPECT_EQ(error_of(resolved("graph main\ninput x[2,2] w[2,2]\nMatMul(x, w) -> y\noutput y")),
            "error: the model has no Conv, Gemm or MatMul of float32 activations with constant "
            "weights, so nothing would be int8\n  [RIDGE-REWRITE-0002]\n");
  const std::shared_ptr<onnx::Document> old =
      graph::Sketch::document(fmt::format(fmt::runtime(text), 4));
  const std::vector<onnx::OperatorSet> opsets = {{"", 12}};
  old->model.opsets = old->arena.copy(opsets);
  EXPECT_EQ(error_of(resolved(old)),
            "error: an int8 copy needs opset 13, for scales by channel; the model has opset 12\n"
            "  hint: export the model with a newer opset, or convert it\n"
            "  [RIDGE-REWRITE-0001]\n");
}

TEST(Quantize, WhatHasNoInt8FormStaysFloat) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[2,3] z[3,2]
    constant u[3,4] m[2,4] w[2,2]
    MatMul(x, z) -> two_activations
    Gemm(x, u, m) -> bias_of_two_rows
    MatMul(w, x) -> weights_on_the_left
    MatMul(x, u) -> y
    output two_activations bias_of_two_rows weights_on_the_left y)");
  EXPECT_EQ(quantized_nodes(r), std::vector<graph::NodeId>{3});
}

}  // namespace
}  // namespace ridge::rewrite
