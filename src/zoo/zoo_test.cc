// SPDX-License-Identifier: Apache-2.0
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

TEST(Zoo, IsSortedAndComplete) {
  std::vector<std::string> names;
  for (const Entry& e : entries()) {
    names.emplace_back(e.name);
    EXPECT_FALSE(e.family.empty());
    EXPECT_FALSE(e.description.empty());
    EXPECT_FALSE(e.paper.empty());
    EXPECT_EQ(find(e.name), &e);
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "each name once";
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
    const bool shares = std::string_view(e.name).starts_with("llama_");  // two of one model
    for (const onnx::Tensor& t : doc.model.graph.initializers) {
      if (t.storage != onnx::Storage::kSeeded) continue;
      const std::string name = (shares ? "llama" : std::string(e.name)) + "/" + std::string(t.name);
      const auto [at, fresh] = seeds.emplace(t.recipe.seed, name);
      EXPECT_TRUE(fresh || (shares && at->second == name)) << name << " and " << at->second;
      EXPECT_GT(t.recipe.scale, 0) << name;
      const bool variance = name.ends_with("running_var");
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
  EXPECT_TRUE(paths("efficientnet_lite0").contains("_blocks.15/_depthwise_conv"));
  EXPECT_TRUE(paths("efficientnetv2_rw_t").contains("blocks/blocks.5/blocks.5.13/se/conv_reduce"));
  EXPECT_TRUE(paths("inception_resnet_v2").contains("repeat_1/repeat_1.19/branch1/branch1.2/bn"));
  EXPECT_TRUE(paths("mobilenet_v1").contains("blocks/blocks.3/blocks.3.5/bn2/act"));
  EXPECT_TRUE(paths("vit_tiny_patch16_224").contains("blocks/blocks.11/attn/qkv"));
  EXPECT_TRUE(paths("bert_base").contains("encoder/layer.11/attention/self/query"));
  EXPECT_TRUE(paths("gpt2").contains("transformer/h.11/mlp/act"));
  EXPECT_TRUE(paths("distilbert_base").contains("transformer/layer.5/ffn/activation"));
  EXPECT_TRUE(paths("clip_vit_b_32_text").contains("text_model/encoder/layers.11/mlp/fc2"));
  EXPECT_TRUE(paths("mixer_b16").contains("blocks/blocks.11/mlp_tokens/act"));
  EXPECT_TRUE(paths("llama_decode").contains("model/layers.29/self_attn/o_proj"));
  EXPECT_TRUE(paths("dlrm").contains("top_l/top_l.5"));
  EXPECT_TRUE(
      paths("sd_unet").contains("up_blocks.3/attentions.2/transformer_blocks.0/attn2/to_out.0"));
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
  EXPECT_TRUE(has("densenet121", "features.denseblock1.denselayer2.norm1.weight"));
  EXPECT_TRUE(has("mobilenet_v3_small", "features.1.block.1.fc1.weight"));
  EXPECT_TRUE(has("shufflenet_v2_x1_0", "stage2.0.branch1.0.weight"));
  EXPECT_TRUE(has("inception_v3", "Mixed_7c.branch3x3dbl_3b.bn.running_var"));
  EXPECT_TRUE(has("convnext_tiny", "features.7.2.layer_scale"));
  EXPECT_TRUE(has("swin_t", "features.1.0.attn.relative_position_bias_table"));
  EXPECT_TRUE(has("efficientnet_v2_s", "features.2.0.block.1.0.weight"));
  EXPECT_TRUE(has("efficientnet_lite0", "_blocks.1._expand_conv.weight"));
  EXPECT_TRUE(has("efficientnetv2_rw_s", "blocks.0.1.conv_pwl.weight"));
  EXPECT_TRUE(has("efficientnetv2_rw_t", "blocks.0.1.conv.weight"));
  EXPECT_TRUE(has("inception_resnet_v2", "repeat_2.8.branch1.1.bn.running_var"));
  EXPECT_TRUE(has("mobilenet_v1", "blocks.4.1.conv_dw.weight"));
  EXPECT_TRUE(has("vit_small_patch16_224", "blocks.11.mlp.fc2.bias"));
  EXPECT_TRUE(has("yolov8n", "model.22.cv3.2.1.conv.weight"));
  EXPECT_TRUE(has("bert_base", "encoder.layer.11.attention.output.LayerNorm.weight"));
  EXPECT_TRUE(has("gpt2", "transformer.h.0.attn.c_attn.bias"));
  EXPECT_TRUE(has("distilbert_base", "transformer.layer.5.attention.out_lin.bias"));
  EXPECT_TRUE(has("clip_vit_b_32_image", "vision_model.embeddings.position_embedding.weight"));
  EXPECT_TRUE(has("mixer_b16", "blocks.11.mlp_channels.fc1.bias"));
  EXPECT_TRUE(has("llama_prefill", "model.layers.29.post_attention_layernorm.weight"));
  EXPECT_TRUE(has("dlrm", "emb_l.25.weight"));
  EXPECT_TRUE(has("lstm", "rnn.weight_hh_l1"));
  EXPECT_TRUE(has("sd_unet", "down_blocks.3.resnets.1.time_emb_proj.weight"));
}

// One model, so that the tokens of ridge generate mean something.
TEST(Zoo, PromptAndNextTokenOfLlamaHaveTheSameWeights) {
  const auto seeds_of = [](std::string_view network) {
    const onnx::Document doc = built(network);
    std::map<std::string, std::uint64_t> out;
    for (const onnx::Tensor& t : doc.model.graph.initializers)
      if (t.recipe.scale > 0) out.emplace(t.name, t.recipe.seed);
    return out;
  };
  const auto prompt = seeds_of("llama_prefill");
  EXPECT_GT(prompt.size(), 200U);
  EXPECT_EQ(prompt, seeds_of("llama_decode"));
}

// Neither parameters nor multiply-accumulates depend on these.
TEST(Zoo, WindowsAndHeadsHaveTheOriginalsShapes) {
  const auto shape = [](std::string_view network, std::string_view name) {
    const onnx::Document doc = built(network);
    for (const onnx::Tensor& t : doc.model.graph.initializers)
      if (t.name == name) return std::vector<std::int64_t>(t.dims.begin(), t.dims.end());
    return std::vector<std::int64_t>();
  };
  using Dims = std::vector<std::int64_t>;
  EXPECT_EQ(shape("inception_resnet_v2", "repeat_1.0.branch1.1.conv.weight"),
            (Dims{160, 128, 1, 7}));
  EXPECT_EQ(shape("inception_resnet_v2", "repeat_1.0.branch1.2.conv.weight"),
            (Dims{192, 160, 7, 1}));
  EXPECT_EQ(shape("inception_resnet_v2", "block8.branch1.1.conv.weight"), (Dims{224, 192, 1, 3}));
  // Queries, keys and values are reshaped to [batch, tokens, 3, heads, 64].
  EXPECT_EQ(shape("vit_tiny_patch16_224", "ints_0_0_3_3_64"), Dims{5});
  EXPECT_EQ(shape("vit_small_patch16_224", "ints_0_0_3_6_64"), Dims{5});
}

TEST(Zoo, AnUnknownNetworkIsAnErrorThatNamesTheNearest) {
  const auto result = open_model("zoo:resnet5");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().error_class(), ErrorClass::kUsage);
  EXPECT_EQ(result.error().text(),
            "error: the zoo has no network 'resnet5'\n"
            "  hint: did you mean resnet50 or resnet152 or resnet18?\n"
            "  [RIDGE-ZOO-0001]\n");
}

std::vector<std::string> operators(const onnx::Document& doc) {
  std::vector<std::string> all;
  for (const onnx::Node& n : doc.model.graph.nodes) all.emplace_back(n.op_type);
  return all;
}

TEST(Zoo, FoldedNetworksCarryNormalizationInTheirConvolutions) {
  const auto count = [](std::string_view name, std::string_view op) {
    const auto all = operators(built(name));
    return std::count(all.begin(), all.end(), op);
  };
  EXPECT_EQ(count("resnet50", "BatchNormalization"), 53);
  EXPECT_EQ(count("resnet50,folded", "BatchNormalization"), 0);
  EXPECT_EQ(count("resnet50,folded", "Conv"), 53);
  // A normalization before a convolution is not folded, as in exporters.
  EXPECT_EQ(count("densenet121", "BatchNormalization"), 121);
  EXPECT_EQ(count("densenet121,folded", "BatchNormalization"), 62);
  EXPECT_EQ(built("resnet50,folded").path, "zoo:resnet50,folded");
}

TEST(Zoo, ImagesOfAnotherSizeChangeOnlyShapes) {
  const onnx::Document usual = built("efficientnet_b1"), large = built("efficientnet_b1,size=320");
  EXPECT_EQ(operators(usual), operators(large));
  EXPECT_EQ(large.model.graph.inputs[0].type.shape[3].value, 320);
}

std::string make_error(std::string_view spec) {
  const auto result = make(spec);
  return result.ok() ? "made" : result.error().text();
}

TEST(Zoo, OptionsThatCannotBeAreRefused) {
  EXPECT_EQ(
      make_error("resnet50,fold"),
      "error: unknown option 'fold' of a zoo network\n"
      "  hint: options: folded (BatchNormalization folded into convolutions) and size=PIXELS\n"
      "  [RIDGE-ZOO-0002]\n");
  EXPECT_EQ(make_error("resnet50,size=16"),
            "error: resnet50 does not accept images of size '16'\n"
            "  it accepts multiples of 1 from 32 to 8192 pixels\n"
            "  [RIDGE-ZOO-0003]\n");
  EXPECT_EQ(make_error("vit_b_16,size=230"),
            "error: vit_b_16 does not accept images of size '230'\n"
            "  it accepts multiples of 16 from 32 to 8192 pixels\n"
            "  [RIDGE-ZOO-0003]\n");
  EXPECT_EQ(make_error("vgg16,size=448"),
            "error: vgg16 does not accept images of size '448'\n"
            "  224 pixels is the only accepted size\n"
            "  [RIDGE-ZOO-0003]\n");
  EXPECT_EQ(make_error("gpt2,size=224"),
            "error: gpt2 does not accept images of size '224'\n"
            "  it has no image input\n"
            "  [RIDGE-ZOO-0003]\n");
  EXPECT_NE(make_error("resnet50,size=-64,folded").find("RIDGE-ZOO-0003"), std::string::npos);
  EXPECT_EQ(make_error("resnet50,size=99999999999999999999").substr(0, 6), "error:");
  EXPECT_NE(make_error("resnet50,").find("unknown option ''"), std::string::npos);
}

TEST(Zoo, OnlyItsNetworksHaveDefaultSizes) {
  EXPECT_EQ(default_sizes("zoo:gpt2"),
            (std::map<std::string, std::int64_t>{{"batch", 1}, {"sequence", 128}}));
  EXPECT_TRUE(default_sizes("gpt2").empty());
  EXPECT_EQ(default_sizes("zoo:resnet50,folded,size=64"),
            (std::map<std::string, std::int64_t>{{"batch", 1}}));
  EXPECT_TRUE(default_sizes("zoo:none").empty());
}

}  // namespace
}  // namespace ridge::zoo
