// SPDX-License-Identifier: Apache-2.0
// One client's decoder inside the child: runs prompts and steps on workers of its own, and hands
// the cache from run to run.
//
//   auto decoder = TRY(ChildDecoder::open(models, plan));
//   decoder->begin(prompt_length);                // an empty cache
//   const StepRecord first = TRY(decoder->run(decoder->first(), ids, n));
//   decoder->next()                               // a token for each sequence
//
// After each run the cache is as long as what the run wrote: a window may be shorter than
// the tokens so far. A present of another shape, or of the new tokens alone, is refused.
//
// Ownership: borrows the sessions; owns workers, the elements of inputs, and shared buffers. Thread
// rule: one thread. Errors: environment class (RIDGE-RT-0060) for a runtime that does not hand over
// or share a buffer, input class (RIDGE-RT-0062) for scores that are not there or of another shape,
// (RIDGE-RT-0064) for a cache that the next run cannot continue; the plug-in's errors.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/abi.h"
#include "runtime/generation.h"

namespace ridge::runtime {

/// Bytes of caches that went from run to run (GenerationResult).
struct HandedBytes {
  std::int64_t handed = 0, copied = 0, compared = 0;
  std::int64_t buffer = 0;  ///< size of shared buffers
  std::int64_t window = 0;
};

/// One caller of a decoder, as the loop of a generation sees it.
class TokenSource {
 public:
  virtual ~TokenSource() = default;
  /// Forgets the cache. With kGivenCache it has `prompt` tokens then.
  virtual Result<void> begin(std::uint32_t prompt) = 0;
  /// Runs `count` tokens of each sequence, `ids` in the order of the sequences. The first run of a
  /// request may be another model's run. Fills all of the record but its kind.
  virtual Result<StepRecord> run(std::span<const std::int64_t> ids, std::uint32_t count) = 0;
  /// The next token of each sequence.
  virtual std::span<const std::int64_t> next() const = 0;
  virtual HandedBytes handed() const = 0;
};

/// The sessions of a plan.
struct DecoderSessions {
  const RidgeRuntimeApi* api = nullptr;
  RidgeSession* decode = nullptr;
  RidgeSession* prefill = nullptr;  ///< may be null
  bool hands_over = false;          ///< RIDGE_HAS_HAND_OVER
  bool shares_buffers = false;      ///< RIDGE_SHARES_BUFFERS
};

class ChildDecoder final : public TokenSource {
 public:
  static Result<std::unique_ptr<ChildDecoder>> open(const DecoderSessions& sessions,
                                                    const GenerationPlan& plan);
  ~ChildDecoder() override;
  ChildDecoder(const ChildDecoder&) = delete;
  ChildDecoder& operator=(const ChildDecoder&) = delete;

  Result<void> begin(std::uint32_t prompt) override;
  Result<StepRecord> run(std::span<const std::int64_t> ids, std::uint32_t count) override;
  std::span<const std::int64_t> next() const override { return next_; }
  HandedBytes handed() const override { return handed_; }

 private:
  /// A model with its worker.
  struct Model {
    const Decoder* of = nullptr;
    RidgeWorker* worker = nullptr;
    RidgeSession* session = nullptr;
    std::vector<std::size_t> past;  ///< place of each pair of `of` in the decoder's past
    std::vector<RidgePair> pairs;   ///< all that are handed over: not the kept ones
    /// Addresses of its outputs, of its last run, and their bytes together.
    std::vector<const void*> written;
    std::int64_t state_bytes = 0;
  };
  /// Keys and values of an encoder that stay during a request.
  struct Kept {
    std::vector<std::int64_t> dims;
    std::vector<std::byte> elements;
  };

  ChildDecoder(const DecoderSessions& sessions, const GenerationPlan& plan)
      : sessions_(sessions), plan_(plan), api_(*sessions.api) {}
  Result<void> open(Model& model, const Decoder& of, RidgeSession* session);
  Result<void> share_buffers();
  Result<void> fill_cache(std::uint32_t length);
  Result<void> hand_over(Model& to);
  Result<void> compare(const Model& to, std::span<const void* const> written);
  Result<RidgePreparedInput*> prepared(const Model& model, std::span<const std::int64_t> ids,
                                       std::uint32_t count);
  void give_past(const Decoder& of);
  void add(const std::string& name, onnx::DataType type, std::vector<std::int64_t> dims,
           std::span<const std::byte> elements);
  Result<void> read(Model& model, std::uint32_t count);
  Result<void> take_state(Model& model, std::size_t pair, const RidgeTensor& output,
                          std::uint32_t count);
  Result<void> count_places(std::size_t past, const RidgeTensor& output, std::uint32_t count);
  Result<void> choose(const RidgeTensor& logits, std::uint32_t count);
  bool shares() const { return plan_.cache_by == CacheBy::kShared; }

  DecoderSessions sessions_;
  const GenerationPlan& plan_;
  const RidgeRuntimeApi& api_;
  RidgeError error_;
  Model decode_, prefill_;
  Model* last_ = nullptr;             // whose outputs are the cache; null: there is none yet
  std::uint32_t seen_ = 0;            // tokens of the request so far
  std::uint32_t cache_ = 0;           // places in the cache
  std::vector<std::int64_t> places_;  // the same by input: layers with a window have fewer
  std::uint32_t given_ = 0;           // tokens in the cache that the first run finds
  int compared_ = 0;                  // hand-overs of this request whose addresses were compared
  std::vector<std::int64_t> next_;
  HandedBytes handed_;

  std::vector<std::vector<std::byte>> past_;     // elements of the given cache, by input
  std::vector<std::vector<std::byte>> buffers_;  // shared by past and present, by input
  std::vector<Kept> kept_;                       // by input
  // Inputs of a run, while it lasts.
  std::vector<RidgeTensor> rows_;
  std::deque<std::vector<std::int64_t>> dims_;
  std::deque<std::vector<std::byte>> elements_;
};

}  // namespace ridge::runtime
