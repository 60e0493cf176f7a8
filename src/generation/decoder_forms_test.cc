// SPDX-License-Identifier: Apache-2.0
// One small decoder in the forms that exporters write, with the same weights: each form must give
// the tokens of the plainest one, whose every token is a run with a cache that grows by a Concat.
#include <gtest/gtest.h>

#include <cmath>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "generation/document.h"
#include "generation/generation.h"
#include "graph/sketch.h"
#include "onnx/writer.h"
#include "session/testing.h"

namespace ridge::generation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;

/// Weights, in one order in all forms, so that they are equal.
constexpr std::string_view kWeights = R"(graph main
    constant table[50,8] wq[8,8] wk[8,8] wv[8,8] places[64,8]
    integers one[1]=1 two[1]=2 first=1 reach[1]=-4 end[1]=1000
)";
constexpr std::string_view kEmbed = R"(
    Gather(table, input_ids) -> e
    Gather(places, position_ids) -> p
    Add(e, p) -> x
)";
constexpr std::string_view kHeads = R"(
    MatMul(x, wq) -> q0
    MatMul(x, wk) -> k0
    MatMul(x, wv) -> v0
    Unsqueeze(q0, one) -> q
    Unsqueeze(k0, one) -> k
    Unsqueeze(v0, one) -> v
)";
constexpr std::string_view kAppend = R"(
    Concat(past_key_values.0.key, k) {axis=2} -> key
    Concat(past_key_values.0.value, v) {axis=2} -> value
)";
constexpr std::string_view kDecoderScores = R"(
    Transpose(key) {perm=[0,1,3,2]} -> kt
    MatMul(q, kt) -> scores
)";
constexpr std::string_view kAttend = R"(
    Softmax(masked) {axis=-1} -> weights
    MatMul(weights, value) -> seen
    Squeeze(seen, one) -> attended
)";
constexpr std::string_view kLogits = R"(
    Add(x, attended) -> y
    Transpose(table) {perm=[1,0]} -> head
    MatMul(y, head) -> logits
)";
constexpr std::string_view kCache =
    " past_key_values.0.key[batch,1,past,8] past_key_values.0.value[batch,1,past,8]\n";
constexpr std::string_view kGrown =
    "    Identity(key) -> present.0.key\n    Identity(value) -> present.0.value\n"
    "    output logits[batch,s,50] present.0.key[batch,1,total,8] present.0.value[batch,1,total,8]";

std::string join(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) out += part;
  return out;
}

constexpr std::string_view kPass = "    Identity(scores) -> masked\n";

std::string plain_decoder() {
  return join({kWeights, "    input input_ids:int64[batch,1] position_ids:int64[batch,1]", kCache,
               kEmbed, kHeads, kAppend, kDecoderScores, kPass, kAttend, kLogits, kGrown});
}

/// As onnxruntime-genai's builder writes it.
std::string grouped() {
  return join({kWeights,
               "    input input_ids:int64[batch,s] attention_mask:int64[batch,all] "
               "position_ids:int64[batch,s]",
               kCache, kEmbed, kHeads, R"(
    ReduceSum(attention_mask, one) {keepdims=0} -> sum
    Sub(sum, first) -> last64
    Cast(last64) {to=6} -> last
    Shape(attention_mask) -> sizes
    Gather(sizes, first) -> all64
    Cast(all64) {to=6} -> total
)",
               "    com.microsoft.GroupQueryAttention(q0, k0, v0, past_key_values.0.key, "
               "past_key_values.0.value, last, total) {num_heads=1 kv_num_heads=1 scale=1.0f} -> "
               "attended, present.0.key, present.0.value\n",
               kLogits,
               "    output logits[batch,s,50] present.0.key[batch,1,all,8] "
               "present.0.value[batch,1,all,8]"});
}

