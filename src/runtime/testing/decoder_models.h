// SPDX-License-Identifier: Apache-2.0
// A decoder with one layer of attention and random weights, small enough for tests, in the forms
// that exporters write: with and without a cache.
//
// Names: input_ids [batch, sequence], position_ids and attention_mask where asked for,
// past_key_values.0.key and .value [batch, 1, past, 8]; logits [batch, sequence, 50],
// present.0.key and .value.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx/document.h"
#include "zoo/transformer.h"

namespace ridge::runtime {
namespace tiny {

using onnx::DataType;
using zoo::Builder;
using zoo::Tensor;

constexpr std::int64_t kWidth = 8, kMaxPositions = 64;
constexpr float kMasked = -1e9F;

inline Tensor as_float(Builder& b, Tensor x) {
  return b.op("Cast", {x}, {{"to", static_cast<std::int64_t>(DataType::kFloat)}});
}

/// 0 for keys that a query sees, kMasked for others: later ones, and those whose mask is 0.
inline Tensor mask_of(Builder& b, Tensor positions, Tensor keys, Tensor mask) {
  const Tensor length = b.op("Squeeze", {b.size_of(keys, 2), b.ints({0})});
  const Tensor places = b.op("Range", {b.integer(0), length, b.integer(1)});
  const Tensor queries = b.op("Unsqueeze", {positions, b.ints({1, 3})});
  const Tensor later = as_float(b, b.op("Less", {queries, places}));
  const Tensor hidden = b.op("Sub", {b.scalar(1), as_float(b, mask)});
  const Tensor unseen = b.op("Unsqueeze", {hidden, b.ints({1, 2})});
  return b.mul(b.add(later, unseen), b.scalar(kMasked));
}

}  // namespace tiny

inline constexpr std::int64_t kTinyVocabulary = 50;

enum class TinyForm : std::uint8_t {
  kPrefill,   ///< no cache before: the whole sequence at once
  kDecode,    ///< a cache, then one token
  kComplete,  ///< a cache, then any number of tokens; takes positions and a mask
};

/// Forms have the same weights, so that what one continues is what another would say.
inline onnx::Document tiny_decoder(TinyForm form) {
  using namespace tiny;  // NOLINT(google-build-using-namespace)
  using onnx::DataType;

  Builder b("tiny_decoder");
  const zoo::Size tokens = form == TinyForm::kDecode ? zoo::Size(1) : zoo::Size("sequence");
  const Tensor ids = b.input("input_ids", DataType::kInt64, {"batch", tokens}, 0);
  Tensor positions, mask;
  if (form == TinyForm::kComplete) {
    mask = b.input("attention_mask", DataType::kInt64, {"batch", "total"}, 0);
    positions = b.input("position_ids", DataType::kInt64, {"batch", "sequence"}, 0);
  }
  Tensor past_key, past_value;
  if (form != TinyForm::kPrefill) {
    past_key = b.input("past_key_values.0.key", DataType::kFloat, {"batch", 1, "past", kWidth}, 0);
    past_value =
        b.input("past_key_values.0.value", DataType::kFloat, {"batch", 1, "past", kWidth}, 0);
  }
  if (form == TinyForm::kPrefill) positions = zoo::positions(b, ids);
  if (form == TinyForm::kDecode) positions = b.add(zoo::positions(b, ids), b.size_of(past_key, 2));
  const Tensor table = b.weight("table", {kTinyVocabulary, kWidth}, 0, 1);
  const Tensor places = b.weight("places", {kMaxPositions, kWidth}, 0, 1);
  const Tensor x = b.add(b.op("Gather", {table, ids}, {{"axis", 0}}, kWidth),
                         b.op("Gather", {places, positions}, {{"axis", 0}}, kWidth));
  const auto head = [&](std::string_view name) {
    return b.op("Unsqueeze", {b.product(name, x, kWidth, 4), b.ints({1})});
  };
  const Tensor query = head("q_proj");
  Tensor key = head("k_proj"), value = head("v_proj");
  if (form != TinyForm::kPrefill) {
    key = b.op("Concat", {past_key, key}, {{"axis", 2}});
    value = b.op("Concat", {past_value, value}, {{"axis", 2}});
  }
  Tensor scores = b.matmul(query, b.transpose(key, {0, 1, 3, 2}));
  if (form == TinyForm::kPrefill) scores = b.add(scores, zoo::causal_mask(b, ids, kMasked));
  if (form == TinyForm::kComplete) scores = b.add(scores, mask_of(b, positions, key, mask));
  const Tensor seen =
      b.op("Squeeze", {b.matmul(b.softmax(scores), value), b.ints({1})}, {}, kWidth);
  const Tensor logits = b.matmul(b.add(x, seen), b.transpose(table, {1, 0}));
  b.output("logits", logits, {"batch", tokens, kTinyVocabulary});
  const zoo::Size length = form == TinyForm::kPrefill ? zoo::Size("sequence") : zoo::Size(-1);
  b.output("present.0.key", key, {"batch", 1, length, kWidth});
  b.output("present.0.value", value, {"batch", 1, length, kWidth});
  return std::move(b).finish();
}

}  // namespace ridge::runtime
