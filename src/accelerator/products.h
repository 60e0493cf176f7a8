// SPDX-License-Identifier: Apache-2.0
// Matrix products of a node: one rule per kind of operator, one row per operator in products.cc.
//
//   Products p = products_of(resolved, node);
//   p.gemms         // their multiply-accumulates add up exactly to the node's
//   p.reason        // why there are none
//
// Thread rule: pure. Cost: O(inputs + attributes).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "accelerator/form.h"
#include "accelerator/gemm.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

using Gemms = std::vector<Gemm>;

struct Products {
  Gemms gemms;
  std::string_view reason;
};
/// Products over all executions of the node, whose MACs must be known and nonzero.
Products products_of(const analysis::Resolved& resolved, graph::NodeId node);
/// True if there is a rule for the operator.
bool has_products(std::string_view domain, std::string_view op);

/// Inputs that an operator multiplies; with several products the first one's. A factor that is an
/// attribute or is generated has the other factor's width.
struct Factors {
  std::size_t ifmap = 0, filter = 1;
  /// Bits of a filter element that shares its bytes with others; 0: elements do not share bytes
  std::int64_t packed_bits = 0;
  std::string_view bits_attribute;  ///< attribute that overrides `packed_bits`
};
/// Returns inputs 0 and 1 if there is no rule.
Factors factors_of(std::string_view domain, std::string_view op);

// Rules by family. Each returns the products of one execution; nullopt where sizes are missing or
// inconsistent.

// conv_products.cc: weight [filters, channels of a group, kernel...].
enum class Channels { kFirst, kLast };
std::optional<Gemms> convolution(const Form& f, std::size_t weight_at, Channels channels);
/// The samples are gathered first, so their matrix is plain.
std::optional<Gemms> deformable_convolution(const Form& f);
std::optional<Gemms> transposed_convolution(const Form& f);
/// Depthwise along the last axis, continued from the past state.
std::optional<Gemms> causal_convolution(const Form& f);

// matmul_products.cc
std::optional<Gemms> product_of(const Form& f, std::size_t a, std::size_t b, bool swap_a = false,
                                bool swap_b = false);
/// Applies the attributes transA and transB.
std::optional<Gemms> swapped_product(const Form& f, std::size_t a, std::size_t b);
/// Applies transBatchA and transBatchB as well.
std::optional<Gemms> fused_product(const Form& f);
/// Input 0 times a packed weight with `columns` columns; several weights form one, side by side.
std::optional<Gemms> packed_product(const Form& f, std::int64_t columns);
std::optional<Gemms> mixture_of_experts(const Form& f, std::span<const std::size_t> weights);
std::optional<Gemms> einstein_sum(const Form& f);  // einsum_products.cc

// attention_products.cc
std::optional<Gemms> attention(const Form& f);
std::optional<Gemms> grouped_attention(const Form& f);
std::optional<Gemms> multi_head_attention(const Form& f);
std::optional<Gemms> projecting_attention(const Form& f);
std::optional<Gemms> ordered_attention(const Form& f);
std::optional<Gemms> decoder_attention(const Form& f);

// recurrent_products.cc
enum class Gates { kRows, kColumns };  ///< axis of a cell's weights along which its gates lie
std::optional<Gemms> recurrent(const Form& f, Gates gates);
std::optional<Gemms> attentive_recurrent(const Form& f);
std::optional<Gemms> linear_attention(const Form& f);
std::optional<Gemms> delta_net(const Form& f);

// small_products.cc
std::optional<Gemms> affine_grid(const Form& f);
std::optional<Gemms> gated_position_bias(const Form& f);
std::optional<Gemms> stream_pre_mix(const Form& f);
std::optional<Gemms> stream_post_mix(const Form& f);
std::optional<Gemms> linear_model(const Form& f);
std::optional<Gemms> support_vectors(const Form& f);

}  // namespace ridge::accelerator
