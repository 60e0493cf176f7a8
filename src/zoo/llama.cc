// SPDX-License-Identifier: Apache-2.0
// Llama (huggingface/transformers models/llama/modeling_llama.py) with the sizes of SmolLM-135M:
// RMS normalization, rotary embedding, grouped queries, gated MLP, a head that shares the token
// embedding. Two networks: the prompt, which fills the cache of keys and values, and the next
// token.
#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kLlamaWidth = 576, kHidden = 1536, kLlamaVocabulary = 49152,
                       kLlamaHeadWidth = 64;
constexpr std::int64_t kLlamaHeads = 9, kCachedHeads = 3, kSharing = kLlamaHeads / kCachedHeads;
constexpr int kLlamaLayers = 30;
constexpr float kLlamaEpsilon = 1e-5F, kTheta = 1e4F;
constexpr DefaultSize kOneToken[] = {{"batch", 1}, {"past", 128}};

/// Keys and values of a layer, [N, cached heads, T, head width].
struct Cache {
  Tensor key, value;
};

/// Cosines and sines of the rotary embedding, [S, head width].
struct Rotation {
  Tensor cosine, sine;
};

/// Values that all layers read. `mask` has no name if every token sees all others.
struct Context {
  Rotation rotation;
  Tensor mask;
};

/// x / sqrt(mean(x^2) + epsilon) * weight (Zhang and Sennrich 2019, equation 4).
Tensor rms_norm(Builder& b, std::string_view leaf, Tensor x) {
  const auto scope = b.module(leaf);
  const Tensor mean = b.op("ReduceMean", {b.op("Pow", {x, b.scalar(2)})},
                           {{"axes", std::vector<std::int64_t>{-1}}, {"keepdims", 1}});
  const Tensor root = b.op("Sqrt", {b.add(mean, b.scalar(kLlamaEpsilon))});
  const Tensor y = b.mul(x, b.op("Div", {b.scalar(1), root}));
  return b.mul(b.weight("weight", {x.width}, 1, 0.2F), y);
}

/// Angles p / theta^(2i / d) of position p (Su et al. 2021, equation 15), for i and for i + d / 2.
/// The powers come from integers: stored, they would count as weights, which they are not.
Rotation rotation(Builder& b, Tensor places) {
  constexpr auto kFloat = static_cast<std::int64_t>(onnx::DataType::kFloat);
  const auto scope = b.module("rotary_emb");
  const Tensor even = b.op("Range", {b.integer(0), b.integer(kLlamaHeadWidth), b.integer(2)}, {},
                           kLlamaHeadWidth / 2);
  const Tensor exponent =
      b.mul(b.op("Cast", {even}, {{"to", kFloat}}), b.scalar(-1.0F / float{kLlamaHeadWidth}));
  const Tensor column = b.op("Unsqueeze", {places, b.ints({1})});
  const Tensor half = b.mul(b.op("Cast", {column}, {{"to", kFloat}}),
                            b.op("Pow", {b.scalar(kTheta), exponent}, {}, kLlamaHeadWidth / 2));
  const Tensor angle = b.op("Concat", {half, half}, {{"axis", -1}}, kLlamaHeadWidth);
  return {b.op("Cos", {angle}), b.op("Sin", {angle})};
}

/// x cos + (-x2, x1) sin, where x1 and x2 are the halves of each head.
Tensor rotated(Builder& b, Tensor x, const Rotation& r) {
  const Tensor axis = b.ints({3}), middle = b.ints({kLlamaHeadWidth / 2});
  const Tensor straight = b.mul(x, r.cosine);
  const Tensor first = b.op("Slice", {x, b.ints({0}), middle, axis});
  const Tensor second = b.op("Slice", {x, middle, b.ints({kLlamaHeadWidth}), axis});
  const Tensor turned = b.op("Concat", {b.op("Neg", {second}), first}, {{"axis", -1}});
  return b.add(straight, b.mul(turned, r.sine));
}

Tensor llama_heads_first(Builder& b, Tensor x) {
  const std::int64_t heads = x.width / kLlamaHeadWidth;
  return b.transpose(b.reshape(x, {0, 0, heads, kLlamaHeadWidth}, kLlamaHeadWidth), {0, 2, 1, 3});
}

/// Each cached head, repeated for the queries that share it: [N, heads, T, head width].
Tensor llama_repeated(Builder& b, Tensor x) {
  // Grouped queries: 9 heads share 3 cached ones, so each cached head stands 3 times in a row.
  const Tensor groups = b.op("Unsqueeze", {x, b.ints({2})});
  const Tensor copies = b.op("Expand", {groups, b.ints({1, 1, kSharing, 1, 1})});
  return b.reshape(copies, {0, kLlamaHeads, -1, kLlamaHeadWidth}, kLlamaHeadWidth);
}

