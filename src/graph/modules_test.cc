// SPDX-License-Identifier: Apache-2.0
#include "graph/modules.h"

#include <gtest/gtest.h>

#include "graph/sketch.h"

namespace ridge::graph {
namespace {

std::string path_of(std::string_view name, std::vector<onnx::Property> metadata = {}) {
  Arena arena;
  ModuleTree tree(arena);
  onnx::Node node;
  node.name = std::string_view(name);
  const onnx::NodeExtra extra{.metadata = std::span(metadata)};
  node.extra = &extra;
  const ModuleId id = tree.place(node, 0, 0);
  return std::string(tree.take()[id].path);
}

TEST(Modules, AreTheScopesOfANodesName) {
  EXPECT_EQ(path_of("/layer1/layer1.0/conv1/Conv"), "layer1/layer1.0/conv1");
  EXPECT_EQ(path_of("StatefulPartitionedCall/dense/MatMul"), "StatefulPartitionedCall/dense");
  EXPECT_EQ(path_of("/Conv"), "");
  EXPECT_EQ(path_of("Conv_12"), "");
  EXPECT_EQ(path_of(""), "");
  EXPECT_EQ(path_of("///"), "");
  EXPECT_EQ(path_of("//a///b//Conv"), "a/b");
}

TEST(Modules, OfTheTorchExportMetadataAreThoseOfTheOlderExporter) {
  EXPECT_EQ(path_of("node_conv", {{"pkg.torch.onnx.name_scopes",
                                   "['', 'layer1', 'layer1.0', 'layer1.0.conv1', 'conv2d_1']"}}),
            "layer1/layer1.0/conv1");
  EXPECT_EQ(path_of("node_linear",
                    {{"pkg.torch.onnx.name_scopes", R"(['', "it's", 'a.2.0', 'linear'])"}}),
            "it's/a.2.0");
  EXPECT_EQ(
      path_of(
          "node_linear",
          {{"namespace",
            ": Net/network: torch.nn.Sequential/network.0: torch.nn.Linear/linear: aten.linear"}}),
      "network/network.0");
  EXPECT_EQ(path_of("/a/b/Conv", {{"pkg.torch.onnx.name_scopes", "['', 'linear']"}}), "")
      << "metadata goes before the name";
  EXPECT_EQ(path_of("/a/b/Conv", {{"pkg.torch.onnx.name_scopes", "[1, 2]"}}), "a/b")
      << "what is no such list says nothing";
}

TEST(Modules, UnqualifiedKeepsThePartBeforeNumbers) {
  EXPECT_EQ(unqualified("layer1.0.conv1"), "conv1");
  EXPECT_EQ(unqualified("layer1.0"), "layer1.0");
  EXPECT_EQ(unqualified("features.0.1"), "features.0.1");
  EXPECT_EQ(unqualified("0.1"), "0.1");
  EXPECT_EQ(unqualified(""), "");
}

TEST(Modules, HaveTheirParentsInTheTree) {
  Arena arena;
  ModuleTree tree(arena);
  onnx::Node node;
  node.name = "/a/b/c/Conv";
  tree.place(node, 0, 0);
  node.name = "/a/d/Conv";
  tree.place(node, 0, 0);
  std::string text;
  for (const Module& m : tree.take())
    text += std::string(m.path) + ":" + std::to_string(m.depth) + " ";
  EXPECT_EQ(text, ":0 a:1 a/b:2 a/b/c:3 a/d:2 ");
}

TEST(Modules, HostileDepthIsCut) {
  std::string name;
  for (int i = 0; i < 100'000; ++i) name += "/x";
  Arena arena;
  ModuleTree tree(arena);
  onnx::Node node;
  node.name = std::string_view(name);
  EXPECT_EQ(tree.place(node, 0, 0), kMaxModuleDepth);
  EXPECT_EQ(tree.take().size(), kMaxModuleDepth + 1);
}

TEST(Modules, OfBodiesAndCallsComeFromTheNodeAround) {
  const auto m = Model::build(Sketch::document(R"(
    graph g
      input c x
      /enc/If_0: If(c) {then_branch=graph:t} -> y
      /enc/fc1: my.Linear(y) -> z
      my.Linear(z) -> o
      output o
    graph t
      plain: Neg(x) -> n
      /enc/act/Relu: Relu(n) -> r
      output r
    function my.Linear
      input v
      mm: MatMul(v, v) -> a
      sub/Add: Add(a, v) -> r
      output r
  )"));
  ASSERT_TRUE(m.ok()) << m.error().text();
  std::string text;
  for (const Node& n : m->nodes())
    text += std::string(n.op_type) + ":" + std::string(m->modules()[n.module].path) + " ";
  EXPECT_EQ(text,
            "If:enc Linear:enc Linear: Neg:enc Relu:enc/act MatMul:enc/fc1 Add:enc/fc1/sub "
            "MatMul:Linear Add:Linear/sub ");
}

TEST(PythonList, IsOfStringsInBrackets) {
  using Items = std::vector<std::string>;
  EXPECT_EQ(parse_python_list("[]"), Items{});
  EXPECT_EQ(parse_python_list("['a', \"b\"]"), (Items{"a", "b"}));
  for (const std::string_view none : {"", "[", "]", "a", "['a'", "'a']"})
    EXPECT_EQ(parse_python_list(none), std::nullopt) << none;
}

}  // namespace
}  // namespace ridge::graph
