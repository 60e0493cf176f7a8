// SPDX-License-Identifier: Apache-2.0
#include "zoo/builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace ridge::zoo {
namespace {

std::vector<std::string> node_names(const onnx::Document& doc) {
  std::vector<std::string> names;
  for (const onnx::Node& n : doc.model.graph.nodes) names.emplace_back(n.name);
  return names;
}

const onnx::Tensor* tensor(const onnx::Document& doc, std::string_view name) {
  for (const onnx::Tensor& t : doc.model.graph.initializers)
    if (t.name == name) return &t;
  return nullptr;
}

onnx::Document small() {
  Builder b("small");
  Tensor x = b.input("input", onnx::DataType::kFloat, {"batch", 8, 4, 4}, 8);
  {
    const auto layer = b.module("layer1");
    const auto block = b.module("layer1.0");
    x = b.relu("relu", b.batch_norm("bn", b.conv("conv1", x,
                                                 {.out = 16, .kernel = 3, .pad = 1, .groups = 2})));
    x = b.relu("relu", x);
  }
  x = b.flatten(b.global_average_pool("", x));
  b.output("output", b.dense("fc", x, 5), {"batch", 5});
  return std::move(b).finish();
}

TEST(ZooBuilder, NamesNodesAndWeightsAsTheExporterDoes) {
  const onnx::Document doc = small();
  EXPECT_EQ(node_names(doc),
            (std::vector<std::string>{"/layer1/layer1.0/conv1/Conv",
                                      "/layer1/layer1.0/bn/BatchNormalization",
                                      "/layer1/layer1.0/relu/Relu", "/layer1/layer1.0/relu/Relu_1",
                                      "/GlobalAveragePool", "/Flatten", "/fc/Gemm"}));
  EXPECT_NE(tensor(doc, "layer1.0.conv1.weight"), nullptr);
  EXPECT_NE(tensor(doc, "layer1.0.bn.running_var"), nullptr);
  EXPECT_NE(tensor(doc, "fc.bias"), nullptr);
  EXPECT_EQ(doc.path, "zoo:small");
}

TEST(ZooBuilder, AnOutputHasTheNameAskedForWhereverItIsRead) {
  Builder b("two");
  const Tensor x = b.input("input", onnx::DataType::kFloat, {"batch", 8}, 8);
  const Tensor y = b.relu("", x);
  const Tensor z = b.add(y, y);
  b.output("hidden", y, {"batch", 8});
  b.output("output", z, {"batch", 8});
  const onnx::Document doc = std::move(b).finish();
  EXPECT_EQ(doc.model.graph.nodes[0].outputs[0], "hidden");
  EXPECT_EQ(doc.model.graph.nodes[1].inputs[1], "hidden");
  EXPECT_EQ(doc.model.graph.nodes[1].outputs[0], "output");
}

TEST(ZooBuilder, WeightsFitTheirLayerAndKeepVariance) {
  const onnx::Document doc = small();
  const onnx::Tensor& w = *tensor(doc, "layer1.0.conv1.weight");
  EXPECT_EQ(std::vector<std::int64_t>(w.dims.begin(), w.dims.end()),
            (std::vector<std::int64_t>{16, 4, 3, 3}));
  ASSERT_EQ(w.storage, onnx::Storage::kSeeded);
  std::vector<float> elements(static_cast<std::size_t>(w.elements));
  fill(w.recipe, 0, elements);
  double square = 0;
  for (const float e : elements) square += static_cast<double>(e) * e;
  EXPECT_NEAR(square / static_cast<double>(elements.size()) * 4 * 9, 2, 0.3)
      << "variance 2 / fan-in (He et al. 2015)";
}

TEST(ZooBuilder, ConstantsOfOneValueAreStoredOnce) {
  Builder b("constants");
  const Tensor a = b.ints({0, -1, 12}), c = b.ints({0, -1, 12}), d = b.ints({0, 1, 12});
  EXPECT_EQ(a.name, c.name);
  EXPECT_NE(a.name, d.name);
  EXPECT_NE(b.integer(1).name, b.ints({1}).name) << "a scalar is no vector";
  const onnx::Document doc = std::move(b).finish();
  const onnx::Tensor& t = *tensor(doc, a.name);
  std::int64_t values[3];
  ASSERT_EQ(t.bytes.size(), sizeof values);
  std::memcpy(values, t.bytes.data(), sizeof values);
  EXPECT_EQ(values[1], -1);
}

}  // namespace
}  // namespace ridge::zoo
