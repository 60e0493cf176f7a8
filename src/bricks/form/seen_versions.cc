// SPDX-License-Identifier: Apache-2.0
#include "bricks/form/seen_versions.h"

#include <algorithm>
#include <array>

#include "ops/defaults.h"

namespace ridge::bricks {
namespace {

struct Meaning {
  std::string_view op_type;
  std::int32_t first = 1;  ///< versions from here on mean the same
  std::int32_t last = 0;   ///< up to here; 0: no later version means something else
};

// Later versions add types, move parameters from attributes to inputs, or state what was meant
// before. From ONNX's Changelog, versions up to 25. Operators that are not here keep their version.
// AveragePool 19 has dilations and other sizes with ceil_mode, and is another kernel in ONNX
// Runtime. Softmax 13 no longer flattens, which seen_of() writes itself.
constexpr std::array kMeanings = {
    Meaning{"Abs", 6},
    Meaning{"Acos", 7},
    Meaning{"Add", 7},
    Meaning{"And", 7},
    Meaning{"ArgMax"},
    Meaning{"ArgMin"},
    Meaning{"Asin", 7},
    Meaning{"Atan", 7},
    Meaning{"AveragePool", 7, 18},
    Meaning{"BatchNormalization", 7},
    Meaning{"BitShift", 11},
    Meaning{"BitwiseAnd", 18},
    Meaning{"BitwiseOr", 18},
    Meaning{"BitwiseXor", 18},
    Meaning{"Cast", 6},
    Meaning{"CastLike", 15},
    Meaning{"Ceil", 6},
    Meaning{"Celu", 12},
    Meaning{"Clip", 6},
    Meaning{"Compress", 9},
    Meaning{"Concat", 4},
    Meaning{"ConstantOfShape", 9},
    Meaning{"Conv"},
    Meaning{"ConvInteger", 10},
    Meaning{"ConvTranspose"},
    Meaning{"Cos", 7},
    Meaning{"Cosh", 9},
    Meaning{"CumSum", 11},
    Meaning{"DepthToSpace"},
    Meaning{"DequantizeLinear", 10},
    Meaning{"Div", 7},
    Meaning{"Dropout", 7},
    Meaning{"DynamicQuantizeLinear", 11},
    Meaning{"Einsum", 12},
    Meaning{"Elu", 6},
    Meaning{"Equal", 7},
    Meaning{"Erf", 9},
    Meaning{"Exp", 6},
    Meaning{"Expand", 8},
    Meaning{"EyeLike", 9},
    Meaning{"Flatten"},
    Meaning{"Floor", 6},
    Meaning{"GRU", 7},
    Meaning{"Gather"},
    Meaning{"GatherElements", 11},
    Meaning{"GatherND", 11},
    Meaning{"Gelu", 20},
    Meaning{"Gemm", 7},
    Meaning{"GlobalAveragePool"},
    Meaning{"GlobalLpPool", 2},
    Meaning{"GlobalMaxPool"},
    Meaning{"Greater", 7},
    Meaning{"GreaterOrEqual", 12},
    Meaning{"GridSample", 16},
    Meaning{"HardSigmoid", 6},
    Meaning{"HardSwish", 14},
    Meaning{"Hardmax"},
    Meaning{"Identity"},
    Meaning{"If"},
    Meaning{"InstanceNormalization", 6},
    Meaning{"IsInf", 10},
    Meaning{"IsNaN", 9},
    Meaning{"LRN"},
    Meaning{"LSTM", 7},
    Meaning{"LayerNormalization", 17},
    Meaning{"LeakyRelu", 6},
    Meaning{"Less", 7},
    Meaning{"LessOrEqual", 12},
    Meaning{"Log", 6},
    Meaning{"LogSoftmax"},
    Meaning{"LpNormalization"},
    Meaning{"LpPool", 2},
    Meaning{"MatMul"},
    Meaning{"MatMulInteger", 10},
    Meaning{"Max", 6},
    Meaning{"MaxPool"},
    Meaning{"Mean", 6},
    Meaning{"Min", 6},
    Meaning{"Mish", 18},
    Meaning{"Mod", 10},
    Meaning{"Mul", 7},
    Meaning{"Neg", 6},
    Meaning{"NonMaxSuppression", 10},
    Meaning{"NonZero", 9},
    Meaning{"Not"},
    Meaning{"OneHot", 9},
    Meaning{"Or", 7},
    Meaning{"PRelu", 7},
    Meaning{"Pad", 2},
    Meaning{"Pow", 7},
    Meaning{"QLinearConv", 10},
    Meaning{"QLinearMatMul", 10},
    Meaning{"QuantizeLinear", 10},
    Meaning{"RNN", 7},
    Meaning{"Range", 11},
    Meaning{"Reciprocal", 6},
    Meaning{"ReduceL1"},
    Meaning{"ReduceL2"},
    Meaning{"ReduceLogSum"},
    Meaning{"ReduceLogSumExp"},
    Meaning{"ReduceMax"},
    Meaning{"ReduceMean"},
    Meaning{"ReduceMin"},
    Meaning{"ReduceProd"},
    Meaning{"ReduceSum"},
    Meaning{"ReduceSumSquare"},
    Meaning{"Relu", 6},
    Meaning{"Reshape", 5},
    Meaning{"Resize", 10},
    Meaning{"Round", 11},
    Meaning{"ScatterElements", 11},
    Meaning{"ScatterND", 11},
    Meaning{"Selu", 6},
    Meaning{"Shape"},
    Meaning{"Shrink", 9},
    Meaning{"Sigmoid", 6},
    Meaning{"Sign", 9},
    Meaning{"Sin", 7},
    Meaning{"Sinh", 9},
    Meaning{"Size"},
    Meaning{"Slice"},
    Meaning{"Softmax"},
    Meaning{"Softplus"},
    Meaning{"Softsign"},
    Meaning{"SpaceToDepth"},
    Meaning{"Split", 2},
    Meaning{"Sqrt", 6},
    Meaning{"Squeeze"},
    Meaning{"Sub", 7},
    Meaning{"Sum", 6},
    Meaning{"Tan", 7},
    Meaning{"Tanh", 6},
    Meaning{"ThresholdedRelu", 10},
    Meaning{"Tile", 6},
    Meaning{"TopK"},
    Meaning{"Transpose"},
    Meaning{"Trilu", 14},
    Meaning{"Unsqueeze"},
    Meaning{"Upsample", 7},
    Meaning{"Where", 9},
    Meaning{"Xor", 7},
};
static_assert(std::ranges::is_sorted(kMeanings, {}, &Meaning::op_type));

}  // namespace

std::int32_t meaning_version(std::string_view domain, std::string_view op_type,
                             std::int32_t opset) {
  const std::int32_t since = ops::since_version(domain, op_type, opset);
  if (!domain.empty()) return since;
  const auto row = std::ranges::lower_bound(kMeanings, op_type, {}, &Meaning::op_type);
  if (row == kMeanings.end() || row->op_type != op_type) return since;
  const bool same = since >= row->first && (row->last == 0 || since <= row->last);
  return same ? row->first : since;
}

}  // namespace ridge::bricks
