// SPDX-License-Identifier: Apache-2.0
// Normalizations of com.microsoft, fused with preceding sums.
#include <fmt/format.h>

#include "ops/nn/activation.h"
#include "ops/nn/normalization.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Dim normalized_rows(Context& c, const Shape& x) {
  return x.rank < 1 ? Dim() : c.dims().product(x.span().first(x.span().size() - 1));
}

// Sets outputs `first` and `first + 1`: mean and inverse deviation of every row.
void set_statistics(Context& c, std::size_t first) {
  const Shape& x = c.input(0).shape;
  for (std::size_t i = first; i < first + 2; ++i) {
    const auto out = c.arena().copy(x.span());
    if (!out.empty()) out.back() = Dim(1);
    set_tensor(c, i, DataType::kFloat, x.ranked() ? shape_of(out) : Shape{});
  }
}

Result<void> infer_skip(Context& c) {
  TRY(require_inputs(c, 3));
  TRY(require_broadcast_to(c, c.input(1).shape, c.input(0).shape));
  c.set_output(0, c.input(0));
  set_statistics(c, 1);
  c.set_output(3, c.input(0));  // sum before normalization
  return {};
}

// Adds the skip input and an optional bias, then normalizes the last axis.
Work work_skip_layer(Context& c) {
  const Dim n = c.elements(c.input(0).shape), m = normalized_rows(c, c.input(0).shape);
  const Work added{.flops = c.dims().mul(n, Dim(c.has_input(4) ? 2 : 1))};
  const Work inverse{.special = c.wants_output(2) ? m : Dim(0)};
  return sum(c, normalized(c, n, m, c.has_input(3)), sum(c, added, inverse));
}

Work work_skip_rms(Context& c) {
  const Dim n = c.elements(c.input(0).shape), m = normalized_rows(c, c.input(0).shape);
  const Work added{.flops = c.dims().mul(n, Dim(c.has_input(3) ? 2 : 1))};
  return sum(c, rms_normalized(c, n, m), added);
}

constexpr std::size_t kWords = 2;  // input with the word table

// Sum of word, position and segment embeddings, normalized; output 1 is the number of tokens per
// row.
Result<void> infer_embed(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 2));
  TRY(require_rank(c, kWords, 2));
  const Shape &ids = c.input(0).shape, &table = c.input(kWords).shape;
  const Dim batch = ids.ranked() ? ids[0] : Dim();
  const DataType type =
      is_floating(c.input(kWords).dtype) ? c.input(kWords).dtype : DataType::kFloat;
  const Shape out =
      c.shape({batch, ids.ranked() ? ids[1] : Dim(), table.ranked() ? table[1] : Dim()});
  set_tensor(c, 0, type, out);
  set_tensor(c, 1, DataType::kInt32, c.shape({batch}));
  set_tensor(c, 2, type, out);
  return {};
}

Work work_embed(Context& c) {
  const Shape& y = c.output(0).shape;
  const Dim n = c.elements(y), m = normalized_rows(c, y);
  const Dim added = c.dims().mul(n, Dim(c.has_input(1) ? 2 : 1));
  const Dim counted = c.has_input(7) ? c.elements(c.input(7).shape) : Dim(0);
  return sum(c, normalized(c, n, m, true), {.flops = added, .int_ops = counted});
}

// Reads only the rows of the tables that are looked up; other inputs are read entirely.
Traffic traffic_embed(Context& c) {
  Traffic t = default_traffic(c);
  DimPool& p = c.dims();
  const Dim row = c.elements(c.output(0).shape);
  for (std::size_t i = 2; i < 5; ++i) {
    if (!c.has_input(i)) continue;
    const Type touched{c.input(i).dtype, Container::kTensor, c.shape({row})};
    t.read = p.add(p.sub(t.read, c.bytes(c.input(i))), c.bytes(touched));
  }
  return t;
}

Result<std::int64_t> group_count(Context& c) {
  const std::int64_t groups = TRY(positive_attribute(c, "groups"));
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return groups;
  if (x.rank < 3)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs batch, channels and at "
                                            "least one spatial axis",
                                            text(c, x)));
  const bool last = TRY(c.int_attribute("channels_last", 1)) != 0;
  const Dim channels = x[last ? x.span().size() - 1 : 1];
  if (channels.known() && channels.value() % groups != 0)
    return c.fail(Fault::kDivision, fmt::format("{} channels do not divide into {} groups",
                                                channels.value(), groups));
  return groups;
}

Result<void> infer_biased_group(Context& c) {
  TRY(require_inputs(c, 3));
  TRY(group_count(c));
  c.set_output(0, c.input(0));
  c.set_output(1, c.input(0));  // SkipGroupNorm: sum before normalization
  return {};
}

// Inputs 3 and 4 are added first; activation 1 is SiLU.
Work work_biased_group(Context& c) {
  const auto groups = group_count(c);
  const auto activation = c.int_attribute("activation", 0);
  const Shape& x = c.input(0).shape;
  if (!groups.ok() || !activation.ok() || !x.ranked()) return {.flops = Dim(), .special = Dim()};
  const Dim n = c.elements(x);
  Cost each = *activation == 1 ? kSilu : Cost{};
  for (std::size_t i = 3; i < 5; ++i) each.flops += c.has_input(i) ? 1 : 0;
  return sum(c, normalized(c, n, c.dims().mul(x[0], Dim(*groups)), true),
             elementwise(c, n, each, DataType::kFloat));
}

// Normalizes groups of as many elements as the scale has, and multiplies by the SiLU of a gate.
Work work_gated_norm(Context& c) {
  const Dim n = c.elements(c.input(0).shape), width = c.elements(c.input(1).shape);
  Cost each = kSilu;
  ++each.flops;
  return sum(c, rms_normalized(c, n, c.dims().floor_div(n, width)),
             elementwise(c, n, each, DataType::kFloat));
}

Result<void> infer_gated_norm(Context& c) {
  TRY(require_inputs(c, 3));
  return infer_same(c);
}

constexpr Operator embed(std::string_view name, Result<void> (*infer)(Context&)) {
  Operator out =
      row(kMicrosoft, name, infer, work_embed, "1 or 2 adds per element, then LayerNormalization");
  out.traffic = traffic_embed;
  return out;
}

constexpr Operator kContribNormRows[] = {
    row(kMicrosoft, "SkipLayerNormalization", infer_skip, work_skip_layer,
        "1 or 2 adds per element, then LayerNormalization"),
    row(kMicrosoft, "SkipSimplifiedLayerNormalization", infer_skip, work_skip_rms,
        "1 or 2 adds per element, then RMSNormalization"),
    embed("EmbedLayerNormalization", infer_embed),
    embed("QEmbedLayerNormalization", infer_embed),
    row(kMicrosoft, "GroupNorm", infer_biased_group, work_biased_group,
        "GroupNormalization, then SiLU where asked for"),
    row(kMicrosoft, "SkipGroupNorm", infer_biased_group, work_biased_group,
        "1 or 2 adds per element, GroupNormalization, then SiLU where asked for"),
    row(kMicrosoft, "GatedRMSNorm", infer_gated_norm, work_gated_norm,
        "RMSNormalization, SiLU of the gate, multiply"),
};

}  // namespace

const std::span<const Operator> kContribNorm = kContribNormRows;

}  // namespace ridge::ops