/// Inputs that change the scores unless they have the values that they are known to have.
std::string with_extras() {
  return join({kWeights,
               "    input input_ids:int64[batch,s] position_ids:int64[3,batch,s] "
               "attention_mask[batch,1,s,all] num_logits_to_keep:int64[] "
               "token_type_ids:int64[batch,s] beam_idx:int64[batch]",
               kCache, R"(
    integers none=0
    Gather(position_ids, first) {axis=0} -> flat
    Gather(table, input_ids) -> e
    Gather(places, flat) -> p
    Add(e, p) -> x0
    Cast(token_type_ids) {to=1} -> types
    Unsqueeze(types, two) -> types3
    Add(x0, types3) -> x
)",
               kHeads, R"(
    Gather(past_key_values.0.key, beam_idx) {axis=0} -> pk
    Gather(past_key_values.0.value, beam_idx) {axis=0} -> pv
    Concat(pk, k) {axis=2} -> key
    Concat(pv, v) {axis=2} -> value
)",
               kDecoderScores, "    Add(scores, attention_mask) -> masked\n", kAttend, R"(
    Add(x, attended) -> y0
    Neg(num_logits_to_keep) -> from0
    Unsqueeze(from0, none) -> from
    Slice(y0, from, end, one) -> y
    Transpose(table) {perm=[1,0]} -> head
    MatMul(y, head) -> logits
)",
               kGrown});
}

/// A cache of 32 places, written in place.
std::string in_place(std::string_view length) {
  const std::string cache = join({"[1,1,", length, ",8]"});
  return join({kWeights,
               "    input input_ids:int64[1,s] cache_position:int64[s] attention_mask[1,1,s,",
               length, "] past_key_values.0.key", cache, " past_key_values.0.value", cache, R"(
    Gather(table, input_ids) -> e
    Gather(places, cache_position) -> p
    Add(e, p) -> x
)",
               kHeads, R"(
    Unsqueeze(cache_position, one) -> at
    Transpose(past_key_values.0.key) {perm=[2,0,1,3]} -> pk
    Transpose(k) {perm=[2,0,1,3]} -> k1
    ScatterND(pk, at, k1) -> k2
    Transpose(k2) {perm=[1,2,0,3]} -> key
    Transpose(past_key_values.0.value) {perm=[2,0,1,3]} -> pv
    Transpose(v) {perm=[2,0,1,3]} -> v1
    ScatterND(pv, at, v1) -> v2
    Transpose(v2) {perm=[1,2,0,3]} -> value
)",
               kDecoderScores, "    Add(scores, attention_mask) -> masked\n", kAttend, kLogits,
               "    Identity(key) -> present.0.key\n    Identity(value) -> present.0.value\n"
               "    output logits[1,s,50] present.0.key",
               cache, " present.0.value", cache});
}

std::string of_present(std::string_view made, std::string_view length) {
  return join({kWeights, "    input input_ids:int64[batch,1] position_ids:int64[batch,1]", kCache,
               kEmbed, kHeads, kAppend, made, kDecoderScores, kPass, kAttend, kLogits,
               "    output logits[batch,1,50] present.0.key[batch,1,", length,
               ",8] present.0.value[batch,1,", length, ",8]"});
}

struct DecoderBench {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  session::testing::Silent notices;
  session::Environment environment{.host = machine::this_host(),
                                   .notices = notices,
                                   .cache_folder = session::testing::cache_folder()};
  int files = 0;

  std::string file(const std::string& sketch) {
    std::string out = folder.path() + "/" + std::to_string(files++) + ".onnx";
    must(onnx::write_file(*graph::Sketch::document(sketch), out));
    return out;
  }
  TokenGenerationRequest request(const std::string& sketch) {
    TokenGenerationRequest out;
    out.model = file(sketch);
    out.workload = {.prompt = {6, 6}, .tokens = {9, 9}, .count = 2};
    return out;
  }
  TokenGeneration run(const TokenGenerationRequest& request) {
    return must(generate(request, environment));
  }
  std::string refusal(const TokenGenerationRequest& request) {
    const auto done = generate(request, environment);
    return done.ok() ? "accepted" : done.error().text();
  }
};

using Tokens = std::vector<std::int32_t>;

Tokens tokens_of(const TokenGeneration& g) {
  EXPECT_EQ(g.points.at(0).generated.failure, "");
  Tokens out;
  for (const scenario::RequestRecord& request : g.points.at(0).generated.requests)
    for (const scenario::StepRecord& step : request.steps)
      if (step.kind != scenario::StepKind::kPrompt) out.push_back(step.id);
  return out;
}

