#include <gtest/gtest.h>

#include <tuple>

#include "ops/operator.h"

namespace ridge::ops {
namespace {

TEST(Registry, IsSortedAndNamesEachRowOnce) {
  const auto rows = all();
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_LT(std::tie(rows[i - 1]->domain, rows[i - 1]->name, rows[i - 1]->since),
              std::tie(rows[i]->domain, rows[i]->name, rows[i]->since))
        << rows[i]->name;
}

TEST(Registry, EveryRowHasARuleAndAFormula) {
  for (const Operator* row : all()) {
    EXPECT_NE(row->infer, nullptr) << row->name;
    EXPECT_FALSE(row->formula.empty()) << row->name;
    EXPECT_GE(row->since, 1) << row->name;
    EXPECT_EQ(find(row->domain, row->name, 1000), row) << row->name;
  }
}

TEST(Registry, FindsTheRowInForce) {
  ASSERT_NE(find("", "Add", 7), nullptr);
  EXPECT_EQ(find("", "Add", 7), find("", "Add", 22));
  EXPECT_EQ(find("", "Add", 6), nullptr);
  EXPECT_EQ(find("", "Add", 0), nullptr);
  EXPECT_EQ(find("", "add", 13), nullptr);
  EXPECT_EQ(find("ai.onnx.ml", "Add", 13), nullptr);
  EXPECT_NE(find("com.microsoft", "Gelu", 1), find("", "Gelu", 20));
  EXPECT_EQ(find("", "", 13), nullptr);
}

// What torchvision's and the transformers' exports use, from opset 9 on where they existed.
TEST(Registry, KnowsTheOperatorsOfCommonExports) {
  for (const char* name : {"Add",
                           "ArgMax",
                           "AveragePool",
                           "BatchNormalization",
                           "Cast",
                           "Clip",
                           "Concat",
                           "Constant",
                           "ConstantOfShape",
                           "Conv",
                           "ConvTranspose",
                           "Div",
                           "Dropout",
                           "Equal",
                           "Erf",
                           "Exp",
                           "Expand",
                           "Flatten",
                           "Gather",
                           "Gemm",
                           "GlobalAveragePool",
                           "Identity",
                           "InstanceNormalization",
                           "LeakyRelu",
                           "Less",
                           "LSTM",
                           "MatMul",
                           "MaxPool",
                           "Mul",
                           "Not",
                           "Pad",
                           "Pow",
                           "ReduceMean",
                           "Relu",
                           "Reshape",
                           "Shape",
                           "Sigmoid",
                           "Slice",
                           "Softmax",
                           "Split",
                           "Sqrt",
                           "Squeeze",
                           "Sub",
                           "Tanh",
                           "Transpose",
                           "Unsqueeze",
                           "Where",
                           "Upsample"})
    EXPECT_NE(find("", name, 9), nullptr) << name;
  for (const char* name : {"Attention", "Einsum", "Gelu", "GridSample", "GroupNormalization",
                           "HardSigmoid", "HardSwish", "LayerNormalization", "Mod", "Range",
                           "Resize", "RMSNormalization", "ScatterND", "Trilu", "QLinearConv"})
    EXPECT_NE(find("", name, 23), nullptr) << name;
}

}  // namespace
}  // namespace ridge::ops
