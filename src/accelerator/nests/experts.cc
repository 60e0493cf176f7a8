// SPDX-License-Identifier: Apache-2.0
// Mixtures of experts as loop nests: the data determines the experts of a token.
#include <fmt/format.h>

#include <array>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {
namespace {

/// Passes of tokens through experts, [tokens, passes per token, columns].
struct Passes {
  std::int64_t tokens, each;
  BufferId expert;  ///< [tokens, passes per token]: expert of each pass
};

struct Expert {
  std::size_t weight, scales, bias;
};

/// Adds sums[token, pass, row]: the expert's weight times the values that `from` loads at (token,
/// pass, column).
std::optional<BufferId> add_experts(NestBuilder& b, const Passes& p, const Expert& at,
                                    const std::function<ExprId(Indices)>& from) {
  const auto weight = b.input(at.weight), scales = b.input(at.scales), bias = b.input(at.bias);
  if (!weight || b.shape(*weight).size() != 3) return std::nullopt;
  const Sizes shape = b.shape(*weight);
  const std::int64_t bits = b.form().integer("expert_weight_bits", 4);
  const bool packs = b.form().dtype(at.weight) == onnx::DataType::kUint8 && bits > 0 && bits < 8;
  const std::int64_t per_element = packs ? 8 / bits : 1, depth = times({shape[2], per_element});
  const BufferId sums =
      b.temporary(fmt::format("made by {}", at.weight), {p.tokens, p.each, shape[1]}, *b.output(0));
  b.add_product(fmt::format("experts {}", at.weight), sums, {"k", depth, true}, [&](Indices i) {
    const ExprId expert = b.load(p.expert, i.first(2));
    ExprId w = b.load(*weight, std::array{expert, i[2], b.quotient(i[3], per_element)});
    if (scales) w = b.other("scaled", std::array{w, parameter_at(b, *scales, i.first(3), 2)});
    return NestBuilder::Factors{from(std::array{i[0], i[1], i[3]}), w};
  });
  if (bias && b.shape(*bias).size() == 2)
    b.add_map("bias", sums, [&](Indices i) {
      const ExprId expert = b.load(p.expert, i.first(2));
      return b.sum(b.load(sums, i), b.load(*bias, std::array{expert, i[2]}));
    });
  return sums;
}

/// Adds the selection of each token's experts by its probabilities.
Passes add_routing(NestBuilder& b, BufferId probabilities, std::int64_t tokens, std::int64_t each) {
  Passes p{tokens, each, b.temporary("expert", {tokens, each}, onnx::DataType::kInt32)};
  const std::vector<Axis> axes = {
      {"t", tokens}, {"p", each}, {"e", b.shape(probabilities)[1], true}};
  b.add_block("route", axes, [&](Indices i) {
    const ExprId of = b.load(probabilities, std::array{i[0], i[2]});
    return b.store(p.expert, i.first(2),
                   b.other("most likely", std::array{b.load(p.expert, i.first(2)), of}));
  });
  return p;
}

/// Adds the first weight and, if given, the third one as a gate, the activation, then the second
/// weight.
bool mixture_nest(NestBuilder& b, const std::array<Expert, 3>& at) {
  const auto x = b.input(0), probabilities = b.input(1), out = b.output(0);
  const auto second = b.input(at[1].weight);
  if (!x || !probabilities || !out || !second || b.shape(*x).empty() || b.shape(*x).back() < 1 ||
      b.shape(*probabilities).size() != 2 || b.shape(*second).size() != 3)
    return false;
  const std::int64_t columns = b.shape(*x).back();
  const std::int64_t tokens = product(b.shape(*x)) / columns;
  const Passes p = add_routing(b, *probabilities, tokens, b.form().integer("k", 1));
  const auto token = [&](Indices i) {
    return b.load_flat(*x, b.sum(b.product(i[0], b.number(columns)), i[2]));
  };
  const auto made = add_experts(b, p, at[0], token);
  const auto gate = b.form().has_input(at[2].weight) ? add_experts(b, p, at[2], token) : made;
  if (!made || !gate) return false;
  const BufferId active = *made;
  b.add_map("activate", active, [&](Indices i) {
    std::vector<ExprId> operands = {b.load(active, i)};
    if (*gate != active) operands.push_back(b.load(*gate, i));
    return b.other(b.form().text("activation_type", "relu"), operands);
  });
  const auto last = add_experts(b, p, at[1], [&](Indices i) { return b.load(active, i); });
  if (!last) return false;
  b.add_map("begin", *out, [&](Indices) { return b.zero(); });
  b.add_block("combine", axes_of(b.shape(*last)), [&](Indices i) {
    const ExprId number = b.sum(b.product(i[0], b.number(columns)), i[2]);
    const ExprId chosen = b.load(*probabilities, std::array{i[0], b.load(p.expert, i.first(2))});
    return b.add_into(*out, b.index_of(*out, number),
                      b.other("weighted", std::array{b.load(*last, i), chosen}));
  });
  return true;
}

bool experts_nest(NestBuilder& b, PaddingForm /*padding*/) {
  return mixture_nest(b, {{{2, kNoInput, 3}, {4, kNoInput, 5}, {6, kNoInput, 7}}});
}
bool quantized_experts_nest(NestBuilder& b, PaddingForm /*padding*/) {
  return mixture_nest(b, {{{2, 3, 4}, {5, 6, 7}, {8, 9, 10}}});
}

constexpr std::array kExpertRows = {
    NestRow{kMicrosoft, "MoE", experts_nest},
    NestRow{kMicrosoft, "QMoE", quantized_experts_nest},
};

}  // namespace

const std::span<const NestRow> kExpertNests = kExpertRows;

}  // namespace ridge::accelerator