std::vector<std::uint32_t> lengths_of(const TokenGeneration& g) {
  std::vector<std::uint32_t> out;
  for (const scenario::StepRecord& step : g.points.at(0).generated.requests.at(0).steps)
    out.push_back(step.cache);
  return out;
}

class DecoderFormsSlow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
    expected_ = tokens_of(bench_.run(bench_.request(plain_decoder())));
    ASSERT_EQ(expected_.size(), 2U * 9);
  }
  DecoderBench bench_;
  Tokens expected_;
};

TEST_F(DecoderFormsSlow, OneBufferGivesTheTokensOfACacheThatGrows) {
  TokenGenerationRequest request = bench_.request(grouped());
  const TokenGeneration shared = bench_.run(request);
  const GeneratedPoint& point = shared.points.at(0);
  EXPECT_EQ(point.plan.cache_by, runtime::CacheBy::kShared);  // what the model allows
  EXPECT_EQ(tokens_of(shared), expected_);
  EXPECT_GT(point.compared, 0);
  EXPECT_EQ(point.copied_bytes, 0);
  EXPECT_EQ(point.handed_bytes, 0);
  EXPECT_EQ(point.buffer_bytes, 2 * 8 * 4 * std::int64_t{point.plan.capacity});
  EXPECT_GE(point.plan.capacity, 6U + 9);
  request.cache = runtime::CacheBy::kGrow;
  const TokenGeneration grown = bench_.run(request);
  EXPECT_EQ(grown.points.at(0).plan.cache_by, runtime::CacheBy::kGrow);
  EXPECT_EQ(tokens_of(grown), expected_);
  EXPECT_EQ(lengths_of(grown), lengths_of(shared));
}

TEST_F(DecoderFormsSlow, OneBufferIsRefusedWhereItCannotBe) {
  TokenGenerationRequest request = bench_.request(plain_decoder());
  request.cache = runtime::CacheBy::kShared;
  EXPECT_EQ(bench_.refusal(request),
            "error: " + request.model +
                ": its past and present cannot be one buffer: GroupQueryAttention alone reads and "
                "writes a cache in place\n"
                "  hint: --cache grow\n"
                "  [RIDGE-WB-0234]\n");
  request = bench_.request(grouped());
  request.cache = runtime::CacheBy::kShared;
  request.spec.runtimes = {"null"};
  EXPECT_EQ(bench_.refusal(request),
            "error: null does not write a cache in place\n"
            "  hint: --cache grow, or --runtime ort\n"
            "  [RIDGE-WB-0235]\n");
}

TEST_F(DecoderFormsSlow, KnownInputsGetTheirValues) {
  const TokenGeneration g = bench_.run(bench_.request(with_extras()));
  EXPECT_EQ(tokens_of(g), expected_);
  EXPECT_EQ(g.points.at(0).plan.prompt_by, runtime::PromptBy::kAtOnce);
}

TEST_F(DecoderFormsSlow, ACacheOfOneSizeIsWrittenInPlace) {
  for (const std::string_view length : {"32", "room"}) {
    TokenGenerationRequest request = bench_.request(in_place(length));
    const TokenGeneration g = bench_.run(request);
    EXPECT_EQ(tokens_of(g), expected_) << length;
    EXPECT_EQ(g.ports.room, length == "32" ? 32 : 15);
    EXPECT_EQ(lengths_of(g), (std::vector<std::uint32_t>{0, 6, 7, 8, 9, 10, 11, 12, 13}));
  }
  TokenGenerationRequest request = bench_.request(in_place("32"));
  request.workload.tokens = {28, 28};
  EXPECT_EQ(bench_.refusal(request),
            "error: a request with a prompt of 6 tokens and 28 to generate does not fit the "
            "decoder's cache, which has room for 32 tokens\n"
            "  hint: --prompt and --tokens of at most 33 together, or export it with a longer "
            "cache\n"
            "  [RIDGE-WB-0232]\n");
}

