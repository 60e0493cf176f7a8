// SPDX-License-Identifier: Apache-2.0
#include "accelerator/products.h"

#include <array>
#include <limits>

#include "base/checked.h"
#include "ops/rule.h"

namespace ridge::accelerator {
namespace {

using Rule = std::optional<Gemms> (*)(const Form&);
struct Row {
  std::string_view domain, op;
  Rule rule;
  Factors factors = {};
};

template <std::size_t a, std::size_t b>
std::optional<Gemms> plain(const Form& f) {
  return product_of(f, a, b);
}
template <std::size_t a, std::size_t b>
std::optional<Gemms> swapped(const Form& f) {
  return swapped_product(f, a, b);
}
template <std::size_t weight>
std::optional<Gemms> channels_first(const Form& f) {
  return convolution(f, weight, Channels::kFirst);
}
template <std::size_t weight>
std::optional<Gemms> channels_last(const Form& f) {
  return convolution(f, weight, Channels::kLast);
}
template <std::size_t... weights>
std::optional<Gemms> experts(const Form& f) {
  return mixture_of_experts(f, std::array{weights...});
}

std::optional<Gemms> quantized_convolution(const Form& f) {
  const bool last = f.integer("channels_last", 0) != 0;
  return convolution(f, 3, last ? Channels::kLast : Channels::kFirst);
}
/// order_B 0 is ORDER_COL: the second factor is stored transposed.
std::optional<Gemms> ordered_product(const Form& f) {
  return product_of(f, 0, 2, false, f.integer("order_B", 1) == 0);
}
std::optional<Gemms> packed(const Form& f) {
  const auto made = f.output(0);
  return made && !made->empty() ? packed_product(f, made->back()) : std::nullopt;
}
/// The two weights are gate and value.
std::optional<Gemms> packed_mlp(const Form& f) {
  return packed_product(f, times({2, f.integer("N", 0)}));
}
std::optional<Gemms> packed_qkv(const Form& f) {
  const auto both = checked_add(f.integer("Nq", 0), times({2, f.integer("Nkv", 0)}));
  return both ? packed_product(f, *both) : std::nullopt;
}
std::optional<Gemms> gates_in_rows(const Form& f) { return recurrent(f, Gates::kRows); }
std::optional<Gemms> gates_in_columns(const Form& f) { return recurrent(f, Gates::kColumns); }

using ops::kMicrosoft, ops::kMl;
constexpr std::array kProductFormRows = {
    Row{"", "Conv", channels_first<1>},
    Row{"", "ConvInteger", channels_first<1>},
    Row{"", "QLinearConv", channels_first<3>, {0, 3}},
    Row{kMicrosoft, "QLinearConv", quantized_convolution, {0, 3}},
    Row{kMicrosoft, "FusedConv", channels_first<1>},
    Row{kMicrosoft, "NhwcConv", channels_last<1>},
    Row{kMicrosoft, "NhwcFusedConv", channels_last<1>},
    Row{"", "DeformConv", deformable_convolution},
    Row{"", "ConvTranspose", transposed_convolution},
    Row{kMicrosoft, "ConvTransposeWithDynamicPads", transposed_convolution},
    Row{"", "CausalConvWithState", causal_convolution},
    Row{kMicrosoft, "CausalConvWithState", causal_convolution},
    Row{kMicrosoft, "VarlenCausalConvWithState", causal_convolution},

    Row{"", "Gemm", swapped<0, 1>},
    Row{"", "MatMul", plain<0, 1>},
    Row{"", "MatMulInteger", plain<0, 1>},
    Row{"", "QLinearMatMul", plain<0, 3>, {0, 3}},
    Row{kMicrosoft, "MatMulInteger16", plain<0, 1>},
    Row{kMicrosoft, "MatMulIntegerToFloat", plain<0, 1>},
    Row{kMicrosoft, "DynamicQuantizeMatMul", plain<0, 1>},
    Row{kMicrosoft, "GemmFastGelu", plain<0, 1>},
    Row{kMicrosoft, "QGemm", swapped<0, 3>, {0, 3}},
    Row{kMicrosoft, "QOrderedMatMul", ordered_product, {0, 2}},
    Row{kMicrosoft, "FusedGemm", swapped<0, 1>},
    Row{kMicrosoft, "GemmFloat8", swapped<0, 1>},
    Row{kMicrosoft, "FusedMatMul", fused_product},
    Row{kMicrosoft, "TransposeMatMul", fused_product},
    Row{kMicrosoft, "FusedMatMulActivation", fused_product},
    Row{kMicrosoft, "SparseToDenseMatMul", fused_product},
    Row{kMicrosoft, "MatMulNBits", packed, {0, 1, 4, "bits"}},
    Row{kMicrosoft, "MatMulBnb4", packed, {0, 1, 4}},
    Row{kMicrosoft, "MatMulFpQ4", packed, {0, 1, 4}},
    Row{kMicrosoft, "MatMulBlockQuantizedFp4Weight", packed, {0, 1, 4}},
    Row{kMicrosoft, "MatMulBlockQuantizedFp8Weight", packed, {0, 1, 8}},
    Row{kMicrosoft, "MatMulNBitsMlp", packed_mlp, {0, 1, 4, "bits"}},
    Row{kMicrosoft, "MatMulNBitsQkv", packed_qkv, {0, 1, 4, "bits"}},
    Row{kMicrosoft, "MoE", experts<2, 4, 6>, {0, 2}},
    Row{kMicrosoft, "QMoE", experts<2, 5, 8>, {0, 2, 4, "expert_weight_bits"}},
    Row{"", "Einsum", einstein_sum},

    Row{"", "Attention", attention},
    Row{"ai.onnx.preview", "FlexAttention", attention},
    Row{kMicrosoft, "Attention", projecting_attention},
    Row{kMicrosoft, "QAttention", projecting_attention},
    Row{kMicrosoft, "DecoderMaskedSelfAttention", projecting_attention},
    Row{kMicrosoft, "QOrderedAttention", ordered_attention, {0, 5}},
    Row{kMicrosoft, "DecoderAttention", decoder_attention, {0, 2}},
    Row{kMicrosoft, "MultiHeadAttention", multi_head_attention},
    Row{kMicrosoft, "DecoderMaskedMultiHeadAttention", multi_head_attention},
    Row{kMicrosoft, "GroupQueryAttention", grouped_attention},

    Row{"", "LSTM", gates_in_rows},
    Row{"", "GRU", gates_in_rows},
    Row{"", "RNN", gates_in_rows},
    Row{kMicrosoft, "DynamicQuantizeLSTM", gates_in_columns},
    Row{kMicrosoft, "AttnLSTM", attentive_recurrent},
    Row{"", "LinearAttention", linear_attention},
    Row{kMicrosoft, "LinearAttention", linear_attention},
    Row{kMicrosoft, "GatedDeltaNet", delta_net},

    Row{"", "AffineGrid", affine_grid, {0, 0}},
    Row{kMicrosoft, "GatedRelativePositionBias", gated_position_bias},
    Row{kMicrosoft, "HyperConnectionPreMix", stream_pre_mix},
    Row{kMicrosoft, "HyperConnectionPostMix", stream_post_mix},
    Row{kMl, "LinearClassifier", linear_model, {0, 0}},
    Row{kMl, "LinearRegressor", linear_model, {0, 0}},
    Row{kMl, "SVMClassifier", support_vectors, {0, 0}},
    Row{kMl, "SVMRegressor", support_vectors, {0, 0}},
};

const Row* find_product_row(std::string_view domain, std::string_view op) {
  for (const Row& row : kProductFormRows)
    if (row.op == op && row.domain == domain) return &row;
  return nullptr;
}

bool saturated(std::int64_t n) { return n == std::numeric_limits<std::int64_t>::max(); }

/// Sum of MACs; nullopt if it or the elements of a feature map exceed 2^63 - 2.
std::optional<std::int64_t> checked_macs(const Gemms& gemms) {
  std::optional<std::int64_t> sum = 0;
  for (const Gemm& g : gemms) {
    const auto& [depth, height, width] = g.window.axes;
    const std::int64_t macs = times({g.m, g.n, g.k, g.count});
    const std::int64_t elements =
        times({g.window.images, depth.size, height.size, width.size, g.window.channels});
    sum = checked_add(*sum, macs);
    if (saturated(macs) || saturated(elements) || !sum) return std::nullopt;
  }
  return sum;
}

}  // namespace

bool has_products(std::string_view domain, std::string_view op) {
  return find_product_row(domain, op) != nullptr;
}

Factors factors_of(std::string_view domain, std::string_view op) {
  const Row* row = find_product_row(domain, op);
  return row != nullptr ? row->factors : Factors();
}

Products products_of(const analysis::Resolved& resolved, graph::NodeId n) {
  const graph::Node node = resolved.model().node(n);
  const std::int64_t macs = resolved.counts(n).macs.value();
  const ops::Dim repeat = resolved.repeat(n);
  const Row* row = find_product_row(node.domain, node.op_type);
  if (row == nullptr) return {{}, "no products are known for this operator"};
  if (!repeat.known() || repeat.value() < 1) return {{}, "how often it runs is not known"};
  auto gemms = row->rule(Form(resolved, n, macs / repeat.value()));
  if (!gemms) return {{}, "its sizes do not tell its products"};
  for (Gemm& g : *gemms) g.count = times({g.count, repeat.value()});
  // Products come from shapes, the MACs from the operator's formula. Where they differ the node has
  // a form that its rule does not know, and no products are better than wrong ones.
  if (checked_macs(*gemms) != macs)
    return {{}, "its products would not be its multiply-accumulates"};
  return {std::move(*gemms), {}};
}

}  // namespace ridge::accelerator
