// SPDX-License-Identifier: Apache-2.0
// Layers that carry a state from step to step: linear attention, counted by its function body, and
// the preceding causal convolution. The operators of com.microsoft may keep several past states.
#include <fmt/format.h>

#include "ops/nn/attention.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Shape [state...], or [window, state...] with a window of past states.
Result<Shape> windowed(Context& c, std::initializer_list<Dim> state) {
  const std::int64_t window = c.node().domain.empty() ? 0 : TRY(c.int_attribute("state_window", 0));
  const auto out = new_dims(c, state.size() + (window > 0 ? 1 : 0));
  out[0] = Dim(window);
  std::copy(state.begin(), state.end(), out.begin() + (window > 0 ? 1 : 0));
  return shape_of(out);
}

// Terms of the recurrence.
struct Rule {
  bool decays = false, corrects = false;
};

Result<Rule> rule(const Context& c) {
  const std::string_view name = TRY(c.string_attribute("update_rule", "gated_delta"));
  if (name == "linear") return Rule{};
  if (name == "gated") return Rule{.decays = true};
  if (name == "delta") return Rule{.corrects = true};
  if (name == "gated_delta") return Rule{true, true};
  return c.fail(Fault::kAttribute, fmt::format("attribute 'update_rule' is \"{}\"; it must be "
                                               "linear, gated, delta or gated_delta",
                                               name));
}

struct Recurrence {
  AttentionSizes s;
  Rule rule;
};

Result<Recurrence> recurrence(Context& c) {
  const std::int64_t heads = TRY(positive_attribute(c, "q_num_heads"));
  const std::int64_t kv_heads = TRY(positive_attribute(c, "kv_num_heads"));
  // Only com.microsoft allows more key heads than query heads.
  const bool inverse = !c.node().domain.empty() && kv_heads % heads == 0;
  if (heads % kv_heads != 0 && !inverse)
    return c.fail(Fault::kDivision,
                  fmt::format("{} query heads do not divide into {} key heads", heads, kv_heads));
  Recurrence r{.s = {}, .rule = TRY(rule(c))};
  for (std::size_t i = 0; i < 3; ++i) TRY(require_rank(c, i, 3));
  const Shape &q = c.input(0).shape, &v = c.input(2).shape;
  r.s.heads = Dim(std::max(heads, kv_heads));
  r.s.kv_heads = Dim(kv_heads);
  if (q.ranked()) {
    r.s.batch = q[0];
    r.s.queries = q[1];
    r.s.size = TRY(per_head(c, q[2], heads));
  }
  if (v.ranked()) r.s.value_size = TRY(per_head(c, v[2], kv_heads));
  return r;
}

Result<void> infer_linear(Context& c) {
  TRY(require_inputs(c, 3));
  const AttentionSizes s = TRY(recurrence(c)).s;
  set_tensor(c, 0, c.input(0).dtype,
             c.shape({s.batch, s.queries, c.dims().mul(s.heads, s.value_size)}));
  set_tensor(c, 1, c.has_input(3) ? c.input(3).dtype : c.input(0).dtype,
             TRY(windowed(c, {s.batch, s.kv_heads, s.size, s.value_size})));
  return {};
}

// Per step and head, the body adds an outer product to the state and reads it with the query, both
// as matrix products; a correction also reads it with the key first.
Work work_linear(Context& c) {
  const auto found = recurrence(c);
  if (!found.ok()) return {.macs = Dim(), .flops = Dim(), .special = Dim()};
  const auto& [s, rule] = *found;
  DimPool& p = c.dims();
  const Dim steps = p.mul(s.batch, s.queries);
  const Dim state = p.mul(s.size, s.value_size), states = p.mul(s.kv_heads, state);
  const Dim values = p.mul(s.kv_heads, s.value_size), outputs = p.mul(s.heads, s.value_size);
  Dim macs = p.add(states, p.mul(s.heads, state)), flops = p.add(states, outputs), special(0);
  if (rule.corrects) {
    macs = p.add(macs, states);
    flops = p.add(flops, p.mul(values, Dim(2)));
  }
  if (rule.decays) {
    const Shape& decay = c.input(4).shape;
    flops = p.add(flops, states);
    special = decay.rank == 3 ? decay[2] : Dim();
  }
  return {.macs = p.mul(steps, macs),
          .flops = p.mul(steps, flops),
          .special = rule.decays ? p.mul(steps, special) : Dim(0)};
}

