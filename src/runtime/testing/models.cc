// SPDX-License-Identifier: Apache-2.0
#include "runtime/testing/models.h"

#include <span>
#include <string_view>
#include <vector>

#include "zoo/builder.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;

/// Builds documents by hand, for features that zoo::Builder lacks: bodies.
class Writer {
 public:
  explicit Writer(onnx::Document& document) : arena_(document.arena) {}

  onnx::Node node(std::string_view name, std::string_view op_type,
                  std::vector<std::string_view> inputs, std::string_view output,
                  std::vector<onnx::Attribute> attributes = {}) {
    onnx::Node node;
    node.name = arena_.copy(name);
    node.op_type = arena_.copy(op_type);
    node.inputs = copy(inputs);
    node.outputs = copy(std::vector<std::string_view>{output});
    node.attributes = arena_.copy(attributes);
    return node;
  }
  onnx::ValueInfo value(std::string_view name, DataType type, std::vector<std::int64_t> dims) {
    std::vector<onnx::Dimension> shape;
    for (const std::int64_t dim : dims) shape.push_back({.value = dim, .param = {}});
    onnx::ValueInfo value{.name = arena_.copy(name), .type = {}};
    value.type.kind = onnx::TypeKind::kTensor;
    value.type.elem_type = type;
    value.type.has_shape = true;
    value.type.shape = arena_.copy(shape);
    return value;
  }
  template <typename T>
  onnx::Tensor constant(std::string_view name, DataType type, std::vector<std::int64_t> dims,
                        std::vector<T> elements) {
    onnx::Tensor tensor;
    tensor.name = arena_.copy(name);
    tensor.type = type;
    tensor.dims = arena_.copy(dims);
    tensor.elements = static_cast<std::int64_t>(elements.size());
    tensor.storage = onnx::Storage::kInline;
    tensor.bytes = arena_.copy(std::as_bytes(std::span<const T>(elements)));
    return tensor;
  }
  onnx::Tensor seeded(std::string_view name, std::vector<std::int64_t> dims, float spread) {
    onnx::Tensor tensor;
    tensor.name = arena_.copy(name);
    tensor.type = DataType::kFloat;
    tensor.dims = arena_.copy(dims);
    tensor.elements = 1;
    for (const std::int64_t dim : dims) tensor.elements *= dim;
    tensor.storage = onnx::Storage::kSeeded;
    tensor.recipe = {.seed = 1, .mean = 0, .scale = spread};
    return tensor;
  }
  onnx::Graph graph(std::string_view name, std::vector<onnx::Node> nodes,
                    std::vector<onnx::Tensor> constants, std::vector<onnx::ValueInfo> inputs,
                    std::vector<onnx::ValueInfo> outputs) {
    onnx::Graph graph;
    graph.name = arena_.copy(name);
    graph.nodes = arena_.copy(nodes);
    graph.initializers = arena_.copy(constants);
    graph.inputs = arena_.copy(inputs);
    graph.outputs = arena_.copy(outputs);
    return graph;
  }
  onnx::Attribute body(std::string_view name, const onnx::Graph& graph) {
    onnx::Attribute attribute;
    attribute.name = arena_.copy(name);
    attribute.type = onnx::AttributeType::kGraph;
    attribute.g = arena_.make(graph);
    return attribute;
  }
  onnx::Model model(const onnx::Graph& graph, std::string_view domain = "") {
    std::vector<onnx::OperatorSet> opsets = {{.domain = "", .version = 17}};
    if (!domain.empty()) opsets.push_back({.domain = arena_.copy(domain), .version = 1});
    onnx::Model model;
    model.ir_version = 8;
    model.opsets = arena_.copy(opsets);
    model.graph = graph;
    return model;
  }

 private:
  std::span<const Text> copy(const std::vector<std::string_view>& names) {
    std::vector<Text> kept;
    for (const std::string_view name : names) kept.push_back(arena_.copy(name));
    return arena_.copy(kept);
  }
  Arena& arena_;
};

}  // namespace

