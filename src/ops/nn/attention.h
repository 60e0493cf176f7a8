// SPDX-License-Identifier: Apache-2.0
// Shared parts of the attention operators: sizes, the two matrix products and the softmax.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "ops/rule.h"

namespace ridge::ops {

/// Sizes of an attention, independent of the layout of its inputs. `keys` are the new ones, without
/// the past.
struct AttentionSizes {
  Dim batch, heads, kv_heads, queries, keys, size, value_size;
  Dim past = Dim(0);

  Dim total(DimPool& p) const { return p.add(past, keys); }
  /// Number of rows of scores.
  Dim rows(DimPool& p) const { return p.mul(p.mul(batch, heads), queries); }
};

/// Reads an attribute with a number of heads; it must be at least 1.
Result<std::int64_t> head_count(const Context& c, std::string_view name);
/// Columns per head; an error if `heads` does not divide `width`.
Result<Dim> per_head(Context& c, Dim width, std::int64_t heads);

/// Number of heads in a row of input 0: the query heads, plus key and value heads if input 1 is
/// absent (packed QKV).
Result<std::int64_t> row_heads(const Context& c, std::int64_t heads, std::int64_t kv_heads);

/// Work of the unmasked products QK and PV and the softmax: for N scores in R rows, 2(N-R) FLOPs
/// for max and sum, N subtracts, N exp and N divisions. `each` is the cost per score before the
/// softmax.
Work attend(Context& c, const AttentionSizes& s, Cost each);

/// Cost per score in operators of com.microsoft: a scale, an addition for each present input among
/// `added`, and a cap if `softcap` is set.
Cost score_cost(const Context& c, std::initializer_list<std::size_t> added);
inline constexpr std::string_view kScores =
    "batch*heads*queries*keys*(size + value size) MACs; scaling, masks and softmax";
/// Work with all counts unknown.
Work unknown_attention();

/// Type of FlexAttention's scores: [batch, heads, queries, keys] in the precision of its softmax.
Type attention_scores(Context& c);

}  // namespace ridge::ops
