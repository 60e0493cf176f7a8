// SPDX-License-Identifier: Apache-2.0
#include "attribution/canonical.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"
#include "attribution/names.h"
#include "onnx/reader.h"
#include "onnx/writer.h"

namespace ridge::attribution {
namespace {

using analysis::testing::resolved;

/// Formats the copy's nodes in sketch syntax, one per line, each body in braces after its owner.
std::string shown_graph(const onnx::Graph& graph) {
  std::string out;
  const auto list = [](const auto& names) {
    std::string text;
    for (const std::string_view n : names)
      text += (text.empty() ? "" : ", ") + (n.empty() ? "_" : std::string(n));
    return text;
  };
  for (const onnx::Node& n : graph.nodes) {
    out += fmt::format("{}: {}({}) -> {}\n", n.name, n.op_type, list(n.inputs), list(n.outputs));
    for (const onnx::Attribute& a : n.attributes)
      if (a.g != nullptr) out += fmt::format("{} {{\n{}}}\n", a.name, shown_graph(*a.g));
  }
  return out;
}

Canonical copy_of(std::string_view text, const CanonicalOptions& options = {}) {
  Result<Canonical> copy = canonicalise(resolved(text), options);
  if (!copy.ok()) throw std::runtime_error(copy.error().text());
  return std::move(copy).value();
}

std::string names(std::span<const onnx::ValueInfo> infos) {
  std::string text;
  for (const onnx::ValueInfo& v : infos) {
    text += (text.empty() ? "" : " ") + std::string(v.name);
    if (!v.type.has_shape) continue;
    std::string dims;
    for (const onnx::Dimension& d : v.type.shape)
      dims += fmt::format("{}{}", dims.empty() ? "" : "x", d.value);
    text += "[" + dims + "]";
  }
  return text;
}

TEST(Canonical, NamesEveryNodeAndTensorAndKeepsInputsAndOutputs) {
  const Canonical copy = copy_of(R"(graph main
    input x[n,8]
    constant w[8,4]
    same: MatMul(x, w) -> a
    same: Relu(a) -> b
    Tanh(b) -> y
    output y)");
  EXPECT_EQ(shown_graph(copy.document->model.graph),
            "r0: MatMul(x, w1) -> r0.0\nr1: Relu(r0.0) -> r1.0\nr2: Tanh(r1.0) -> y\n");
  EXPECT_EQ(names(copy.document->model.graph.inputs), "x[1x8]");
  EXPECT_EQ(names(copy.document->model.graph.outputs), "y");
  ASSERT_EQ(copy.weights.size(), 1U);
  EXPECT_EQ(copy.weights[0].name, "w1");
}

TEST(Canonical, RenamesInputsAndOutputsThatCouldBeMistaken) {
  const Canonical copy = copy_of("graph main\n input r1[2]\n Relu(r1) -> r0.0\n output r0.0");
  EXPECT_EQ(shown_graph(copy.document->model.graph), "r0: Relu(ridge.in0) -> ridge.out0\n");
  EXPECT_EQ(copy.inputs[0].original_name, "r1");
  EXPECT_EQ(copy.inputs[0].name, "ridge.in0");
  EXPECT_EQ(copy.outputs[0].name, "ridge.out0");
}

TEST(Canonical, PutsBodiesOfFunctionsInPlaceOfCalls) {
  const Canonical copy = copy_of(R"(graph main
    input x[2]
    local.Twice(x) -> a
    Relu(a) -> y
    output y
  function local.Twice
    input t
    output u
    Add(t, t) -> u)");
  EXPECT_EQ(shown_graph(copy.document->model.graph),
            "r2: Add(x, x) -> r2.0\nr1: Relu(r2.0) -> y\n");
  EXPECT_TRUE(copy.document->model.functions.empty());
}

TEST(Canonical, CopiesWhatACallHandsThrough) {
  const Canonical copy = copy_of(R"(graph main
    input x[2]
    local.Nothing(x) -> y
    output y
  function local.Nothing
    input t
    output t)");
  EXPECT_EQ(shown_graph(copy.document->model.graph), "ridge.alias.y: Identity(x) -> y\n");
}

TEST(Canonical, OrdersNodesThatTheFileDoesNot) {
  const Canonical copy =
      copy_of("graph main\n input x[2]\n Relu(a) -> y\n Tanh(x) -> a\n output y");
  EXPECT_EQ(shown_graph(copy.document->model.graph), "r1: Tanh(x) -> r1.0\nr0: Relu(r1.0) -> y\n");
}

TEST(Canonical, MovesWeightsOfBodiesToTheMainGraph) {
  const Canonical copy = copy_of(R"(graph main
    input x[2,2]
    flags c[]=1
    If(c) {then_branch=graph:yes else_branch=graph:no} -> y
    output y
  graph yes
    constant w[2,2]
    MatMul(x, w) -> a
    output a
  graph no
    constant v[2,2]
    output v)");
  EXPECT_EQ(shown_graph(copy.document->model.graph),
            "r0: If(w1) -> y\n"
            "then_branch {\nr1: MatMul(x, w3) -> r1.0\n}\n"
            "else_branch {\nridge.alias.ridge.g2.0: Identity(w5) -> ridge.g2.0\n}\n");
  EXPECT_EQ(copy.weights.size(), 2U);
}

TEST(Canonical, SaysOfABodysInputsWhatIsTrueOfEveryTrip) {
  const Canonical copy = copy_of(R"(graph main
    input x[2,2] g[1,2]
    integers n[]=3
    Loop(n, _, x, g) {body=graph:body} -> y, z
    output y z
  graph body
    input i:int64[] go:bool[] s t
    Identity(go) -> more
    Relu(s) -> next
    Concat(t, t) {axis=0} -> grown
    output more next grown)");
  const onnx::Graph& body = *copy.document->model.graph.nodes[0].attributes[0].g;
  EXPECT_EQ(names(body.inputs), "b5[] b6[] b7[2x2] b8[-1x2]");
}

TEST(Canonical, DeclaresWhatASequenceHolds) {
  const Canonical copy = copy_of(R"(graph main
    input x[2,2]
    integers n[]=3
    SequenceConstruct(x) -> some
    Loop(n, _, some) {body=graph:body} -> y
    output y:sequence
  graph body
    input i:int64[] go:bool[] s
    Identity(go) -> more
    SequenceInsert(s, x) -> next
    output more next)");
  const onnx::TypeInfo& out = copy.document->model.graph.outputs[0].type;
  ASSERT_EQ(out.kind, onnx::TypeKind::kSequence);
  EXPECT_EQ(out.element->elem_type, onnx::DataType::kFloat);
}

TEST(Canonical, TurnsIdleDropoutIntoIdentity) {
  const Canonical copy = copy_of(R"(graph main
    input x[4]
    flags train[]=1
    constant ratio[]
    Dropout(x) -> a
    Dropout(a, ratio, train) -> y
    output y)");
  EXPECT_EQ(shown_graph(copy.document->model.graph),
            "r0: Identity(x) -> r0.0\nr1: Dropout(r0.0, w2, w1) -> y\n");
  EXPECT_TRUE(copy.identity[0]);
  EXPECT_FALSE(copy.identity[1]);
}

constexpr std::string_view kConstantWeight = R"(graph main
  input x[1,8,4,4] z[2,3]
  integers shape[4]=16,8,3,3 mask[2]=2,3 at[1,1]=1
  constant row[1,3]
  weight: ConstantOfShape(shape) -> w
  Conv(x, w) -> y
  zeros: ConstantOfShape(mask) -> m
  ScatterND(m, at, row) -> s
  Mul(z, s) -> t
  output y t)";

TEST(Canonical, SeedsWeightsGivenAsConstants) {
  const Canonical copy = copy_of(kConstantWeight, {.seed = 7});
  EXPECT_TRUE(copy.seeded[0]);
  EXPECT_FALSE(copy.seeded[2]) << "a scatter writes into it: no weight";
  const onnx::Tensor* weight = nullptr;
  for (const WeightSource& w : copy.weights)
    if (w.name == "r0.0") weight = w.tensor;
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->elements, 16 * 8 * 9);
  // He: variance 2 / 72, uniformly distributed.
  EXPECT_NEAR(weight->recipe.scale, std::sqrt(3.0 * 2 / 72), 1e-6);
  EXPECT_EQ(weight->recipe.mean, 0);
}

