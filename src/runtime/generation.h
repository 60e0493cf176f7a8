// Generation of tokens by a decoder with a cache of keys and values: what is run, and what a step
// was. Plain data on both sides of the child process.
//
// A request is a prompt and a number of tokens. Its prompt fills the cache and gives the first
// token; each further step takes the token before it and gives the next, the one with the largest
// score. The cache that a run writes is the input of the next run, handed over without a copy
// (RIDGE_HAS_HAND_OVER).
//
//   prompt of 3, 3 tokens      cache before   ids     gives
//     prefill                       0         a b c     d
//     step                          3         d         e
//     step                          4         e         f
//
// Thread rule: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "onnx/data_type.h"
#include "runtime/types.h"
#include "scenario/generated.h"

namespace ridge::runtime {

using scenario::RequestRecord;
using scenario::StepKind;
using scenario::StepRecord;
using scenario::TokenRequest;

/// An integer input of a decoder; without a name: it has none.
struct TokenInput {
  std::string name;
  onnx::DataType type = onnx::DataType::kInt64;  ///< or kInt32
};

/// Input for a part of the cache.
struct StateInput {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;  ///< shape of an empty cache
  std::int32_t axis = -1;  ///< along which it grows by one for each token; -1: it has one size
};

/// Output of a run that is the input of the next.
struct StatePair {
  std::string output, input;
};

/// A loaded model that gives scores of the next token and its cache.
struct Decoder {
  SessionId session = 0;
  TokenInput ids;         ///< [batch, tokens]
  TokenInput positions;   ///< [batch, tokens], from the length of the cache on
  TokenInput mask;        ///< [batch, cache + tokens], all 1
  std::string has_cache;  ///< bool [1] that says whether there is a cache; "": none
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

/// When requests begin.
enum class RequestsBegin : std::uint8_t {
  kWhenClientIsFree,  ///< each client's next one when its last one is done
  kAtTheirMoments,
};

struct GenerationPlan {
  Decoder decode;
  std::optional<Decoder> prefill;  ///< with kPrefillModel
  PromptBy prompt_by = PromptBy::kAtOnce;
  RequestsBegin begin = RequestsBegin::kWhenClientIsFree;
  std::uint32_t clients = 1;  ///< requests at the same time
  std::uint32_t batch = 1;    ///< sequences of each request
  std::int64_t vocabulary = 1;
  std::uint64_t seed = 1;          ///< seed of the prompts
  std::uint32_t warmup_steps = 3;  ///< steps of each client before, not recorded
  bool computes = true;            ///< false: the runtime has no scores; every next token is 0
  Nanos most_duration{600'000'000'000};  ///< after it no request begins
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
  std::int64_t compared = 0;     ///< tensors whose addresses were compared
  std::optional<Error> failure;  ///< reason for an early end
};

template <typename Archive>
void fields(Archive& archive, TokenInput& t) {
  archive(t.name, t.type);
}

template <typename Archive>
void fields(Archive& archive, StateInput& s) {
  archive(s.name, s.type, s.dims, s.axis);
}

template <typename Archive>
void fields(Archive& archive, StatePair& p) {
  archive(p.output, p.input);
}

template <typename Archive>
void fields(Archive& archive, Decoder& d) {
  archive(d.session, d.ids, d.positions, d.mask, d.has_cache, d.past, d.logits, d.state);
}

template <typename Archive>
void fields(Archive& archive, GenerationPlan& p) {
  archive(p.decode, p.prefill, p.prompt_by, p.begin, p.clients, p.batch, p.vocabulary, p.seed);
  archive(p.warmup_steps, p.computes, p.most_duration, p.requests);
  archive.check(p.prompt_by <= PromptBy::kGivenCache && p.begin <= RequestsBegin::kAtTheirMoments);
}

template <typename Archive>
void fields(Archive& archive, GenerationResult& r) {
  archive(r.begun_ns, r.ended_ns, r.abandoned, r.canceled, r.handed_bytes, r.copied_bytes);
  archive(r.compared, r.failure);
}

}  // namespace ridge::runtime
