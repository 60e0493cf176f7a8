// SPDX-License-Identifier: Apache-2.0
// Language model of two LSTM layers (pytorch/examples word_language_model/model.py) with the sizes
// of the medium model of Zaremba et al. 2014 on the Penn Treebank: 650 units, 10,000 words, 35
// steps. Steps come first, then the batch, as in the original; the state enters and leaves.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kWords = 10'000, kUnits = 650, kGates = 4;
constexpr int kLstmLayers = 2;
constexpr DefaultSize kOneText35[] = {{"batch", 1}, {"sequence", 35}};

/// Hidden state and cell of one layer, or of all: [layers, N, units].
struct State {
  Tensor hidden, cell;
};

/// Extends `next` by the state of the layer after the last step.
Tensor lstm_layer(Builder& b, Tensor x, int i, const State& initial, std::vector<State>& next) {
  const float spread = 1 / std::sqrt(float{kUnits});
  const Tensor input =
      b.weight(fmt::format("weight_ih_l{}", i), {1, kGates * kUnits, x.width}, 0, spread);
  const Tensor recurrent =
      b.weight(fmt::format("weight_hh_l{}", i), {1, kGates * kUnits, kUnits}, 0, spread);
  // The biases of the input and of the state, which the original keeps apart.
  const Tensor bias = b.weight(fmt::format("bias_l{}", i), {1, 2 * kGates * kUnits}, 0, spread);
  const auto part = [&](Tensor all) {
    return b.op("Slice", {all, b.ints({i}), b.ints({i + 1}), b.ints({0})});
  };
  const Tensor hidden = part(initial.hidden);
  const std::vector<Tensor> y =
      b.op_many("LSTM", {x, input, recurrent, bias, {}, hidden, part(initial.cell)},
                {{"hidden_size", kUnits}}, 3, kUnits);
  next.push_back({y[1], y[2]});
  return b.op("Squeeze", {y[0], b.ints({1})});
}

onnx::Document build_lstm(const Request& request) {
  Builder b(request.network);
  const Tensor words = b.input("input", onnx::DataType::kInt64, {"sequence", "batch"}, 0);
  const auto state = [&](std::string_view name) {
    return b.input(name, onnx::DataType::kFloat, {kLstmLayers, "batch", kUnits}, kUnits);
  };
  const Tensor hidden = state("h0");
  const State initial = {hidden, state("c0")};
  Tensor x = b.embedding("encoder", words, kWords, kUnits);
  State last;
  {
    const auto scope = b.module("rnn");
    std::vector<State> next;
    for (int i = 0; i < kLstmLayers; ++i) x = lstm_layer(b, x, i, initial, next);
    last.hidden = b.op("Concat", {next[0].hidden, next[1].hidden}, {{"axis", 0}});
    last.cell = b.op("Concat", {next[0].cell, next[1].cell}, {{"axis", 0}});
  }
  x = b.reshape(b.linear("decoder", x, kWords), {-1, kWords}, kWords);
  b.output("output", b.op("LogSoftmax", {x}, {{"axis", 1}}), {-1, kWords});
  b.output("hn", last.hidden, {kLstmLayers, "batch", kUnits});
  b.output("cn", last.cell, {kLstmLayers, "batch", kUnits});
  return std::move(b).finish();
}

constexpr Entry kLstmEntries[] = {{"lstm",
                                   "LSTM",
                                   "LSTM language model, medium: two layers of 650",
                                   "Zaremba et al. 2014, arXiv:1409.2329",
                                   kOneText35,
                                   {},
                                   build_lstm}};

}  // namespace

Family lstm() { return kLstmEntries; }

}  // namespace ridge::zoo
