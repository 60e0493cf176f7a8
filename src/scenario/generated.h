// SPDX-License-Identifier: Apache-2.0
// What a decoder with a cache did for requests: a record for each run. Plain data.
//
// Moments are nanoseconds of the monotonic clock. A request is a prompt and a number of tokens; the
// first token comes with the end of the prompt, and each further step gives one.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/words.h"

namespace ridge::scenario {

/// Lengths that are asked of a decoder.
struct TokenRequest {
  std::int64_t after_ns = 0;  ///< its due time, from the first one on
  std::uint32_t prompt = 1, tokens = 1;
};

enum class StepKind : std::uint32_t {
  kPrompt,  ///< a token of the prompt, not its last one
  kFirst,   ///< the run that gave the first token
  kNext,
};

/// One run for a request.
struct StepRecord {
  std::int64_t start_ns = 0;     ///< before the cache was handed over
  std::int64_t run_ns = 0;       ///< duration of the runtime's run
  std::int64_t done_ns = 0;      ///< when the next token was known
  std::int32_t id = 0;           ///< the token that it gave, of the first sequence
  std::uint32_t cache : 30 = 0;  ///< tokens in the cache before
  StepKind kind : 2 = StepKind::kPrompt;

  std::int64_t took_ns() const { return done_ns - start_ns; }
};
static_assert(sizeof(StepRecord) == 32 && std::is_trivially_copyable_v<StepRecord>);

struct RequestRecord {
  std::int64_t scheduled_ns = 0, issued_ns = 0;
  std::uint32_t request = 0;  ///< index among those that were asked for
  std::uint32_t failed = 0;
  std::vector<StepRecord> steps;
};

}  // namespace ridge::scenario

namespace ridge {

template <>
struct Words<scenario::StepKind> {
  using E = scenario::StepKind;
  static constexpr std::array list{Word{E::kPrompt, "prompt"}, Word{E::kFirst, "first"},
                                   Word{E::kNext, "next"}};
};

}  // namespace ridge