TEST_F(DecoderFormsSlow, AWindowIsAsLongAsItIs) {
  const TokenGeneration g =
      bench_.run(bench_.request(of_present("    Slice(key, reach, end, two) -> present.0.key\n"
                                           "    Slice(value, reach, end, two) -> present.0.value\n",
                                           "window")));
  // Six tokens of the prompt one by one, then eight steps: four places are all that there are.
  EXPECT_EQ(lengths_of(g), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(g.points.at(0).window, 4);
}

TEST_F(DecoderFormsSlow, AWindowOfOneSizeHidesItsEmptyPlaces) {
  const std::string_view last =
      "    Slice(key, reach, end, two) -> present.0.key\n"
      "    Slice(value, reach, end, two) -> present.0.value\n";
  const Tokens free = tokens_of(bench_.run(bench_.request(
      join({kWeights, "    input input_ids:int64[batch,1] position_ids:int64[batch,1]", kCache,
            kEmbed, kHeads, kAppend, last, kDecoderScores, kPass, kAttend, kLogits,
            "    output logits[batch,1,50] present.0.key[batch,1,w,8] "
            "present.0.value[batch,1,w,8]"}))));
  const TokenGeneration g = bench_.run(bench_.request(
      join({kWeights,
            "    input input_ids:int64[1,1] position_ids:int64[1,1] attention_mask:int64[1,5] "
            "past_key_values.0.key[1,1,4,8] past_key_values.0.value[1,1,4,8]",
            kEmbed, kHeads, kAppend, last, kDecoderScores, R"(
    integers axes[2]=1,2
    reals low=-1000000000
    Cast(attention_mask) {to=1} -> kept
    Sub(kept, unit) -> minus
    Neg(minus) -> hidden
    Mul(hidden, low) -> hidden2
    Unsqueeze(hidden2, axes) -> hidden4
    Add(scores, hidden4) -> masked
    reals unit=1
)",
            kAttend, kLogits,
            "    output logits[1,1,50] present.0.key[1,1,4,8] present.0.value[1,1,4,8]"})));
  EXPECT_EQ(tokens_of(g), free);
  EXPECT_NE(free, expected_);
  EXPECT_EQ(lengths_of(g), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}));
}

/// A decoder that also attends to an encoder's keys, which are its values as well. `keys`: how they
/// come about.
std::string with_encoder(std::string_view inputs, std::string_view keys, std::string_view own,
                         std::string_view outputs) {
  return join({kWeights, inputs, kEmbed, kHeads, keys, own, kDecoderScores, kPass, kAttend, R"(
    Transpose(ekeys) {perm=[0,1,3,2]} -> ekt
    MatMul(q, ekt) -> escores
    Softmax(escores) {axis=-1} -> eweights
    MatMul(eweights, ekeys) -> eseen
    Squeeze(eseen, one) -> eattended
    Add(x, attended) -> x1
    Add(x1, eattended) -> y
    Transpose(table) {perm=[1,0]} -> head
    MatMul(y, head) -> logits
)",
               outputs});
}