/// Extends `cache`, the keys and values of the layer, by x's keys and values.
Tensor llama_self_attention(Builder& b, Tensor x, const Context& context, Cache& cache) {
  const auto scope = b.module("self_attn");
  const std::int64_t cached = kCachedHeads * kLlamaHeadWidth;
  const Tensor q =
      rotated(b, llama_heads_first(b, b.product("q_proj", x, kLlamaWidth)), context.rotation);
  Tensor key = rotated(b, llama_heads_first(b, b.product("k_proj", x, cached)), context.rotation);
  Tensor value = llama_heads_first(b, b.product("v_proj", x, cached));
  if (!cache.key.name.empty()) {
    key = b.op("Concat", {cache.key, key}, {{"axis", 2}});
    value = b.op("Concat", {cache.value, value}, {{"axis", 2}});
  }
  cache = {key, value};
  const Tensor keys = b.transpose(llama_repeated(b, key), {0, 1, 3, 2});
  const Tensor y =
      attention_of_heads(b, q, keys, llama_repeated(b, value), kLlamaHeads, context.mask);
  return b.product("o_proj", y, kLlamaWidth, kResidualGain);
}

Tensor gated_mlp(Builder& b, Tensor x) {
  const auto scope = b.module("mlp");
  const Tensor gate = b.silu("act_fn", b.product("gate_proj", x, kHidden));
  return b.product("down_proj", b.mul(gate, b.product("up_proj", x, kHidden)), kLlamaWidth,
                   2 * kResidualGain);
}

Tensor llama_layer(Builder& b, Tensor x, const Context& context, Cache& cache) {
  x = b.add(x, llama_self_attention(b, rms_norm(b, "input_layernorm", x), context, cache));
  return b.add(x, gated_mlp(b, rms_norm(b, "post_attention_layernorm", x)));
}

/// Inputs with the cache of the earlier tokens.
std::vector<Cache> past_inputs(Builder& b) {
  std::vector<Cache> past;
  for (int i = 0; i < kLlamaLayers; ++i) {
    const auto input = [&](std::string_view what) {
      return b.input(fmt::format("past_key_values.{}.{}", i, what), onnx::DataType::kFloat,
                     {"batch", kCachedHeads, "past", kLlamaHeadWidth}, kLlamaHeadWidth);
    };
    const Tensor key = input("key");
    past.push_back({key, input("value")});
  }
  return past;
}

/// Adds the outputs: scores of the next token, and the cache, whose length is `length`.
void finish(Builder& b, Tensor logits, Size tokens, const std::vector<Cache>& cache, Size length) {
  b.output("logits", logits, {"batch", tokens, kLlamaVocabulary});
  for (int i = 0; i < kLlamaLayers; ++i) {
    const Cache& c = cache[static_cast<std::size_t>(i)];
    const std::string name = fmt::format("present.{}.", i);
    b.output(name + "key", c.key, {"batch", kCachedHeads, length, kLlamaHeadWidth});
    b.output(name + "value", c.value, {"batch", kCachedHeads, length, kLlamaHeadWidth});
  }
}

enum class Phase : std::uint8_t { kPrompt, kNextToken };

/// Returns the logits; extends the cache, one per layer.
Tensor decoder(Builder& b, Tensor ids, Phase phase, std::vector<Cache>& cache) {
  Tensor x, table;
  {
    const auto model = b.module("model");
    {
      const auto scope = b.module("embed_tokens");
      table = b.weight("weight", {kLlamaVocabulary, kLlamaWidth}, 0, 0.035F);
      x = b.op("Gather", {table, ids}, {{"axis", 0}});
    }
    Context context;
    Tensor places = positions(b, ids);
    if (phase == Phase::kPrompt)
      context.mask = causal_mask(b, ids, std::numeric_limits<float>::lowest());
    else
      places = b.add(places, b.size_of(cache[0].key, 2));
    context.rotation = rotation(b, places);
    for (int i = 0; i < kLlamaLayers; ++i) {
      const auto scope = b.module(fmt::format("layers.{}", i));
      x = llama_layer(b, x, context, cache[static_cast<std::size_t>(i)]);
    }
    x = rms_norm(b, "norm", x);
  }
  const auto head = b.module("lm_head");
  Tensor transposed = b.transpose(table, {1, 0});
  transposed.width = kLlamaVocabulary;
  return b.matmul(x, transposed);
}

onnx::Document build_prefill(const Request& request) {
  Builder b(request.network);
  b.share_weights("llama");
  const Tensor ids = b.input("input_ids", onnx::DataType::kInt64, {"batch", "sequence"}, 0);
  std::vector<Cache> cache(kLlamaLayers);
  const Tensor logits = decoder(b, ids, Phase::kPrompt, cache);
  finish(b, logits, "sequence", cache, "sequence");
  return std::move(b).finish();
}

onnx::Document build_decode(const Request& request) {
  Builder b(request.network);
  b.share_weights("llama");
  const Tensor ids = b.input("input_ids", onnx::DataType::kInt64, {"batch", 1}, 0);
  std::vector<Cache> cache = past_inputs(b);
  const Tensor logits = decoder(b, ids, Phase::kNextToken, cache);
  finish(b, logits, 1, cache, -1);
  return std::move(b).finish();
}

constexpr const char* kLlamaPaper = "Touvron et al. 2023, arXiv:2302.13971";
constexpr Entry kLlamaEntries[] = {
    {"llama_prefill", "Llama", "SmolLM-135M, the prompt: 30 layers of 576, fills the cache",
     kLlamaPaper, kOneText, Images{}, build_prefill},
    {"llama_decode", "Llama", "SmolLM-135M, one token after the cached ones", kLlamaPaper,
     kOneToken, Images{}, build_decode},
};

}  // namespace

Family llama() { return kLlamaEntries; }

}  // namespace ridge::zoo
