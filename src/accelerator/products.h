// The matrix products of a node: a rule per kind of operator, a row per operator in products.cc.
//
//   Products p = products_of(resolved, node);
//   p.gemms         // whose multiply-accumulates are the node's, to the integer
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
/// Over all executions of the node, whose MACs must be known and not 0.
Products products_of(const analysis::Resolved& resolved, graph::NodeId node);
/// Whether there is a rule for an operator.
bool has_products(std::string_view domain, std::string_view op);

/// Which inputs an operator multiplies: of several products those of the first. Factors that
/// attributes hold, or that are made up, are as wide as the other one.
struct Factors {
  std::size_t ifmap = 0, filter = 1;
  std::int64_t packed_bits = 0;     ///< of a filter element that shares its bytes; 0: it does not
  std::string_view bits_attribute;  ///< what says otherwise
};
/// Inputs 0 and 1 where there is no rule.
Factors factors_of(std::string_view domain, std::string_view op);

// The rules, by family. Each gives the products of one execution, nullopt where sizes are missing
// or do not fit.

// conv_products.cc: weight [filters, channels of a group, kernel...].
enum class Channels { kFirst, kLast };
std::optional<Gemms> convolution(const Form& f, std::size_t weight_at, Channels channels);
/// Its samples are gathered before: a matrix of their own.
std::optional<Gemms> deformable_convolution(const Form& f);
std::optional<Gemms> transposed_convolution(const Form& f);
/// Depthwise along the last axis, which what came before continues.
std::optional<Gemms> causal_convolution(const Form& f);

// matmul_products.cc
std::optional<Gemms> product_of(const Form& f, std::size_t a, std::size_t b, bool swap_a = false,
                                bool swap_b = false);
/// transA and transB.
std::optional<Gemms> swapped_product(const Form& f, std::size_t a, std::size_t b);
/// transBatchA and transBatchB as well.
std::optional<Gemms> fused_product(const Form& f);
/// Input 0 and a weight of `columns` that is packed; several weights lie beside each other.
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
enum class Gates { kRows, kColumns };  ///< where the weights of a cell have its gates
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