// Number of past positions that the kernel covers.
Result<Dim> reach(Context& c) {
  const Shape& w = c.input(1).shape;
  const std::int64_t dilation = TRY(c.int_attribute("dilation", 1));
  if (dilation < 1 || dilation > INT32_MAX)
    return c.fail(Fault::kWindow, fmt::format("attribute 'dilation' is {}", dilation));
  const Dim kernel = w.rank >= 3 ? w.span().back() : Dim();
  if (kernel.is(0)) return c.fail(Fault::kWindow, "a kernel size is 0, it must be at least 1");
  return c.dims().mul(c.dims().sub(kernel, Dim(1)), Dim(dilation));
}

Result<void> infer_causal_conv(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(infer_same(c));
  const Type& x = c.input(0);
  const bool last = TRY(c.int_attribute("channels_last", 0)) != 0;
  const std::int64_t axes = TRY(c.int_attribute("ndim", 1));
  if (c.node().domain.empty()) TRY(require_rank(c, 0, 3));
  set_tensor(c, 1, x.dtype, Shape{});
  if (!x.shape.ranked() || x.shape.rank < 3) return {};
  const Shape& w = c.input(1).shape;
  if (w.rank > 0 && !last) TRY(require_same(c, x.shape[1], w[0], "channels of input and weight"));
  const Dim kept = TRY(reach(c));
  // For several axes the state keeps the other axes whole, and there is no window.
  if (axes != 1 || last) {
    const auto state = c.arena().copy(x.shape.span());
    state[last ? 1 : state.size() - 1] = kept;
    if (TRY(c.int_attribute("state_window", 0)) == 0) set_tensor(c, 1, x.dtype, state);
    return {};
  }
  set_tensor(c, 1, x.dtype, TRY(windowed(c, {x.shape[0], x.shape[1], kept})));
  return {};
}

// Depthwise convolution; SiLU is a sigmoid and a multiply.
Work work_causal_conv(Context& c) {
  const Shape& w = c.input(1).shape;
  const auto activation = c.string_attribute("activation", "none");
  if (w.rank < 3 || !activation.ok()) return {.macs = Dim(), .flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  const Dim n = c.elements(c.output(0).shape);
  const bool silu = *activation != "none";
  return {.macs = p.mul(n, p.product(w.span().subspan(1))),
          .flops = p.mul(n, Dim((c.has_input(2) ? 1 : 0) + (silu ? 1 : 0))),
          .special = silu ? n : Dim(0)};
}

constexpr std::string_view kLinearAttentionFormula =
    "per step: size*value size MACs per key head for writing, per head for reading, per key head "
    "for a correction";
constexpr std::string_view kCausal =
    "1 kernel of MACs per element; 1 FLOP for a bias, 1 FLOP and a sigmoid for SiLU";

constexpr Operator kLinearAttentionRows[] = {
    {.name = "LinearAttention",
     .since = 27,
     .infer = infer_linear,
     .work = work_linear,
     .formula = kLinearAttentionFormula},
    {.name = "CausalConvWithState",
     .since = 27,
     .infer = infer_causal_conv,
     .work = work_causal_conv,
     .formula = kCausal},
    {.domain = kMicrosoft,
     .name = "LinearAttention",
     .infer = infer_linear,
     .work = work_linear,
     .formula = kLinearAttentionFormula},
    {.domain = kMicrosoft,
     .name = "CausalConvWithState",
     .infer = infer_causal_conv,
     .work = work_causal_conv,
     .formula = kCausal},
};

}  // namespace

const std::span<const Operator> kLinearAttention = kLinearAttentionRows;

}  // namespace ridge::ops
