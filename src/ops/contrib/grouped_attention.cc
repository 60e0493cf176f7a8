// SPDX-License-Identifier: Apache-2.0
// Attention whose query heads share keys and values in groups (com.microsoft).
#include <fmt/format.h>

#include "ops/nn/attention.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

using Sizes = AttentionSizes;

constexpr std::size_t kNoInput = 1000;

Work unknown_grouped() { return unknown_attention(); }

struct Grouped {
  std::size_t past, total, cosines, added;
};
constexpr Grouped kGrouped{3, 6, 7, 10};
constexpr Grouped kSparse{3, 7, 9, kNoInput};

Result<std::optional<Sizes>> grouped_sizes(Context& c, const Grouped& at) {
  TRY(require_inputs(c, 1));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const std::int64_t kv_heads = TRY(head_count(c, "kv_num_heads"));
  if (heads % kv_heads != 0)
    return c.fail(Fault::kDivision,
                  fmt::format("{} query heads do not divide into {} key heads", heads, kv_heads));
  TRY(require_rank(c, 0, 3));
  const Shape &q = c.input(0).shape, &k = c.input(1).shape, &past = c.input(at.past).shape;
  if (!q.ranked()) return std::optional<Sizes>();
  Sizes s;
  s.batch = q[0], s.queries = s.keys = q[1];
  s.heads = Dim(heads), s.kv_heads = Dim(kv_heads);
  s.size = TRY(per_head(c, q[2], TRY(row_heads(c, heads, kv_heads))));
  s.value_size = s.size;
  if (k.rank == 3) s.keys = k[1];
  if (c.has_input(at.past)) s.past = past.rank == 4 ? past[2] : Dim();
  // The model's own count of past and new keys takes precedence over the length of a buffer.
  if (const Dim total = scalar_input(c, at.total); !total.unknown())
    s.past = c.dims().sub(total, s.keys);
  return std::optional(s);
}

template <const Grouped& at>
Result<void> infer_grouped(Context& c) {
  const auto found = TRY(grouped_sizes(c, at));
  const Sizes s = found.value_or(Sizes{});
  DimPool& p = c.dims();
  const Type &q = c.input(0), &past = c.input(at.past);
  set_tensor(c, 0, q.dtype, c.shape({s.batch, s.queries, p.mul(s.heads, s.size)}));
  // A sufficiently long buffer keeps its length.
  const Dim total = s.total(p);
  const Dim buffer = past.shape.rank == 4 ? past.shape[2] : Dim(0);
  Dim length = c.has_input(at.past) ? p.max(total, buffer) : total;
  const auto window = c.int_attribute("sliding_window_cache", 0);
  if (window.ok() && *window != 0) length = buffer;
  const DataType cache = c.has_input(at.past) ? past.dtype : q.dtype;
  const Dim width = past.shape.rank == 4 ? past.shape[3] : s.size;
  for (std::size_t i = 1; i < 3; ++i)
    set_tensor(c, i, cache, c.shape({s.batch, s.kv_heads, length, width}));
  set_tensor(c, 3, q.dtype, c.shape({s.batch, s.heads, s.queries, total}));
  return {};
}

// If do_rotary is set, queries and keys are rotated first: 4 multiplies and 2 adds per pair.
template <const Grouped& at>
Work work_grouped(Context& c) {
  const auto found = grouped_sizes(c, at);
  const auto rotates = c.int_attribute("do_rotary", 0);
  if (!found.ok() || !*found || !rotates.ok()) return unknown_grouped();
  const Sizes& s = **found;
  DimPool& p = c.dims();
  Work out = attend(c, s, score_cost(c, {at.added}));
  if (*rotates != 0) {
    const Shape& cosines = c.input(at.cosines).shape;
    const Dim rotated = cosines.rank == 2 ? p.mul(cosines[1], Dim(2)) : Dim();
    const Dim vectors = p.mul(s.batch, p.add(p.mul(s.heads, s.queries), p.mul(s.kv_heads, s.keys)));
    out.flops = p.add(out.flops, product(p, {vectors, rotated, Dim(3)}));
  }
  return out;
}

// Cosines and sines of the rotation, [rows, width]: one row of each per new position, none without
// rotation.
std::optional<Part> rotary_rows(Context& c, std::size_t cosines, std::size_t i, Dim positions) {
  if (i != cosines && i != cosines + 1) return std::nullopt;
  const auto rotates = c.int_attribute("do_rotary", 0);
  return rows_of_table(c, i, rotates.ok() && *rotates == 0 ? Dim(0) : positions);
}

template <const Grouped& at>
std::optional<Part> part_grouped(Context& c, std::size_t i) {
  const Shape& q = c.input(0).shape;
  return rotary_rows(c, at.cosines, i, q.rank == 3 ? c.dims().mul(q[0], q[1]) : Dim());
}

std::optional<Part> part_paged(Context& c, std::size_t i) {
  const Shape& q = c.input(0).shape;
  return rotary_rows(c, 8, i, q.rank == 2 ? q[0] : Dim());
}

// The layout determines which blocks are computed; at most all of them.
Work work_sparse(Context& c) {
  const Work dense = work_grouped<kSparse>(c);
  Work out = unknown_grouped();
  out.macs_max = dense.macs;
  return out;
}

// Tokens share one axis; keys and values are stored in blocks of a cache.
Result<void> infer_paged(Context& c) {
  TRY(require_inputs(c, 4));
  TRY(require_rank(c, 0, 2));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const std::int64_t kv_heads = TRY(head_count(c, "kv_num_heads"));
  const Shape& q = c.input(0).shape;
  const std::int64_t given = TRY(c.int_attribute("v_head_size", 0));
  Dim size = Dim(given);
  if (given == 0 && q.ranked()) size = TRY(per_head(c, q[1], TRY(row_heads(c, heads, kv_heads))));
  set_tensor(c, 0, c.input(0).dtype,
             c.shape({q.ranked() ? q[0] : Dim(), c.dims().mul(Dim(heads), size)}));
  c.set_output(1, c.input(3));
  c.set_output(2, c.input(4));
  return {};
}

Work work_unpredictable(Context&) { return unknown_grouped(); }

constexpr Operator kGroupedAttentionRows[] = {
    {.domain = kMicrosoft,
     .name = "GroupQueryAttention",
     .infer = infer_grouped<kGrouped>,
     .work = work_grouped<kGrouped>,
     .part = part_grouped<kGrouped>,
     .formula = kScores},
    {.domain = kMicrosoft,
     .name = "SparseAttention",
     .infer = infer_grouped<kSparse>,
     .work = work_sparse,
     .part = part_grouped<kSparse>,
     .formula = "the layout decides which blocks: at most as GroupQueryAttention"},
    {.domain = kMicrosoft,
     .name = "PagedAttention",
     .infer = infer_paged,
     .work = work_unpredictable,
     .part = part_paged,
     .formula = "the data decides: not known"},
};

}  // namespace

const std::span<const Operator> kGroupedAttention = kGroupedAttentionRows;

}  // namespace ridge::ops