onnx::Document conv_net() {
  zoo::Builder b("conv_net");
  zoo::Tensor x = b.input("x", DataType::kFloat, {1, 8, 16, 16}, 8);
  x = b.relu("relu1", b.conv("conv1", x, {.out = 16, .kernel = 3, .pad = 1, .bias = true}));
  const zoo::Tensor side = b.conv("conv2", x, {.out = 16, .kernel = 3, .pad = 1});
  x = b.relu("relu2", b.add(side, x));
  x = b.global_average_pool("pool2", b.max_pool("pool1", x, {.kernel = 2, .stride = 2}));
  b.output("y", x, {1, 16, 1, 1});
  return std::move(b).finish();
}

onnx::Document branching(std::int64_t n) {
  onnx::Document document;
  Writer w(document);
  const auto square = [&](std::string_view name) {
    return w.value(name, DataType::kFloat, {n, n});
  };
  const onnx::Graph yes = w.graph(
      "yes",
      {w.node("product", "MatMul", {"a", "w"}, "p"), w.node("tanh", "Tanh", {"p"}, "yes_out")}, {},
      {}, {square("yes_out")});
  const onnx::Graph no =
      w.graph("no", {w.node("neg", "Neg", {"a"}, "no_out")}, {}, {}, {square("no_out")});
  document.model =
      w.model(w.graph("branching",
                      {w.node("relu", "Relu", {"x"}, "a"),
                       w.node("choice", "If", {"flag"}, "c",
                              {w.body("then_branch", yes), w.body("else_branch", no)}),
                       w.node("sigmoid", "Sigmoid", {"c"}, "y")},
                      {w.seeded("w", {n, n}, 0.1F)},
                      {square("x"), w.value("flag", DataType::kBool, {1})}, {square("y")}));
  return document;
}

onnx::Document looping(std::int64_t n, std::int64_t trips) {
  onnx::Document document;
  Writer w(document);
  const auto square = [&](std::string_view name) {
    return w.value(name, DataType::kFloat, {n, n});
  };
  const onnx::Graph body = w.graph(
      "body",
      {w.node("go", "Identity", {"go_in"}, "go_out"), w.node("product", "MatMul", {"s", "s"}, "p"),
       w.node("tanh", "Tanh", {"p"}, "s_out")},
      {}, {w.value("i", DataType::kInt64, {}), w.value("go_in", DataType::kBool, {}), square("s")},
      {w.value("go_out", DataType::kBool, {}), square("s_out")});
  document.model =
      w.model(w.graph("looping",
                      {w.node("loop", "Loop", {"trips", "", "x"}, "l", {w.body("body", body)}),
                       w.node("relu", "Relu", {"l"}, "y")},
                      {w.constant<std::int64_t>("trips", DataType::kInt64, {}, {trips})},
                      {square("x")}, {square("y")}));
  return document;
}

onnx::Document product(std::int64_t n) {
  onnx::Document document;
  Writer w(document);
  document.model = w.model(
      w.graph("g", {w.node("product", "MatMul", {"w", "x"}, "y")}, {w.seeded("w", {n, n}, 0.1F)},
              {w.value("x", DataType::kFloat, {n, 1})}, {w.value("y", DataType::kFloat, {n, 1})}));
  return document;
}

onnx::Document expanding(std::int64_t elements) {
  onnx::Document document;
  Writer w(document);
  document.model = w.model(
      w.graph("expanding",
              {w.node("expand", "Expand", {"x", "shape"}, "e"), w.node("abs", "Abs", {"e"}, "y")},
              {w.constant<std::int64_t>("shape", DataType::kInt64, {1}, {elements})},
              {w.value("x", DataType::kFloat, {1})}, {w.value("y", DataType::kFloat, {elements})}));
  return document;
}

onnx::Document single(const std::string& op_type, const std::string& domain) {
  onnx::Document document;
  Writer w(document);
  onnx::Node node = w.node("only", op_type, {"x"}, "y");
  node.domain = document.arena.copy(domain);
  document.model = w.model(w.graph("single", {node}, {}, {w.value("x", DataType::kFloat, {4})},
                                   {w.value("y", DataType::kFloat, {4})}),
                           domain);
  return document;
}

}  // namespace ridge::runtime
