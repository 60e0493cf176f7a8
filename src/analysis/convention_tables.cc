// SPDX-License-Identifier: Apache-2.0
// Counting rules of each tool, per operator.
//
// Sources: fvcore 0.1.5 (flop_count.py, jit_handles.py), which timm's benchmark.py uses; ptflops
// 0.6 (pytorch_ops.py, module rules); thop 0.1.1 (vision/basic_hooks.py, calc_func.py), whose
// result Ultralytics doubles; PRoof b188e81 (model/analyze/op.py, flops.py); onnx-tool 1.0.1
// (node.py).
#include <algorithm>

#include "analysis/convention.h"

namespace ridge::analysis {
namespace {

using ops::Dim;
using Seen = ConventionNode;

// Quantities

Dim macs(const Seen& s) { return s.counts().macs; }
Dim in(const Seen& s) { return s.input_elements(0); }
Dim out(const Seen& s) { return s.output_elements(); }

/// MACs of products with a constant operand: the count of tools that hook layers and miss products
/// of two activations.
Dim layer_macs(const Seen& s) { return s.has_weight() ? macs(s) : Dim(0); }

/// One addition per output if there is a bias.
Dim biased(const Seen& s) { return s.has_input(2) ? out(s) : Dim(0); }
/// Bias additions counted once per layer, regardless of the number of rows.
Dim bias_row(const Seen& s) {
  if (!s.has_input(2)) return Dim(0);
  return s.dims().mul(s.repeat(), s.input_size(2, -1));
}

/// Window positions of a pooling over all outputs, padded ones included.
Dim window(const Seen& s) {
  Dim product = out(s);
  for (const std::int64_t k : s.ints_attribute("kernel_shape"))
    product = s.dims().mul(product, Dim(k));
  return product;
}

/// Element-wise operations: n operands need n - 1 operations per output, and at least 1.
Dim folds(const Seen& s) {
  const auto given = static_cast<std::int64_t>(s.node().inputs.size());
  return s.dims().mul(Dim(std::max<std::int64_t>(1, given - 1)), out(s));
}

/// Outputs x the second size of A, which is the reduced dimension unless A is transposed.
Dim gemm_columns(const Seen& s) { return s.dims().mul(out(s), s.input_size(0, 1)); }

/// Outputs x the elements of one slice of the weight along its first axis: the MACs of a
/// convolution, but not of a transposed one.
Dim weight_slices(const Seen& s) {
  if (s.input_rank(1) < 0) return {};
  Dim product = out(s);
  for (std::int64_t axis = 1; axis < s.input_rank(1); ++axis)
    product = s.dims().mul(product, s.input_size(1, axis));
  return product;
}

/// A transposed convolution counted as a convolution of the same sizes: outputs x input channels of
/// a group x kernel, which is the stride's product too many.
Dim as_convolution(const Seen& s) {
  Dim product = s.dims().mul(
      out(s), s.dims().floor_div(s.input_size(1, 0), Dim(s.int_attribute("group", 1))));
  for (std::int64_t axis = 2; axis < s.input_rank(1); ++axis)
    product = s.dims().mul(product, s.input_size(1, axis));
  return s.input_rank(1) < 0 ? Dim() : product;
}
Dim layer_as_convolution(const Seen& s) { return s.has_weight() ? as_convolution(s) : Dim(0); }

/// Number of rows that a LayerNormalization reduces.
Dim rows(const Seen& s) {
  return s.dims().floor_div(in(s), s.input_size(0, s.int_attribute("axis", -1)));
}

/// Outputs of a local response normalization x its window size.
Dim neighbors(const Seen& s) { return s.dims().mul(out(s), Dim(s.int_attribute("size", 0))); }

/// Outputs of a Resize in linear mode (0 in nearest and cubic mode).
Dim linear_out(const Seen& s) {
  return s.string_attribute("mode", "nearest") == "linear" ? out(s) : Dim(0);
}
Dim cubic_out(const Seen& s) {
  return s.string_attribute("mode", "nearest") == "cubic" ? out(s) : Dim(0);
}
Dim nearest_out(const Seen& s) {
  return s.string_attribute("mode", "nearest") == "nearest" ? out(s) : Dim(0);
}

/// Steps x batch of a recurrent node; `hidden` multiplies them by the hidden size (one direction).
Dim steps(const Seen& s) {
  return s.dims().mul(s.repeat(), s.dims().mul(s.input_size(0, 0), s.input_size(0, 1)));
}
Dim hidden(const Seen& s) { return s.dims().mul(steps(s), s.input_size(2, 2)); }
Dim gate_biases(const Seen& s) {
  if (!s.has_input(3)) return Dim(0);
  return s.dims().mul(steps(s), s.dims().mul(s.input_size(3, 0), s.input_size(3, 1)));
}

// timm (fvcore): a multiply-add is 1, BatchNormalization 2 per element, other normalizations 5.
constexpr ConventionRule kTimm[] = {{"BatchNormalization", {{2, in}}},
                                    {"GroupNormalization", {{5, in}}},
                                    {"InstanceNormalization", {{5, in}}},
                                    {"LayerNormalization", {{5, in}}},
                                    {"Resize", {{4, linear_out}, {1, nearest_out}}}};

// ptflops: multiply-adds and biases of layers, normalizations 2 per element, activations 1 per
// output, poolings 1 per input.
constexpr ConventionRule kPtflops[] = {
    {"AveragePool", {{1, in}}},
    {"BatchNormalization", {{2, in}}},
    {"Clip", {{1, out}}},
    {"Conv", {{1, macs}, {1, biased}}},
    {"ConvTranspose", {{1, as_convolution}, {1, biased}}},
    {"Elu", {{1, out}}},
    {"Gelu", {{1, out}}},
    {"Gemm", {{1, macs}, {1, bias_row}}},
    {"GlobalAveragePool", {{1, in}}},
    {"GlobalMaxPool", {{1, in}}},
    {"GroupNormalization", {{2, in}}},
    {"InstanceNormalization", {{2, in}}},
    {"LayerNormalization", {{2, in}}},
    {"LeakyRelu", {{1, out}}},
    {"MaxPool", {{1, in}}},
    {"PRelu", {{1, out}}},
    {"Relu", {{1, out}}},
    {"Resize", {{1, out}}},
};

// Ultralytics: twice thop, which counts the multiply-adds of layers, 4 per element of a
// normalization, and the cost of average pooling and upsampling; activations are free.
constexpr ConventionRule kUltralytics[] = {
    {"AveragePool", {{2, out}}},
    {"BatchNormalization", {{8, in}}},
    {"ConvTranspose", {{2, layer_as_convolution}}},
    {"GlobalAveragePool", {{2, in}, {2, out}}},
    {"GroupNormalization", {{8, in}}},
    {"InstanceNormalization", {{8, in}}},
    {"LayerNormalization", {{8, in}}},
    {"PRelu", {{2, in}}},
    {"Resize", {{2, nearest_out}, {22, linear_out}, {518, cubic_out}}},
};

// PRoof: FLOPs; a multiply-add is 2, operators not listed are 0.
constexpr ConventionRule kProof[] = {
    {"Add", {{1, out}}},
    {"Cast", {{2, out}}},
    {"Clip", {{2, out}}},
    {"ConstantOfShape", {{1, out}}},
    {"Conv", {{2, macs}, {1, biased}}},
    {"Div", {{2, out}}},
    {"Equal", {{1, out}}},
    {"Erf", {{8, out}}},
    {"Gemm", {{2, gemm_columns}, {1, biased}}},
    {"GlobalAveragePool", {{1, in}, {1, out}}},
    {"Log", {{6, out}}},
    {"MatMul", {{2, macs}}},
    {"MaxPool", {{1, window}}},
    {"Mul", {{1, out}}},
    {"Pow", {{4, out}}},
    {"ReduceMean", {{1, in}, {1, out}}},
    {"ReduceSum", {{1, in}}},
    {"Relu", {{1, out}}},
    {"Sigmoid", {{10, out}}},
    {"Softmax", {{7, out}}},
    {"Sqrt", {{8, out}}},
    {"Sub", {{1, out}}},
    {"Where", {{1, out}}},
};

// onnx-tool: its "MACs" are instructions: a multiply-add, addition or comparison is 1, a division
// 4, a root 24, an exponential or power 32, a tangent 38, a sine 39, a logarithm 43.
constexpr ConventionRule kOnnxTool[] = {
    {"Abs", {{1, out}}},
    {"Add", {{1, folds}}},
    {"And", {{1, out}}},
    {"AveragePool", {{1, window}}},
    {"BatchNormalization", {{31, out}}},
    {"Ceil", {{1, out}}},
    {"Clip", {{2, out}}},
    {"Conv", {{1, macs}, {1, biased}}},
    {"ConvTranspose", {{1, weight_slices}, {1, biased}}},
    {"Cos", {{39, folds}}},
    {"CumSum", {{1, out}}},
    {"DequantizeLinear", {{2, out}}},
    {"Div", {{4, folds}}},
    {"Einsum", {{1, macs}}},
    {"Elu", {{35, out}}},
    {"Equal", {{1, out}}},
    {"Exp", {{32, out}}},
    {"Floor", {{1, out}}},
    {"GRU", {{1, macs}, {1, gate_biases}, {110, hidden}}},
    {"Gelu", {{34, out}}},
    {"Gemm", {{1, macs}, {1, biased}}},
    {"GlobalAveragePool", {{1, in}, {4, out}}},
    {"Greater", {{1, out}}},
    {"GreaterOrEqual", {{1, out}}},
    {"HardSigmoid", {{4, out}}},
    {"HardSwish", {{5, out}}},
    {"InstanceNormalization", {{7, folds}}},
    {"LRN", {{37, out}, {1, neighbors}}},
    {"LSTM", {{1, macs}, {1, gate_biases}, {180, hidden}}},
    {"LayerNormalization", {{7, in}, {29, rows}}},
    {"LeakyRelu", {{2, out}}},
    {"Less", {{1, out}}},
    {"LessOrEqual", {{1, out}}},
    {"Log", {{43, out}}},
    {"LogSoftmax", {{80, out}}},
    {"LpNormalization", {{33, folds}}},
    {"MatMul", {{1, macs}}},
    {"Max", {{1, folds}}},
    {"MaxPool", {{1, window}}},
    {"Min", {{1, folds}}},
    {"Mod", {{1, folds}}},
    {"Mul", {{1, folds}}},
    {"Neg", {{1, out}}},
    {"NonZero", {{1, out}}},
    {"Not", {{1, out}}},
    {"Or", {{1, out}}},
    {"PRelu", {{2, out}}},
    {"Pow", {{32, folds}}},
    {"QuantizeLinear", {{2, out}}},
    {"Reciprocal", {{4, out}}},
    {"ReduceL2", {{25, in}}},
    {"ReduceMax", {{1, in}}},
    {"ReduceMean", {{1, in}}},
    {"ReduceMin", {{1, in}}},
    {"ReduceProd", {{1, in}}},
    {"ReduceSum", {{1, in}}},
    {"Relu", {{1, out}}},
    {"Resize", {{4, linear_out}, {8, cubic_out}}},
    {"Round", {{1, out}}},
    {"Sigmoid", {{32, out}}},
    {"Sign", {{1, out}}},
    {"Sin", {{39, folds}}},
    {"Softmax", {{36, out}}},
    {"Softplus", {{76, out}}},
    {"Sqrt", {{24, out}}},
    {"Sub", {{1, folds}}},
    {"Sum", {{1, folds}}},
    {"Tanh", {{76, out}}},
    {"Xor", {{1, out}}},
};

constexpr std::int64_t kGiga = 1'000'000'000, kMega = 1'000'000;
constexpr Convention kConventions[] = {
    {"ridge", "MACs", "MACs", 1, 0, "multiply-accumulates by definition", {}, {1, macs}},
    {"torchvision",
     "MACs",
     "GFLOPS",
     kGiga,
     3,
     "multiply-accumulates, reported as GFLOPS",
     {},
     {1, macs}},
    {"timm",
     "MACs",
     "GMACs",
     kGiga,
     2,
     "+ 2 per element of BatchNormalization, 5 of other normalizations",
     kTimm,
     {1, macs}},
    {"ptflops",
     "MACs",
     "GMACs",
     kGiga,
     2,
     "+ biases, normalizations, activations, poolings",
     kPtflops,
     {1, layer_macs}},
    {"ultralytics",
     "FLOPs",
     "GFLOPs",
     kGiga,
     1,
     "2 per MAC, 8 per element of a normalization",
     kUltralytics,
     {2, layer_macs}},
    {"proof",
     "FLOPs",
     "MFLOPs",
     kMega,
     2,
     "2 per MAC, 10 per sigmoid; 0 for operators unknown to PRoof",
     kProof,
     {}},
    {"onnx-tool",
     "MACs",
     "MMACs",
     kMega,
     2,
     "instructions: 1 per MAC, 4 per division, 32 per power",
     kOnnxTool,
     {}},
};

}  // namespace

std::span<const Convention> conventions() { return kConventions; }

}  // namespace ridge::analysis
