// SPDX-License-Identifier: Apache-2.0
#include "import/torch_operators.h"

#include <algorithm>
#include <array>

namespace ridge::imports {
namespace {

constexpr std::string_view kNormBefore = "Add! ReduceMean Pow|Mul Sub ReduceMean",
                           kNormAfter = "Div Mul!? Add!?",
                           kAttentionBefore = "Add? Div!?|Mul!? MatMul";

/// Sorted by name.
constexpr auto kOperators = std::to_array<TorchOperator>({
    {"_convolution", "Conv", {}, {}, 1},
    {"_convolution", "ConvTranspose", {}, {}, 1},
    {"_log_softmax", "LogSoftmax"},
    {"_softmax", "Softmax"},
    {"abs", "Abs"},
    {"adaptive_avg_pool1d", "GlobalAveragePool"},
    {"adaptive_avg_pool1d", "AveragePool"},
    {"adaptive_avg_pool2d", "GlobalAveragePool"},
    {"adaptive_avg_pool2d", "AveragePool"},
    {"adaptive_avg_pool2d", "ReduceMean"},
    {"adaptive_avg_pool3d", "GlobalAveragePool"},
    {"adaptive_avg_pool3d", "AveragePool"},
    {"adaptive_max_pool2d", "GlobalMaxPool"},
    {"adaptive_max_pool2d", "MaxPool"},
    {"add", "Add"},
    {"addmm", "Gemm", {}, {}, 1},
    {"addmm", "MatMul", {}, "Add!?", 1},
    {"amax", "ReduceMax"},
    {"argmax", "ArgMax"},
    {"avg_pool1d", "AveragePool"},
    {"avg_pool2d", "AveragePool"},
    {"avg_pool3d", "AveragePool"},
    {"baddbmm", "MatMul", {}, "Add?", 1},
    {"batch_norm", "BatchNormalization"},
    {"bmm", "MatMul", {}, {}, 1},
    {"cat", "Concat"},
    {"ceil", "Ceil"},
    {"clamp", "Clip"},
    {"clamp_max", "Clip"},
    {"clamp_max", "Min"},
    {"clamp_min", "Clip"},
    {"clamp_min", "Max"},
    {"clamp_min", "Relu"},
    {"concat", "Concat"},
    {"constant_pad_nd", "Pad"},
    {"conv1d", "Conv", {}, {}, 1},
    {"conv2d", "Conv", {}, {}, 1},
    {"conv3d", "Conv", {}, {}, 1},
    {"conv_transpose1d", "ConvTranspose", {}, {}, 1},
    {"conv_transpose2d", "ConvTranspose", {}, {}, 1},
    {"conv_transpose3d", "ConvTranspose", {}, {}, 1},
    {"convolution", "Conv", {}, {}, 1},
    {"convolution", "ConvTranspose", {}, {}, 1},
    {"cos", "Cos"},
    {"cudnn_convolution", "Conv", {}, {}, 1},
    {"cumsum", "CumSum"},
    {"div", "Div"},
    {"einsum", "Einsum", {}, {}, 1},
    {"elu", "Elu"},
    {"embedding", "Gather"},
    {"erf", "Erf"},
    {"exp", "Exp"},
    {"gather", "GatherElements"},
    {"gelu", "Gelu"},
    {"gelu", "Erf", "Div!|Mul!", "Add! Mul Mul!?"},
    {"glu", "Sigmoid", {}, "Mul"},
    {"group_norm", "GroupNormalization"},
    {"group_norm", "InstanceNormalization", {}, "Reshape Mul!? Add!?"},
    {"gru", "GRU", {}, {}, 1},
    {"hardsigmoid", "HardSigmoid"},
    {"hardswish", "HardSwish"},
    {"hardswish", "HardSigmoid", {}, "Mul"},
    {"hardtanh", "Clip"},
    {"index_select", "Gather"},
    {"instance_norm", "InstanceNormalization"},
    {"layer_norm", "LayerNormalization"},
    {"layer_norm", "Sqrt", kNormBefore, kNormAfter},
    {"leaky_relu", "LeakyRelu"},
    {"linear", "Gemm", {}, {}, 1},
    {"linear", "MatMul", {}, "Add!?", 1},
    {"log", "Log"},
    {"log_softmax", "LogSoftmax"},
    {"lstm", "LSTM", {}, {}, 1},
    {"matmul", "MatMul", {}, {}, 1},
    {"matmul", "Gemm", {}, {}, 1},
    {"max_pool1d", "MaxPool"},
    {"max_pool2d", "MaxPool"},
    {"max_pool3d", "MaxPool"},
    {"mean", "ReduceMean"},
    {"mean", "GlobalAveragePool"},
    {"mish", "Mish"},
    {"mkldnn_convolution", "Conv", {}, {}, 1},
    {"mm", "MatMul", {}, {}, 1},
    {"mm", "Gemm", {}, {}, 1},
    {"mul", "Mul"},
    {"native_layer_norm", "LayerNormalization"},
    {"native_layer_norm", "Sqrt", kNormBefore, kNormAfter},
    {"neg", "Neg"},
    {"pad", "Pad"},
    {"pixel_shuffle", "DepthToSpace"},
    {"pow", "Pow"},
    {"prelu", "PRelu"},
    {"reciprocal", "Reciprocal"},
    {"reflection_pad2d", "Pad"},
    {"relu", "Relu"},
    {"relu6", "Clip"},
    {"replication_pad2d", "Pad"},
    {"rsub", "Sub"},
    {"scaled_dot_product_attention", "Attention", {}, {}, 2},
    {"scaled_dot_product_attention", "Softmax", kAttentionBefore, "MatMul", 2},
    {"selu", "Selu"},
    {"sigmoid", "Sigmoid"},
    {"silu", "Swish"},
    {"silu", "Sigmoid", {}, "Mul"},
    {"sin", "Sin"},
    {"softmax", "Softmax"},
    {"softplus", "Softplus"},
    {"sqrt", "Sqrt"},
    {"sub", "Sub"},
    {"sum", "ReduceSum"},
    {"tanh", "Tanh"},
    {"topk", "TopK"},
    {"upsample_bicubic2d", "Resize"},
    {"upsample_bilinear2d", "Resize"},
    {"upsample_nearest2d", "Resize"},
    {"where", "Where"},
});

static_assert(std::ranges::is_sorted(kOperators, {}, &TorchOperator::name));

/// Removes the repeated container from a component: "layer1.0" inside "layer1" becomes "0".
std::string_view own_name(std::string_view component, std::string_view around) {
  if (around.empty() || component.size() <= around.size() + 1) return component;
  if (!component.starts_with(around) || component[around.size()] != '.') return component;
  return component.substr(around.size() + 1);
}

/// Converts "layer1/layer1.0/conv1", where an exporter repeats a container's name in its children.
std::string from_scopes(std::string_view text) {
  std::string out;
  std::string_view around;
  while (!text.empty()) {
    // Example: "layer1/layer1.0/conv1" becomes "layer1.0.conv1": "layer1.0" inside "layer1" is "0".
    const std::size_t end = std::min(text.find('/'), text.size());
    const std::string_view component = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (component.empty()) continue;
    out.append(out.empty() ? 0 : 1, '.').append(own_name(component, around));
    around = component;
  }
  return out;
}

/// Converts "TOP(A)::forward.l1(Linear)::forward": joins the names before '('.
std::string from_hierarchy(std::string_view text) {
  std::string out;
  for (std::size_t at = text.find("::"); at != std::string_view::npos;) {
    // Example: "TOP(A)::forward.l1(B)::forward.l2(Linear)::forward" becomes "l1.l2"; the last
    // "::forward" has no '.' behind it and ends the loop.
    const std::size_t begin = text.find('.', at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find('(', begin);
    if (end == std::string_view::npos) break;
    out.append(out.empty() ? 0 : 1, '.').append(text.substr(begin + 1, end - begin - 1));
    at = text.find("::", end);
  }
  return out;
}

}  // namespace

std::span<const TorchOperator> torch_rows(std::string_view name) {
  constexpr std::string_view kNamespace = "aten::";
  if (!name.starts_with(kNamespace)) return {};
  name.remove_prefix(kNamespace.size());
  // PyTorch marks forms that work in place by a '_': relu_ computes relu.
  if (name.ends_with('_')) name.remove_suffix(1);
  const auto found = std::ranges::equal_range(kOperators, name, {}, &TorchOperator::name);
  return {found.begin(), found.end()};
}

bool copies_data(std::string_view name) {
  constexpr auto kCopies = std::to_array<std::string_view>({"_local_scalar_dense",
                                                            "_pin_memory",
                                                            "_to_copy",
                                                            "copy_",
                                                            "empty",
                                                            "empty_like",
                                                            "empty_strided",
                                                            "fill_",
                                                            "full",
                                                            "item",
                                                            "normal_",
                                                            "ones",
                                                            "pin_memory",
                                                            "rand",
                                                            "randn",
                                                            "random_",
                                                            "to",
                                                            "uniform_",
                                                            "zero_",
                                                            "zeros"});
  constexpr std::string_view kNamespace = "aten::";
  if (name.starts_with("Memcpy") || name.starts_with("Memset")) return true;
  if (!name.starts_with(kNamespace)) return false;
  name.remove_prefix(kNamespace.size());
  return std::ranges::find(kCopies, name) != kCopies.end();
}

RangeName range_name(std::string_view text) {
  const std::size_t end =
      std::min({text.find(", seq = "), text.find(", op_id = "), text.find(", sizes = ")});
  if (end == std::string_view::npos) return {text, {}, text.starts_with("aten::")};
  RangeName out{text.substr(0, end), {}, true};
  constexpr std::string_view kSizes = ", sizes = ";
  if (const std::size_t sizes = text.find(kSizes); sizes != std::string_view::npos) {
    const std::string_view rest = text.substr(sizes + kSizes.size());
    out.sizes = rest.substr(0, std::min(rest.find(", input_op_ids = "), rest.size()));
  }
  return out;
}

std::string module_path(std::string_view text) {
  return text.starts_with("TOP(") ? from_hierarchy(text) : from_scopes(text);
}

}  // namespace ridge::imports
