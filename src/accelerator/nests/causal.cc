// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions along the steps of a sequence that continue from a previous sequence.
#include <array>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {
namespace {

/// Data [batch, channels, length] or, with all sequences in one axis, [tokens, channels]; weight
/// [channels, 1, kernel]; the state [batch, channels, reach] precedes the first step.
struct Causal {
  BufferId data, weight, out;
  std::optional<BufferId> state;
  std::int64_t reach, dilation;
};

ExprId step_of(NestBuilder& b, const Causal& c, ExprId step, ExprId in_kernel) {
  return b.difference(b.sum(step, b.product(in_kernel, b.number(c.dilation))), b.number(c.reach));
}

std::optional<Causal> causal(NestBuilder& b, std::size_t state, std::size_t rank) {
  const auto x = b.input(0), w = b.input(1), out = b.output(0);
  const std::int64_t dilation = b.form().integer("dilation", 1);
  if (!x || !w || !out || b.shape(*x).size() != rank || b.shape(*w).size() != 3 ||
      b.shape(*w)[1] != 1 || b.shape(*w)[2] < 1 || dilation < 1 ||
      b.form().integer("channels_last", 0) != 0)
    return std::nullopt;
  const auto before = b.input(state);
  if (before && b.shape(*before).size() != 3) return std::nullopt;
  return Causal{*x, *w, *out, before, times({b.shape(*w)[2] - 1, dilation}), dilation};
}

void finish(NestBuilder& b, const Causal& c, std::size_t bias) {
  add_bias(b, c.out, bias, 1);
  if (b.form().text("activation", "none") != "none") add_activation(b, c.out);
}

bool causal_convolution_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto c = causal(b, 3, 3);
  if (!c) return false;
  b.add_product("convolution", c->out, {"k", b.shape(c->weight)[2], true}, [&](Indices at) {
    const ExprId step = step_of(b, *c, at[2], at[3]);
    const std::array now = {at[0], at[1], step};
    const std::array before = {at[0], at[1], b.sum(step, b.number(c->reach))};
    const ExprId inside = b.nest().make(Expr::Kind::kLessOrEqual, std::array{b.number(0), step});
    const ExprId data =
        b.if_else(inside, b.load(c->data, now), c->state ? b.load(*c->state, before) : b.zero());
    return NestBuilder::Factors{data, b.load(c->weight, std::array{at[1], b.number(0), at[3]})};
  });
  finish(b, *c, 2);
  const auto last = b.output(1);
  if (!last || b.shape(*last).size() != 3) return true;
  const std::int64_t ahead = b.shape(c->data)[2] - c->reach;
  b.add_map("state", *last, [&](Indices at) {
    const ExprId step = b.sum(at[2], b.number(ahead));
    const ExprId inside = b.nest().make(Expr::Kind::kLessOrEqual, std::array{b.number(0), step});
    const std::array before = {at[0], at[1], b.sum(step, b.number(c->reach))};
    return b.if_else(inside, b.load(c->data, std::array{at[0], at[1], step}),
                     c->state ? b.load(*c->state, before) : b.zero());
  });
  return true;
}

/// Only the data determines a token's sequence and whether a step precedes it.
bool varying_convolution_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto c = causal(b, 4, 2);
  const auto begins = b.input(2);
  if (!c || !begins || !c->state || b.shape(*begins).size() != 1) return false;
  b.add_product("convolution", c->out, {"k", b.shape(c->weight)[2], true}, [&](Indices at) {
    const ExprId sequence = b.other("sequence of", at.first(1));
    const ExprId begin = b.load(*begins, std::array{sequence});
    const std::array from = {step_of(b, *c, at[0], at[2]), begin};
    const ExprId step = b.other("step", from);
    const std::array before = {sequence, at[1], step};
    const ExprId data = b.if_else(b.other("inside", from), b.load(c->data, std::array{step, at[1]}),
                                  b.load(*c->state, before));
    return NestBuilder::Factors{data, b.load(c->weight, std::array{at[1], b.number(0), at[2]})};
  });
  finish(b, *c, 3);
  return true;
}

constexpr std::array kCausalRows = {
    NestRow{"", "CausalConvWithState", causal_convolution_nest},
    NestRow{kMicrosoft, "CausalConvWithState", causal_convolution_nest},
    NestRow{kMicrosoft, "VarlenCausalConvWithState", varying_convolution_nest},
};

}  // namespace

const std::span<const NestRow> kCausalNests = kCausalRows;

}  // namespace ridge::accelerator
