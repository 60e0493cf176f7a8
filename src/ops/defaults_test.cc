// SPDX-License-Identifier: Apache-2.0
// Expected values are from the ONNX specification (docs/Operators.md and docs/Changelog.md there),
// not from the table.
#include "ops/defaults.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/sketch.h"

namespace ridge::ops {
namespace {

using onnx::AttributeType;
using OptionalSizes = std::optional<std::vector<std::int64_t>>;

struct Known {
  OptionalSizes input = std::nullopt, weight = std::nullopt;
  onnx::DataType type = onnx::DataType::kUndefined;
};

/// Names of the attributes that are not defaults: `kept("Conv", 11, "group=1 strides=[2,2]")` is
/// "strides". Attributes as in graph/sketch.h.
std::string kept(std::string_view op, std::int32_t opset, std::string_view attributes,
                 const Known& known = {}) {
  const std::string line = std::string(op) + "(x) {" + std::string(attributes) + "} -> y";
  const auto document = graph::Sketch::document("graph main\n" + line);
  const onnx::Node& node = document->model.graph.nodes[0];
  NodeFacts facts;
  facts.domain = node.domain;
  facts.op_type = node.op_type;
  facts.opset = opset;
  facts.attributes = node.attributes;
  if (known.input) facts.input_dims = *known.input;
  if (known.weight) facts.weight_dims = *known.weight;
  facts.input_type = known.type;
  std::string out;
  for (const onnx::Attribute& a : facts.attributes)
    if (!is_default(facts, a)) out += (out.empty() ? "" : " ") + std::string(a.name);
  return out;
}

bool is_default_of(std::string_view op, std::int32_t opset, const onnx::Attribute& a) {
  NodeFacts facts;
  facts.op_type = op;
  facts.opset = opset;
  facts.attributes = std::span(&a, 1);
  return is_default(facts, a);
}

onnx::Attribute real(std::string_view name, float value) {
  onnx::Attribute a;
  a.name = name;
  a.type = AttributeType::kFloat;
  a.f = value;
  return a;
}

TEST(Defaults, FindTheVersionInUse) {
  EXPECT_EQ(since_version("", "Conv", 1), 1);
  EXPECT_EQ(since_version("", "Conv", 10), 1);
  EXPECT_EQ(since_version("", "Conv", 11), 11);
  EXPECT_EQ(since_version("", "Conv", 21), 11);
  EXPECT_EQ(since_version("", "Conv", 22), 22);
  EXPECT_EQ(since_version("", "Conv", 28), 22);
  EXPECT_EQ(since_version("ai.onnx", "Conv", 17), 11);
  EXPECT_EQ(since_version("", "Relu", 12), 6);
  EXPECT_EQ(since_version("", "MatMul", 12), 9);
  EXPECT_EQ(since_version("", "Softmax", 12), 11);
  EXPECT_EQ(since_version("", "LayerNormalization", 20), 17);
  EXPECT_EQ(since_version("", "GroupNormalization", 20), 18);  // deprecated, but still a version
  EXPECT_EQ(since_version("ai.onnx.ml", "TreeEnsembleRegressor", 4), 3);
}

TEST(Defaults, AnUnknownOperatorHasTheVersionOfItsOpset) {
  EXPECT_EQ(since_version("com.microsoft", "FusedConv", 1), 1);
  EXPECT_EQ(since_version("", "SimplifiedLayerNormalization", 13), 13);
  EXPECT_EQ(since_version("", "Con", 13), 13);
  EXPECT_EQ(since_version("", "Conv1", 13), 13);
  EXPECT_EQ(since_version("", "", 13), 13);
  EXPECT_EQ(since_version("ai.onnx.ml", "Conv", 3), 3);
  EXPECT_EQ(since_version("", "LayerNormalization", 16), 16);  // added in 17
  EXPECT_EQ(since_version("", "Abs", 0), 0);                   // domain not imported
  EXPECT_EQ(since_version("", "Conv", 1000), 1000);            // may have changed by then
  EXPECT_EQ(kept("com.microsoft.FusedConv", 1, "group=1 strides=[1,1]"), "group strides");
  EXPECT_EQ(kept("ai.onnx.ml.Conv", 3, "group=1 strides=[1,1]"), "group strides");
  EXPECT_EQ(kept("Conv", 1000, "group=1 strides=[1,1]"), "group strides");
  EXPECT_EQ(kept("LayerNormalization", 16, "axis=-1"), "axis");
}

TEST(Defaults, AskTheNodeOfAModel) {
  const auto model = graph::Model::build(graph::Sketch::document(
      "graph main\n input x[2,3]\n Gemm(x, x) {alpha=1f transB=1} -> y\n output y"));
  ASSERT_TRUE(model.ok());
  const graph::Node node = model->node(0);
  const NodeFacts facts{.domain = node.domain,
                        .op_type = node.op_type,
                        .opset = node.opset,
                        .attributes = node.attributes};
  EXPECT_EQ(since_version(facts.domain, facts.op_type, facts.opset), 13);
  ASSERT_EQ(facts.attributes.size(), 2U);
  EXPECT_TRUE(is_default(facts, facts.attributes[0]));
  EXPECT_FALSE(is_default(facts, facts.attributes[1]));
}

TEST(Defaults, FollowTheVersion) {
  EXPECT_EQ(kept("Softmax", 1, "axis=1"), "");
  EXPECT_EQ(kept("Softmax", 12, "axis=1"), "");
  EXPECT_EQ(kept("Softmax", 12, "axis=-1"), "axis");
  EXPECT_EQ(kept("Softmax", 13, "axis=-1"), "");
  EXPECT_EQ(kept("Softmax", 13, "axis=1"), "axis");
  EXPECT_EQ(kept("GridSample", 16, "mode='bilinear'"), "");
  EXPECT_EQ(kept("GridSample", 20, "mode='bilinear'"), "mode");
  EXPECT_EQ(kept("GridSample", 20, "mode='linear'"), "");
  EXPECT_EQ(kept("AveragePool", 6, "count_include_pad=0"), "count_include_pad");
  EXPECT_EQ(kept("AveragePool", 7, "count_include_pad=0 ceil_mode=0"), "ceil_mode");
  EXPECT_EQ(kept("AveragePool", 10, "count_include_pad=0 ceil_mode=0"), "");
  EXPECT_EQ(kept("AveragePool", 10, "count_include_pad=1 ceil_mode=1"),
            "count_include_pad ceil_mode");
}

TEST(Defaults, CompareTypeAndValue) {
  constexpr std::string_view kGemm = "alpha=1f beta=1f transA=0 transB=0";
  EXPECT_EQ(kept("Gemm", 13, kGemm), "");
  EXPECT_EQ(kept("Gemm", 13, "alpha=0.5f beta=0f transA=1 transB=-1"), "alpha beta transA transB");
  EXPECT_EQ(kept("Gemm", 13, "alpha=1 transA=0f"), "alpha transA");
  EXPECT_EQ(kept("Gemm", 13, "alpha=@alpha transA=@transA"), "alpha transA");
  EXPECT_EQ(kept("Conv", 11, "auto_pad='NOTSET' group=1"), "");
  EXPECT_EQ(kept("Conv", 11, "auto_pad='VALID' group=2"), "auto_pad group");
  EXPECT_EQ(kept("MeanVarianceNormalization", 13, "axes=[0,2,3]"), "");
  EXPECT_EQ(kept("MeanVarianceNormalization", 13, "axes=[0,2]"), "axes");
  EXPECT_EQ(kept("MeanVarianceNormalization", 13, "axes=[0,2,3,1]"), "axes");
  EXPECT_EQ(kept("MeanVarianceNormalization", 13, "axes=[]"), "axes");
  EXPECT_EQ(kept("Cast", 13, "to=1"), "to");
  EXPECT_EQ(kept("Cast", 19, "to=1 saturate=1"), "to");
  EXPECT_EQ(kept("Concat", 13, "axis=0"), "axis");
  EXPECT_EQ(kept("LayerNormalization", 17, "axis=-1 stash_type=1"), "");
  EXPECT_EQ(kept("LayerNormalization", 17, "axis=-2 stash_type=10"), "axis stash_type");
  EXPECT_EQ(kept("GRU", 1, "direction='forward'"), "");
  EXPECT_EQ(kept("GRU", 1, "direction='reverse'"), "direction");
  EXPECT_EQ(kept("Relu", 13, "made_up=0"), "made_up");
}

TEST(Defaults, OfFloatsAreExact) {
  struct Row {
    std::string_view op;
    std::int32_t opset;
    std::string_view name;
    float value;
  };
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr Row kRows[] = {
      {"BatchNormalization", 15, "epsilon", 1e-5F},
      {"BatchNormalization", 9, "momentum", 0.9F},
      {"LayerNormalization", 17, "epsilon", 1e-5F},
      {"InstanceNormalization", 6, "epsilon", 1e-5F},
      {"LeakyRelu", 16, "alpha", 0.01F},
      {"HardSigmoid", 6, "alpha", 0.2F},
      {"Elu", 6, "alpha", 1.0F},
      {"LRN", 13, "alpha", 0.0001F},
      {"Selu", 6, "alpha", 1.67326319217681884F},
      {"Selu", 6, "gamma", 1.05070102214813232F},
      {"Clip", 6, "min", -kMax},
      {"Clip", 6, "max", kMax},
      {"Resize", 13, "cubic_coeff_a", -0.75F},
      {"Dropout", 10, "ratio", 0.5F},
  };
  for (const Row& row : kRows) {
    EXPECT_TRUE(is_default_of(row.op, row.opset, real(row.name, row.value))) << row.op;
    const auto bits = std::bit_cast<std::uint32_t>(row.value);
    for (const std::uint32_t near : {bits - 1, bits + 1})
      EXPECT_FALSE(is_default_of(row.op, row.opset, real(row.name, std::bit_cast<float>(near))))
          << row.op << " " << row.name;
  }
  EXPECT_TRUE(is_default_of("Shrink", 9, real("bias", 0.0F)));
  EXPECT_FALSE(is_default_of("Shrink", 9, real("bias", -0.0F)));
  EXPECT_FALSE(is_default_of("Elu", 6, real("alpha", std::numeric_limits<float>::quiet_NaN())));
}

TEST(Defaults, OfWindowsAreUnitStepsAndNoPads) {
  constexpr std::string_view kPlain = "strides=[1,1] dilations=[1,1] pads=[0,0,0,0]";
  for (const char* op : {"Conv", "ConvTranspose", "DeformConv", "QLinearConv", "ConvInteger",
                         "MaxPool", "AveragePool", "LpPool"}) {
    EXPECT_EQ(kept(op, 22, kPlain), "") << op;
    EXPECT_EQ(kept(op, 22, "strides=[1,2] dilations=[2,1] pads=[0,0,0,1]"),
              "strides dilations pads")
        << op;
    EXPECT_EQ(kept(op, 22, "strides=[0,0] dilations=[] pads=[]"), "strides dilations pads") << op;
    EXPECT_EQ(kept(op, 22, kPlain, {.input = {{1, 3, 8, 8}}}), "") << op;
    EXPECT_EQ(kept(op, 22, kPlain, {.input = {{1, 3, 8}}}), "strides dilations pads") << op;
  }
  EXPECT_EQ(kept("MaxUnpool", 11, "strides=[1,1] pads=[0,0,0,0] kernel_shape=[2,2]"),
            "kernel_shape");
  EXPECT_EQ(kept("MaxUnpool", 11, "strides=[1] kernel_shape=[2,2]"), "strides kernel_shape");
  EXPECT_EQ(kept("Col2Im", 18, kPlain, {.input = {{1, 5, 5}}}), "");
  EXPECT_EQ(kept("Col2Im", 18, "strides=[1,2] dilations=[2,1] pads=[0,0,0,1]"),
            "strides dilations pads");
  EXPECT_EQ(kept("ConvTranspose", 11, "output_padding=[0,0]"), "");
  EXPECT_EQ(kept("ConvTranspose", 11, "output_padding=[0,1]"), "output_padding");
  EXPECT_EQ(kept("AveragePool", 18, "dilations=[1,1]"), "dilations");  // since 19
  EXPECT_EQ(kept("MaxPool", 9, "dilations=[1,1]"), "dilations");       // since 10
  EXPECT_EQ(kept("GlobalMaxPool", 22, "strides=[1,1]"), "strides");
}

TEST(Defaults, OfPadsDependOnAutoPad) {
  EXPECT_EQ(kept("Conv", 11, "auto_pad='NOTSET' pads=[0,0]"), "");
  EXPECT_EQ(kept("Conv", 11, "auto_pad='VALID' pads=[0,0]"), "auto_pad");
  EXPECT_EQ(kept("Conv", 11, "auto_pad='' pads=[0,0]"), "auto_pad");
  EXPECT_EQ(kept("Conv", 11, "auto_pad='SAME_UPPER' pads=[0,0]"), "auto_pad pads");
  EXPECT_EQ(kept("MaxPool", 12, "pads=[0,0] auto_pad='SAME_LOWER'"), "pads auto_pad");
  EXPECT_EQ(kept("Conv", 11, "auto_pad=@mode pads=[0,0]"), "auto_pad pads");
  EXPECT_EQ(kept("ConvTranspose", 11, "output_shape=[9] pads=[0,0]"), "output_shape");
  EXPECT_EQ(kept("Pad", 2, "pads=[0,0] mode='constant' value=0f"), "pads");
}

TEST(Defaults, OfTheKernelAreTheSizesOfTheWeight) {
  for (const char* op : {"Conv", "ConvTranspose", "DeformConv", "QLinearConv", "ConvInteger"}) {
    const auto kernel = [&](const OptionalSizes& weight) {
      return kept(op, 22, "kernel_shape=[3,5]", {.weight = weight});
    };
    EXPECT_EQ(kernel({{8, 4, 3, 5}}), "") << op;
    EXPECT_EQ(kernel({{8, 4, 3, 3}}), "kernel_shape") << op;
    EXPECT_EQ(kernel({{3, 5}}), "kernel_shape") << op;
    EXPECT_EQ(kernel({{8}}), "kernel_shape") << op;
    EXPECT_EQ(kernel({{8, 4, 3, 5, 5}}), "kernel_shape") << op;
    EXPECT_EQ(kernel({{-1, -1, 3, 5}}), "") << op;
    EXPECT_EQ(kernel({{8, 4, -1, 5}}), "kernel_shape") << op;
    EXPECT_EQ(kernel(std::nullopt), "kernel_shape") << op;
    EXPECT_EQ(weight_input(op), std::string_view(op) == "QLinearConv" ? 3U : 1U);
  }
  EXPECT_EQ(kept("Conv", 11, "kernel_shape=[-1]", {.weight = {{8, 4, -1}}}), "kernel_shape");
  EXPECT_EQ(kept("MaxPool", 12, "kernel_shape=[3,5]", {.weight = {{8, 4, 3, 5}}}), "kernel_shape");
  EXPECT_EQ(weight_input("MaxPool"), std::nullopt);
}

TEST(Defaults, OfTransposeReverseTheAxes) {
  EXPECT_EQ(kept("Transpose", 13, "perm=[2,1,0]"), "");
  EXPECT_EQ(kept("Transpose", 13, "perm=[2,1,0]", {.input = {{-1, -1, 4}}}), "");
  EXPECT_EQ(kept("Transpose", 13, "perm=[2,1,0]", {.input = {{2, 2}}}), "perm");
  EXPECT_EQ(kept("Transpose", 13, "perm=[0,1,2]"), "perm");
  EXPECT_EQ(kept("Transpose", 13, "perm=[2,0,1]"), "perm");
  EXPECT_EQ(kept("Transpose", 13, "perm=[]"), "perm");
  EXPECT_EQ(kept("Transpose", 13, "perm=[]", {.input = {std::vector<std::int64_t>()}}), "");
}

TEST(Defaults, OfAxesDependOnTheInput) {
  const Known rank3{.input = {{-1, -1, 4}}};
  EXPECT_EQ(kept("ReduceMean", 13, "axes=[0,1,2] keepdims=1", rank3), "");
  EXPECT_EQ(kept("ReduceMean", 13, "axes=[-1,0,1]", rank3), "");
  EXPECT_EQ(kept("ReduceMean", 13, "axes=[0,1]", rank3), "axes");
  EXPECT_EQ(kept("ReduceMean", 13, "axes=[0,0,1]", rank3), "axes");
  EXPECT_EQ(kept("ReduceMean", 13, "axes=[0,1,3]", rank3), "axes");
  EXPECT_EQ(kept("ReduceMean", 13, "axes=[]", rank3), "axes");
  EXPECT_EQ(kept("ReduceMean", 13, "axes=[0,1,2]"), "axes");
  EXPECT_EQ(kept("ReduceMean", 18, "axes=[0,1,2]", rank3), "axes");  // an input since 18
  EXPECT_EQ(kept("ReduceSum", 13, "axes=[0,1,2]", rank3), "axes");   // an input since 13
  EXPECT_EQ(kept("Squeeze", 11, "axes=[0,-1]", {.input = {{1, 5, 1}}}), "");
  EXPECT_EQ(kept("Squeeze", 11, "axes=[0]", {.input = {{1, 5, 1}}}), "axes");
  EXPECT_EQ(kept("Squeeze", 11, "axes=[0]", {.input = {{1, 5, -1}}}), "axes");
  EXPECT_EQ(kept("Resize", 18, "axes=[0,1,2]", rank3), "");
  EXPECT_EQ(kept("Resize", 18, "axes=[1,0,2]", rank3), "axes");
  EXPECT_EQ(kept("Resize", 18, "axes=[0,1]", rank3), "axes");
  EXPECT_EQ(kept("CenterCropPad", 18, "axes=[0,1,2]", rank3), "");
  EXPECT_EQ(kept("Shape", 15, "start=0 end=3", rank3), "");
  EXPECT_EQ(kept("Shape", 15, "start=1 end=2", rank3), "start end");
  EXPECT_EQ(kept("Slice", 1, "axes=[0,1] starts=[5,6] ends=[7,8]"), "starts ends");
  EXPECT_EQ(kept("Slice", 1, "axes=[0,2] starts=[5,6] ends=[7,8]"), "axes starts ends");
  EXPECT_EQ(kept("Slice", 1, "axes=[0] starts=[5,6] ends=[7,8]"), "axes starts ends");
}

TEST(Defaults, AnAxisMayBeCountedFromTheOtherEnd) {
  const Known rank3{.input = {{-1, -1, 4}}};
  EXPECT_EQ(kept("Softmax", 13, "axis=2", rank3), "");
  EXPECT_EQ(kept("Softmax", 13, "axis=1", rank3), "axis");
  EXPECT_EQ(kept("Softmax", 13, "axis=5", rank3), "axis");
  EXPECT_EQ(kept("Softmax", 11, "axis=-2", rank3), "");
  EXPECT_EQ(kept("LayerNormalization", 17, "axis=2", rank3), "");
  EXPECT_EQ(kept("Gather", 13, "axis=-3", rank3), "");
  EXPECT_EQ(kept("OneHot", 11, "axis=2", rank3), "axis");  // counts axes of the output
}

TEST(Defaults, OfValuesThatOnlyTheTextStates) {
  const Known half{.type = onnx::DataType::kFloat16};
  EXPECT_EQ(kept("RandomNormalLike", 1, "dtype=10", half), "");
  EXPECT_EQ(kept("RandomNormalLike", 1, "dtype=1", half), "dtype");
  EXPECT_EQ(kept("EyeLike", 9, "dtype=0 k=0"), "dtype");
  EXPECT_EQ(kept("SequenceEmpty", 11, "dtype=1"), "");
  EXPECT_EQ(kept("SequenceEmpty", 11, "dtype=7"), "dtype");
  EXPECT_EQ(kept("Concat", 1, "axis=1"), "");
  EXPECT_EQ(kept("Concat", 4, "axis=1"), "axis");
  EXPECT_EQ(kept("Split", 11, "axis=0 split=[2,2,2]"), "");
  EXPECT_EQ(kept("Split", 11, "split=[2,3,2]"), "split");
  EXPECT_EQ(kept("Split", 1, "axis=0 split=[2,2]"), "axis split");  // another input may say so
  EXPECT_EQ(kept("Scan", 11, "scan_input_axes=[0,0] scan_output_directions=[0,1]"),
            "scan_output_directions");
  EXPECT_EQ(kept("Scan", 8, "directions=[0,0]"), "");
  EXPECT_EQ(kept("StringSplit", 20, "delimiter=''"), "");
  EXPECT_EQ(kept("StringSplit", 20, "delimiter=','"), "delimiter");
  EXPECT_EQ(kept("StringSplit", 20, "delimiter=1"), "delimiter");  // of another type
  EXPECT_EQ(kept("ai.onnx.ml.TreeEnsemble", 5, "nodes_missing_value_tracks_true=[0,0]"), "");
  EXPECT_EQ(kept("ai.onnx.ml.TreeEnsemble", 5, "nodes_missing_value_tracks_true=[0,1]"),
            "nodes_missing_value_tracks_true");
}

TEST(Defaults, OfActivationsAreOncePerDirection) {
  const auto is_default_list = [](std::string_view op, std::string_view direction,
                                  std::vector<std::string_view> names) {
    std::array<onnx::Attribute, 2> attributes;
    attributes[0].name = "direction";
    attributes[0].type = AttributeType::kString;
    attributes[0].s = direction;
    attributes[1].name = "activations";
    attributes[1].type = AttributeType::kStrings;
    attributes[1].strings = names;
    NodeFacts facts;
    facts.op_type = op;
    facts.opset = 14;
    facts.attributes = attributes;
    return is_default(facts, attributes[1]);
  };
  EXPECT_TRUE(is_default_list("LSTM", "forward", {"Sigmoid", "Tanh", "Tanh"}));
  EXPECT_FALSE(is_default_list("LSTM", "bidirectional", {"Sigmoid", "Tanh", "Tanh"}));
  EXPECT_FALSE(is_default_list("LSTM", "forward", {"Sigmoid", "Tanh", "Relu"}));
  EXPECT_TRUE(is_default_list("GRU", "reverse", {"Sigmoid", "Tanh"}));
  EXPECT_TRUE(is_default_list("GRU", "bidirectional", {"Sigmoid", "Tanh", "Sigmoid", "Tanh"}));
  EXPECT_TRUE(is_default_list("RNN", "bidirectional", {"Tanh", "Tanh"}));
  EXPECT_TRUE(is_default_list("RNN", "forward", {"Tanh"}));
  EXPECT_FALSE(is_default_list("RNN", "forward", {"Relu"}));
  EXPECT_FALSE(is_default_list("RNN", "forward", {}));
}

TEST(Defaults, OfConstantOfShapeIsOneFloatZero) {
  const auto is_default_tensor = [](onnx::DataType type, float element) {
    onnx::Tensor tensor;
    tensor.type = type;
    tensor.storage = onnx::Storage::kInline;
    tensor.elements = 1;
    tensor.bytes = std::as_bytes(std::span(&element, 1));
    onnx::Attribute value;
    value.name = "value";
    value.type = AttributeType::kTensor;
    value.t = &tensor;
    return is_default_of("ConstantOfShape", 9, value) && !is_default_of("Constant", 13, value);
  };
  EXPECT_TRUE(is_default_tensor(onnx::DataType::kFloat, 0.0F));
  EXPECT_FALSE(is_default_tensor(onnx::DataType::kFloat, -0.0F));
  EXPECT_FALSE(is_default_tensor(onnx::DataType::kFloat, 1.0F));
  EXPECT_FALSE(is_default_tensor(onnx::DataType::kInt32, 0.0F));
}

TEST(Defaults, OfListsOfWeightsAndWords) {
  onnx::Attribute weights;
  weights.name = "weights";
  weights.type = AttributeType::kFloats;
  const std::array ones = {1.0F, 1.0F}, others = {1.0F, 2.0F};
  weights.floats = ones;
  EXPECT_TRUE(is_default_of("TfIdfVectorizer", 9, weights));
  weights.floats = others;
  EXPECT_FALSE(is_default_of("TfIdfVectorizer", 9, weights));
  onnx::Attribute words;
  words.name = "stopwords";
  words.type = AttributeType::kStrings;
  EXPECT_TRUE(is_default_of("StringNormalizer", 10, words));
  const std::array<std::string_view, 1> monday = {"monday"};
  words.strings = monday;
  EXPECT_FALSE(is_default_of("StringNormalizer", 10, words));
}

}  // namespace
}  // namespace ridge::ops
