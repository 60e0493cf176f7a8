// SPDX-License-Identifier: Apache-2.0
#include "graph/model.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "graph/sketch.h"

namespace ridge::graph {
namespace {

Result<Model> build(std::string_view text, const BuildLimits& limits = {}) {
  return Model::build(Sketch::document(text), limits);
}

/// One line per node: "index parent name(inputs)->outputs", values as name@graph.
std::string rows(const Model& m) {
  const auto list = [&](std::span<const ValueId> ids) {
    std::string text;
    for (const ValueId v : ids) {
      if (!text.empty()) text += ' ';
      text += v == kNone ? "_" : fmt::format("{}@{}", m.value(v).name, m.value(v).graph);
    }
    return text;
  };
  std::string text;
  for (NodeId n = 0; n < m.nodes().size(); ++n) {
    const Node& node = m.node(n);
    const std::string parent = node.parent == kNone ? "-" : std::to_string(node.parent);
    text += fmt::format("{} {} {}({})->{}\n", n, parent, node.name, list(node.inputs),
                        list(node.outputs));
  }
  return text;
}

std::string order(const Model& m, GraphId g = 0) {
  std::string text;
  for (const NodeId n : m.graphs()[g].order) text += m.node(n).name;
  return text;
}

std::string model_error(std::string_view text, const BuildLimits& limits = {}) {
  const Result<Model> m = build(text, limits);
  return m.ok() ? "no error" : m.error().text();
}

TEST(Model, NumbersNodesOfTheMainGraphThenBodiesDepthFirst) {
  const auto m = build(R"(
    graph main
      input c x
      a: If(c) {then_branch=graph:t else_branch=graph:e} -> p
      b: Relu(p) -> q
      c: Loop(_, c, q) {body=graph:l} -> r
      output r
    graph t
      t1: If(c) {then_branch=graph:deep else_branch=graph:deep} -> o
      t2: Relu(o) -> o2
      output o2
    graph e
      e1: Neg(x) -> o
      output o
    graph deep
      d: Abs(x) -> o
      output o
    graph l
      input i cond carried
      l1: Add(carried, x) -> s
      output cond s
  )");
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_EQ(rows(*m),
            "0 - a(c@0)->p@0\n"
            "1 - b(p@0)->q@0\n"
            "2 - c(_ c@0 q@0)->r@0\n"
            "3 0 t1(c@0)->o@1\n"
            "4 0 t2(o@1)->o2@1\n"
            "5 3 d(x@0)->o@2\n"
            "6 3 d(x@0)->o@3\n"
            "7 0 e1(x@0)->o@4\n"
            "8 2 l1(carried@5 x@0)->s@5\n");
  EXPECT_EQ(m->node(0).bodies.size(), 2U);
  EXPECT_EQ(m->graphs()[m->node(0).bodies[1]].first, 7U);
  EXPECT_EQ(m->graphs()[5].owner, 2U);
}

TEST(Model, ExpandsFunctionsPerCallSiteAfterAllBodies) {
  const auto m = build(R"(
    graph main
      input c x
      one: my.Twice(x) -> y
      two: my.Twice(y) -> z
      if: If(c) {then_branch=graph:t} -> w
      output z w
    graph t
      three: my.Twice(x) -> o
      output o
    function my.Twice
      input v
      inner: my.Once(v) -> u
      again: my.Once(u) -> r
      output r
    function my.Once
      input v
      relu: Relu(v) -> r
      output r
  )");
  ASSERT_TRUE(m.ok()) << m.error().text();
  std::string calls;
  for (NodeId n = 0; n < m->nodes().size(); ++n)
    calls += fmt::format("{}{}<{} ", n, m->node(n).name, static_cast<int>(m->node(n).parent));
  EXPECT_EQ(calls,
            "0one<-1 1two<-1 2if<-1 3three<2 4inner<0 5again<0 6inner<1 7again<1 8inner<3 9again<3 "
            "10relu<4 11relu<5 12relu<6 13relu<7 14relu<8 15relu<9 ");
}

TEST(Model, AFunctionSeesNothingOutsideItself) {
  EXPECT_EQ(model_error(R"(
    graph main
      input x
      call: my.F(x) -> y
      output y
    function my.F
      input v
      add: Add(v, x) -> r
      output r
  )"),
            "error: sketch: graph 'main' > node #0 'call' > function 'my:F' > node #1 'add' > "
            "input 1 'x': this value is undefined\n"
            "  no input, initializer or node output of this or an enclosing graph has this name\n"
            "  hint: the graph may have been cut out of a larger one; export the model again\n"
            "  [RIDGE-GRAPH-0001]\n");
}

TEST(Model, TheNearestDefinitionOutwardsIsMeant) {
  const auto m = build(R"(
    graph main
      input c x
      constant w[4]
      if: If(c) {then_branch=graph:t} -> y
      output y
    graph t
      constant w[2]
      add: Add(x, w) -> o
      relu: Relu(late) -> r
      late: Neg(o) -> late
      output r
  )");
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_EQ(rows(*m),
            "0 - if(c@0)->y@0\n"
            "1 0 add(x@0 w@1)->o@1\n"
            "2 0 relu(late@1)->r@1\n"
            "3 0 late(o@1)->late@1\n");
  EXPECT_FALSE(m->graphs()[1].sorted);
  EXPECT_EQ(order(*m, 1), "addlaterelu");
}

TEST(Model, ReplacesAttributeReferencesByWhatTheCallerGives) {
  const auto m = build(R"(
    graph main
      input x
      a: my.Outer(x) {n=7} -> y
      b: my.Outer(y) -> z
      output z
    function my.Outer
      input v
      attribute n=3
      inner: my.Inner(v) {k=@n gone=@nobody} -> r
      output r
    function my.Inner
      input v
      op: Op(v) {axis=@k fixed=1 absent=@gone} -> r
      output r
  )");
  ASSERT_TRUE(m.ok()) << m.error().text();
  std::string seen;
  for (const Node& n : m->nodes()) {
    if (n.op_type != "Op") continue;
    for (const onnx::Attribute& a : n.attributes) seen += fmt::format("{}={} ", a.name, a.i);
    EXPECT_EQ(attribute(n, "absent"), nullptr);
  }
  EXPECT_EQ(seen, "axis=7 fixed=1 axis=3 fixed=1 ");
}

TEST(Model, ABodyGivenToAFunctionSeesTheNamesOfItsCaller) {
  const auto m = build(R"(
    graph main
      input c x
      call: my.Run(c) {body=graph:b} -> y
      output y
    graph b
      neg: Neg(x) -> o
      output o
    function my.Run
      input k
      if: If(k) {then_branch=@body} -> r
      output r
  )");
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_EQ(rows(*m),
            "0 - call(c@0)->y@0\n"
            "1 0 if(k@1)->r@1\n"
            "2 1 neg(x@0)->o@2\n");
}

TEST(Model, AReferenceOutsideAFunctionIsRefused) {
  EXPECT_EQ(model_error("graph g\n input x\n a: Op(x) {k=@n} -> y\n output y"),
            "error: sketch: graph 'g' > node #0 'a': attribute 'k' refers to the caller's "
            "attribute 'n' outside a function\n"
            "  hint: only nodes of a function's body may refer to attributes of the call; export "
            "the model again\n"
            "  [RIDGE-GRAPH-0010]\n");
}

TEST(Model, AnUnsortedFileGetsATopologicalOrder) {
  const auto m = build(R"(
    graph g
      input x
      d: Add(b, c) -> d
      c: Relu(b) -> c
      b: Relu(x) -> b
      e: Relu(d) -> e
      output e
  )");
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_FALSE(m->main().sorted);
  EXPECT_EQ(order(*m), "bcde");
  EXPECT_EQ(m->node(0).name, "d") << "indices stay those of the file";
}

TEST(Model, ABodyThatCapturesALaterValueWaitsForIt) {
  const auto m = build(R"(
    graph g
      input c x
      if: If(c) {then_branch=graph:t} -> y
      late: Relu(x) -> l
      output y
    graph t
      n: Neg(l) -> o
      output o
  )");
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_FALSE(m->main().sorted);
  EXPECT_EQ(order(*m), "lateif");
}

TEST(Model, ACycleIsNamedNodeByNode) {
  EXPECT_EQ(
      model_error(
          "graph g\n input x\n p: Relu(x) -> o\n a: Add(o, c) -> b\n b: Relu(b) -> c\n output c"),
      "error: sketch: graph 'g': nodes form a cycle\n"
      "  node #1 'a' reads from node #2 'b' reads from node #1 'a'\n"
      "  hint: an ONNX graph has no cycles; use Loop or Scan for repetition\n"
      "  [RIDGE-GRAPH-0003]\n");
  EXPECT_EQ(model_error("graph g\n Relu(a) -> a\n output a"),
            "error: sketch: graph 'g': nodes form a cycle\n"
            "  node #0 (Relu) reads from node #0 (Relu)\n"
            "  hint: an ONNX graph has no cycles; use Loop or Scan for repetition\n"
            "  [RIDGE-GRAPH-0003]\n");
}

TEST(Model, ABodyThatReadsItsOwnersOutputIsACycle) {
  EXPECT_NE(
      model_error("graph g\n input c\n a: If(c) {then_branch=graph:t} -> y\n output y\n graph "
                  "t\n Neg(y) -> o\n output o")
          .find("node #0 'a' reads from node #0 'a'"),
      std::string::npos);
}

TEST(Model, TwoDefinitionsOfAValueAreRefused) {
  EXPECT_EQ(model_error("graph g\n input x\n a: Relu(x) -> y\n b: Abs(x) -> _, y\n output y"),
            "error: sketch: graph 'g': value 'y' is defined twice\n"
            "  first defined as output 0 of node #0 'a', then as output 1 of node #1 'b'\n"
            "  hint: every value must have one definition; rename one of the two and its uses\n"
            "  [RIDGE-GRAPH-0002]\n");
  EXPECT_NE(model_error("graph g\n input x\n a: Relu(x) -> x\n output x")
                .find("first defined as an input of the graph, then as output 0"),
            std::string::npos);
}

TEST(Model, AnOutputThatNothingProducesIsRefused) {
  EXPECT_EQ(model_error("graph g\n input x\n a: Relu(x) -> y\n output y z"),
            "error: sketch: graph 'g' > output 1 'z': this output is undefined\n"
            "  no input, initializer or node output of the graph has the name\n"
            "  hint: the graph may have been cut out of a larger one; export the model again\n"
            "  [RIDGE-GRAPH-0004]\n");
}

TEST(Model, AnInitializerIsTheDefaultOfTheInputOfItsName) {
  auto doc = Sketch::document(
      "graph g\n input x w\n constant w[4] v[4]\n a: Add(x, w) -> s\n b: Add(s, v) -> y\n output "
      "y");
  const auto m = Model::build(doc);
  ASSERT_TRUE(m.ok());
  ASSERT_EQ(m->main().inputs.size(), 2U);
  const Value& w = m->value(m->main().inputs[1]);
  EXPECT_EQ(w.kind, ValueKind::kInput);
  EXPECT_EQ(w.tensor, doc->model.graph.initializers.data());
  EXPECT_EQ(m->value(m->node(1).inputs[1]).kind, ValueKind::kConstant);
}

TEST(Model, BeforeIrVersion4AListedInitializerIsAConstant) {
  auto doc = Sketch::document("graph g\n input x w\n constant w[4]\n a: Add(x, w) -> y\n output y");
  doc->model.ir_version = 3;
  const auto m = Model::build(doc);
  ASSERT_TRUE(m.ok());
  ASSERT_EQ(m->main().inputs.size(), 1U);
  EXPECT_EQ(m->value(m->node(0).inputs[1]).kind, ValueKind::kConstant);
}

TEST(Model, ConsumersAreEachOnceAscendingWithCaptures) {
  const auto m = build(R"(
    graph g
      input c x
      a: Mul(x, x) -> y
      if: If(c) {then_branch=graph:t} -> z
      b: Add(x, z) -> o
      output o
    graph t
      n: Neg(x) -> o
      output o
  )");
  ASSERT_TRUE(m.ok());
  const auto readers = m->consumers(m->main().inputs[1]);
  EXPECT_EQ(std::vector<NodeId>(readers.begin(), readers.end()), (std::vector<NodeId>{0, 2, 3}));
  EXPECT_TRUE(m->consumers(m->node(2).outputs[0]).empty());
}

TEST(Model, AMissingOrImpossibleOpsetIsRefused) {
  auto doc = Sketch::document("graph g\n input x\n a: Relu(x) -> y\n output y");
  const onnx::OperatorSet huge[] = {{"", std::int64_t{1} << 62}},
                          both[] = {{"", 13}, {"ai.onnx", 17}};
  doc->model.opsets = {};
  EXPECT_EQ(
      Model::build(doc).error().text(),
      "error: sketch: graph 'g' > node #0 'a': the model does not import the default operator set\n"
      "  opset_import has no entry for domain '' (IR version 8)\n"
      "  hint: export the model again, or add the opset_import that it was written for\n"
      "  [RIDGE-GRAPH-0014]\n");
  doc->model.opsets = huge;
  EXPECT_EQ(Model::build(doc).error().text(),
            "error: sketch: opset_import of domain '' has the invalid version 4611686018427387904\n"
            "  hint: versions start at 1; the file is damaged or not written by an ONNX exporter\n"
            "  [RIDGE-GRAPH-0011]\n");
  doc->model.opsets = both;
  EXPECT_EQ(Model::build(doc).error().text(),
            "error: sketch: domain '' is imported at versions 13 and 17\n"
            "  hint: keep one opset_import per domain\n"
            "  [RIDGE-GRAPH-0013]\n");
}

TEST(Model, KnowsTheOpsetOfEachDomain) {
  const auto m = build("graph g\n input x\n Relu(x) -> y\n com.microsoft.Gelu(y) -> z\n output z");
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->node(0).opset, 17);
  EXPECT_EQ(m->node(1).opset, 1);
}

}  // namespace
}  // namespace ridge::graph