TEST(Canonical, LeavesConstantsAloneWhereAsked) {
  const Canonical copy =
      copy_of(kConstantWeight, {.constants = CanonicalOptions::Constants::kAsIs});
  EXPECT_FALSE(copy.seeded[0]);
  EXPECT_EQ(copy.document->model.graph.nodes.size(), 5U);
}

TEST(Canonical, BytesHoldTheStructureWithoutWeights) {
  const Canonical copy = copy_of(
      "graph main\n input x[1,4096]\n constant w[4096,4096]\n MatMul(x, w) -> y\n output y");
  EXPECT_LT(copy.bytes.size(), 1000U);
  Result<onnx::Document> read = onnx::read_bytes(copy.bytes, "copy");
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(shown_graph(read->model.graph), shown_graph(copy.document->model.graph));
}

TEST(Names, WhatARuntimeSaysIsToldInTheModelsNames) {
  const analysis::Resolved r = resolved(R"(
      graph main
        input image[2,3]
        constant weight[3,4]
        conv1: MatMul(image, weight) -> features
        Relu(features) -> y
        output y)");
  const auto told = [&](std::string_view text) { return with_original_names(text, r.model()); };
  EXPECT_EQ(told("running MatMul node. Name:'r0' Status"),
            "running MatMul node. Name:'conv1' Status");
  EXPECT_EQ(told("(r1) Op (Relu): r0.0."), "(Relu #1) Op (Relu): features.");
  EXPECT_EQ(told("r0/MatMulAddFusion r7 r0x r_0"), "r0/MatMulAddFusion r7 r0x r_0");
  EXPECT_EQ(told(""), "");
}

}  // namespace
}  // namespace ridge::attribution
