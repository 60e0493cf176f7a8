// SPDX-License-Identifier: Apache-2.0
// Generation of tokens by a decoder with a cache of keys and values: what is run, and what a step
// was. Plain data on both sides of the child process.
//
// A request is a prompt and a number of tokens. Its prompt fills the cache and gives the first
// token; each further step takes the token before it and gives the next, the one with the largest
// score. The cache that a run writes is the input of the next run, handed over without a copy
// (RIDGE_HAS_HAND_OVER); or past and present are one buffer with room for a whole request
// (RIDGE_SHARES_BUFFERS), as onnxruntime-genai binds the caches of GroupQueryAttention.
//
//   prompt of 3, 3 tokens      cache before   ids     gives
//     prefill                       0         a b c     d
//     step                          3         d         e
//     step                          4         e         f
//
// Thread rule: value types.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "base/words.h"
#include "onnx/data_type.h"
#include "runtime/inputs/run_inputs.h"
#include "runtime/types.h"
#include "scenario/generated.h"

namespace ridge::runtime {

using scenario::RequestRecord;
using scenario::StepKind;
using scenario::StepRecord;
using scenario::TokenRequest;

/// Input for a part of the cache.
struct StateInput {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;  ///< shape of an empty cache
  std::int32_t axis = -1;   ///< along which it grows by one for each token; -1: it has one size
  std::int64_t places = 0;  ///< tokens that a cache of one size holds; 0: it is no such cache
  /// Keys and values of an encoder: what the first run of a request gives stays for all others.
  bool kept = false;
};

/// Output of a run that is the input of the next.
struct StatePair {
  std::string output, input;
};

/// A loaded model that gives scores of the next token and its cache.
struct Decoder {
  SessionId session = 0;
  std::vector<RunInput> inputs;  ///< all but the cache
  std::vector<StateInput> past;
  std::string logits;            ///< [batch, tokens, vocabulary] or [batch, vocabulary]
  std::vector<StatePair> state;  ///< its outputs that are inputs of GenerationPlan::decode
};

/// How the cache of a prompt comes about.
enum class PromptBy : std::uint8_t {
  kPrefillModel,  ///< a run of another model
  kAtOnce,        ///< a run of the same model with an empty cache
  kTokenByToken,  ///< a run of the same model for each of its tokens
  kGivenCache,    ///< none: the first step finds seeded numbers in its cache
};

/// Where the cache of a run comes from.
enum class CacheBy : std::uint8_t {
  kGrow,    ///< each run's present is the next run's past
  kShared,  ///< past and present are one buffer
};

/// When requests begin.
enum class RequestsBegin : std::uint8_t {
  kWhenClientIsFree,  ///< each client's next one when its last one is done
  kAtDueTimes,
};

struct GenerationPlan {
  Decoder decode;
  std::optional<Decoder> prefill;  ///< with kPrefillModel
  PromptBy prompt_by = PromptBy::kAtOnce;
  CacheBy cache_by = CacheBy::kGrow;
  std::uint32_t capacity = 0;  ///< tokens that the cache has room for; 0: it grows
  RequestsBegin begin = RequestsBegin::kWhenClientIsFree;
  std::uint32_t clients = 1;  ///< requests at the same time
  std::uint32_t batch = 1;    ///< sequences of each request
  std::int64_t vocabulary = 1;
  std::uint64_t seed = 1;               ///< seed of the prompts
  std::uint32_t warmup_steps = 3;       ///< steps of each client before, not recorded
  bool computes = true;                 ///< false: the runtime has no scores; every next token is 0
  Nanos max_duration{600'000'000'000};  ///< after it no request begins
  std::vector<TokenRequest> requests;
};

/// Ids of a prompt: uniform, the same on every machine.
std::vector<std::int64_t> prompt_ids(const GenerationPlan& plan, std::uint32_t request,
                                     std::uint32_t sequence);

struct GenerationResult {
  std::int64_t begun_ns = 0, ended_ns = 0;
  std::uint32_t abandoned = 0;  ///< requests that did not begin
  bool canceled = false;
  std::int64_t handed_bytes = 0;  ///< bytes of caches that were passed from run to run
  /// Bytes among them that were copied: as the plug-in says, or since the next run read another
  /// address than the last one wrote.
  std::int64_t copied_bytes = 0;
  std::int64_t compared = 0;      ///< tensors whose addresses were compared
  std::int64_t buffer_bytes = 0;  ///< size of the shared buffers of a client
  /// Most places in a cache that had fewer than the tokens before it: a window; 0: none was.
  std::int64_t window = 0;
  std::optional<Error> failure;  ///< reason for an early end
};

}  // namespace ridge::runtime

namespace ridge {

template <>
struct Words<runtime::PromptBy> {
  using E = runtime::PromptBy;
  static constexpr std::array list{Word{E::kPrefillModel, "model"}, Word{E::kAtOnce, "at-once"},
                                   Word{E::kTokenByToken, "token-by-token"},
                                   Word{E::kGivenCache, "given-cache"}};
};

template <>
struct Words<runtime::CacheBy> {
  using E = runtime::CacheBy;
  static constexpr std::array list{Word{E::kGrow, "grow"}, Word{E::kShared, "shared"}};
};

}  // namespace ridge
