#include "zoo/zoo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/model.h"
#include "zoo/source.h"

namespace ridge::zoo {
namespace {

onnx::Document built(std::string_view name) { return make(name).value(); }

/// Floating constants of more than one element, BatchNormalization's mean and variance left out.
std::int64_t parameters(const onnx::Document& doc) {
  std::set<std::string_view> statistics;
  for (const onnx::Node& n : doc.model.graph.nodes)
    if (n.op_type == "BatchNormalization") statistics.insert(n.inputs.begin() + 3, n.inputs.end());
  std::int64_t sum = 0;
  for (const onnx::Tensor& t : doc.model.graph.initializers)
    if (t.type == onnx::DataType::kFloat && t.elements > 1 && !statistics.contains(t.name))
      sum += t.elements;
  return sum;
}

TEST(Zoo, HasThePublishedNumberOfParameters) {
  // torchvision and Hugging Face, parameters of the modules before any folding.
  EXPECT_EQ(parameters(built("bert_base")), 109'482'240);
  EXPECT_EQ(parameters(built("efficientnet_b0")), 5'288'548);
  EXPECT_EQ(parameters(built("gpt2")), 124'439'808);
  EXPECT_EQ(parameters(built("mobilenet_v2")), 3'504'872);
  EXPECT_EQ(parameters(built("resnet50")), 25'557'032);
  EXPECT_EQ(parameters(built("vit_b_16")), 86'567'656);
}

TEST(Zoo, IsSortedAndComplete) {
  std::vector<std::string> names;
  for (const Entry& e : entries()) {
    names.emplace_back(e.name);
    EXPECT_FALSE(e.description.empty());
    EXPECT_FALSE(e.paper.empty());
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names.size(), 6U);
}

TEST(Zoo, EveryFreeSizeHasADefault) {
  for (const Entry& e : entries()) {
    const onnx::Document doc = built(e.name);
    std::set<std::string_view> free, sizes;
    for (const auto& list : {doc.model.graph.inputs, doc.model.graph.outputs})
      for (const onnx::ValueInfo& v : list)
        for (const onnx::Dimension& d : v.type.shape)
          if (!d.param.empty()) free.insert(d.param);
    for (const DefaultSize& s : e.sizes) sizes.insert(s.name);
    EXPECT_EQ(free, sizes) << e.name;
  }
}

TEST(Zoo, NoTwoWeightsShareASeed) {
  std::map<std::uint64_t, std::string> seeds;
  for (const Entry& e : entries()) {
    const onnx::Document doc = built(e.name);
    for (const onnx::Tensor& t : doc.model.graph.initializers) {
      if (t.storage != onnx::Storage::kSeeded) continue;
      const std::string name = std::string(e.name) + "/" + std::string(t.name);
      const auto [at, fresh] = seeds.emplace(t.recipe.seed, name);
      EXPECT_TRUE(fresh) << name << " and " << at->second;
      EXPECT_GT(t.recipe.scale, 0) << name;
      const bool variance = t.name.ends_with("running_var");
      EXPECT_TRUE(!variance || t.recipe.mean > 2 * t.recipe.scale) << name;
    }
  }
}

TEST(Zoo, NodesStandInTheModulesOfTheOriginal) {
  const auto paths = [](std::string_view name) {
    const auto model = graph::Model::build(std::make_shared<onnx::Document>(built(name)));
    std::set<std::string> set;
    for (const graph::Module& m : model->modules()) set.emplace(m.path);
    EXPECT_TRUE(model->main().sorted) << name;
    return set;
  };
  EXPECT_TRUE(paths("resnet50").contains("layer1/layer1.0/downsample/downsample.1"));
  EXPECT_TRUE(paths("mobilenet_v2").contains("features/features.1/conv/conv.0/conv.0.0"));
  EXPECT_TRUE(
      paths("efficientnet_b0").contains("features/features.2/features.2.1/block/block.2/fc1"));
  EXPECT_TRUE(
      paths("vit_b_16").contains("encoder/layers/encoder_layer_11/self_attention/out_proj"));
  EXPECT_TRUE(paths("bert_base").contains("encoder/layer.11/attention/self/query"));
  EXPECT_TRUE(paths("gpt2").contains("transformer/h.11/mlp/act"));
}

TEST(Zoo, ParametersHaveTheOriginalsNames) {
  const auto has = [](std::string_view network, std::string_view name) {
    const onnx::Document doc = built(network);
    const auto all = doc.model.graph.initializers;
    return std::any_of(all.begin(), all.end(),
                       [&](const onnx::Tensor& t) { return t.name == name; });
  };
  EXPECT_TRUE(has("resnet50", "layer4.2.bn3.weight"));
  EXPECT_TRUE(has("mobilenet_v2", "features.1.conv.0.0.weight"));
  EXPECT_TRUE(has("efficientnet_b0", "features.2.1.block.2.fc1.bias"));
  EXPECT_TRUE(has("bert_base", "encoder.layer.11.attention.output.LayerNorm.weight"));
  EXPECT_TRUE(has("gpt2", "transformer.h.0.attn.c_attn.bias"));
}

TEST(Zoo, AnUnknownNetworkIsAnErrorThatNamesTheNearest) {
  const auto result = open_model("zoo:resnet5");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().error_class(), ErrorClass::kUsage);
  EXPECT_EQ(result.error().text(),
            "error: the zoo has no network 'resnet5'\n"
            "  it has bert_base, efficientnet_b0, gpt2, mobilenet_v2, resnet50, vit_b_16\n"
            "  hint: did you mean resnet50?\n"
            "  [RIDGE-ZOO-0001]\n");
}

TEST(Zoo, OnlyItsNetworksHaveDefaultSizes) {
  EXPECT_EQ(default_sizes("zoo:gpt2"),
            (std::map<std::string, std::int64_t>{{"batch", 1}, {"sequence", 128}}));
  EXPECT_TRUE(default_sizes("gpt2").empty());
  EXPECT_TRUE(default_sizes("zoo:none").empty());
}

}  // namespace
}  // namespace ridge::zoo