TEST_F(DecoderFormsSlow, KeysOfAnEncoderStayForARequest) {
  const std::string decoder = with_encoder(
      "    input input_ids:int64[batch,1] position_ids:int64[batch,1] "
      "past_key_values.0.encoder.key[batch,1,encoded,8] "
      "past_key_values.0.decoder.key[batch,1,past,8]"
      " past_key_values.0.decoder.value[batch,1,past,8]",
      "    Identity(past_key_values.0.encoder.key) -> ekeys\n",
      "    Concat(past_key_values.0.decoder.key, k) {axis=2} -> key\n"
      "    Concat(past_key_values.0.decoder.value, v) {axis=2} -> value\n",
      "    Identity(key) -> present.0.decoder.key\n    Identity(value) -> present.0.decoder.value\n"
      "    output logits[batch,1,50] present.0.decoder.key[batch,1,total,8] "
      "present.0.decoder.value[batch,1,total,8]");
  const std::string prompts = with_encoder(
      "    input input_ids:int64[batch,1] position_ids:int64[batch,1] "
      "encoder_hidden_states[batch,encoded,8]",
      "    Unsqueeze(encoder_hidden_states, one) -> ekeys\n",
      "    Identity(k) -> key\n    Identity(v) -> value\n",
      "    Identity(key) -> present.0.decoder.key\n    Identity(value) -> present.0.decoder.value\n"
      "    Identity(ekeys) -> present.0.encoder.key\n"
      "    output logits[batch,1,50] present.0.decoder.key[batch,1,s,8] "
      "present.0.decoder.value[batch,1,s,8] present.0.encoder.key[batch,1,encoded,8]");
  const std::string rows = "[[1,-2,3,0,2,-1,0,4],[0,3,-1,2,1,5,-2,0],[2,2,-3,1,0,-4,1,1]]";
  TokenGenerationRequest request = bench_.request(decoder);
  request.workload = {.prompt = {1, 1}, .tokens = {12, 12}, .count = 2};
  EXPECT_EQ(bench_.refusal(request),
            "error: " + request.model +
                ": nothing gives the input 'past_key_values.0.encoder.key', float32 [batch, 1, "
                "encoded, 8], which is of an encoder\n"
                "  hint: give its elements: --input 'past_key_values.0.encoder.key=FILE.npy', or "
                "name the model that runs prompts and writes it: --prefill MODEL\n"
                "  [RIDGE-WB-0201]\n");
  request.inputs = {{"past_key_values.0.encoder.key", "[[" + rows + "]]"}};
  const Tokens given = tokens_of(bench_.run(request));
  request.prefill = bench_.file(prompts);
  request.inputs = {{"encoder_hidden_states", "[" + rows + "]"}};
  EXPECT_EQ(tokens_of(bench_.run(request)), given);
  request.inputs = {{"encoder_hidden_states", "[[[9,9,9,-9,-9,-9,0,0]]]"}};
  EXPECT_NE(tokens_of(bench_.run(request)), given);
}

TEST_F(DecoderFormsSlow, NewTokensAloneAreNoCache) {
  const std::string_view made =
      "    Identity(k) -> present.0.key\n    Identity(v) -> present.0.value\n";
  for (const std::string_view length : {"1", "new"}) {
    TokenGenerationRequest request = bench_.request(of_present(made, length));
    EXPECT_EQ(bench_.refusal(request),
              "error: " + request.model +
                  ": the output 'present.0.key' has 1 token after a run of 1 token with 1 token in "
                  "its cache: it is what the run added, not the cache of the next run\n"
                  "  hint: export the model with an output of past and new tokens together (a "
                  "Concat): the cache that a run writes is handed over as it is, nothing is "
                  "appended\n"
                  "  [RIDGE-RT-0064]\n");
  }
}

TEST_F(DecoderFormsSlow, AnInputThatIsNoCacheIsGivenItsValue) {
  const std::string sketch = join(
      {kWeights, "    input input_ids:int64[batch,1] position_ids:int64[batch,1] image[batch,8]",
       kCache, R"(
    Gather(table, input_ids) -> e
    Gather(places, position_ids) -> p
    Add(e, p) -> x0
    Unsqueeze(image, one) -> image3
    Add(x0, image3) -> x
)",
       kHeads, kAppend, kDecoderScores, kPass, kAttend, kLogits, kGrown});
  TokenGenerationRequest request = bench_.request(sketch);
  EXPECT_EQ(bench_.refusal(request),
            "error: " + request.model +
                ": the decoder's input 'image', float32 [batch, 8], has no known meaning\n"
                "  hint: give its value, which every run gets: --input 'image=0' or --input "
                "'image=FILE.npy'\n"
                "  [RIDGE-WB-0201]\n");
  request.inputs = {{"image", "0"}};  // as the hint says
  EXPECT_EQ(tokens_of(bench_.run(request)), expected_);
  request.inputs = {{"image", "5,-3,2,7,-1,4,0,6"}};
  EXPECT_NE(tokens_of(bench_.run(request)), expected_);
  request.inputs = {{"images", "0"}};
  EXPECT_EQ(bench_.refusal(request),
            "error: " + request.model +
                ": --input gives a value to 'images', which is no input of the decoder\n"
                "  hint: its inputs are: input_ids, position_ids, image, past_key_values.0.key, "
                "past_key_values.0.value\n"
                "  [RIDGE-WB-0231]\n");
}

}  // namespace
}  // namespace ridge::generation
