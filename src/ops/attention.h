// What the operators have in common that attend: sizes, the two products, the softmax between.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "ops/rule.h"

namespace ridge::ops {

/// Of attention, whichever way its inputs hold them. `keys` are the new ones, without the past.
struct AttentionSizes {
  Dim batch, heads, kv_heads, queries, keys, size, value_size;
  Dim past = Dim(0);

  Dim total(DimPool& p) const { return p.add(past, keys); }
  /// Rows of scores.
  Dim rows(DimPool& p) const { return p.mul(p.mul(batch, heads), queries); }
};

/// An attribute that counts heads, at least 1.
Result<std::int64_t> head_count(const Context& c, std::string_view name);
/// `width` columns divided among `heads`.
Result<Dim> per_head(Context& c, Dim width, std::int64_t heads);

/// Of a query's row: its own heads, or with keys and values behind them where input 1 is not given.
Result<std::int64_t> row_heads(const Context& c, std::int64_t heads, std::int64_t kv_heads);

/// The products QK and PV, unmasked, and the softmax: 2(N-R) for max and sum of N scores in R rows,
/// N subtracts; N exp, N divisions. `each` is what happens to every score before.
Work attend(Context& c, const AttentionSizes& s, Cost each);

/// What happens to every score of the operators of com.microsoft: scaled, each of the inputs
/// `added` that is given added, capped where `softcap` says so.
Cost score_cost(const Context& c, std::initializer_list<std::size_t> added);
inline constexpr std::string_view kScores =
    "batch*heads*queries*keys*(size + value size) MACs; scaling, masks and softmax";
/// Nothing is known of it.
Work unknown_attention();

/// Of FlexAttention: [batch, heads, queries, keys] in the type of its softmax.
Type attention_scores(Context& c);

}  // namespace ridge::ops
