// SPDX-License-Identifier: Apache-2.0
// What a generation showed: times to the first token, times per output token, tokens per second,
// and the time of a step over the length of the cache, each with intervals.
//
//   const GenerationFigures f = figures_of(generated, batch, clients);
//   f.first_token[2].value_ns, f.per_token[0].interval, f.bins[3].step
//
// Definitions, as MLPerf Inference has them: the time to the first token counts from the moment at
// which the request was scheduled, so that it contains the waiting for a free client; the time per
// output token of a request is the time from its first to its last token, over the tokens between;
// the latency is from the due time to the last token. Tokens of failed requests do not
// count. Intervals: percentiles.h. Plain data; pure functions. Cost: linear, and a sort.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/evaluation.h"
#include "scenario/generated.h"
#include "scenario/percentiles.h"

namespace ridge::scenario {

/// The record of a generation, and how it ended.
struct Generated {
  std::vector<RequestRecord> requests;
  std::int64_t begun_ns = 0, ended_ns = 0;
  std::uint32_t asked = 0;  ///< requests of the workload
  bool canceled = false;
  std::string failure;  ///< reason for an early end; "": none
};

/// Bytes that a step must read, and what they take.
struct StepBound {
  std::int64_t weight_bytes = 0, cache_bytes = 0;
  std::int64_t level_bytes = 0;       ///< bytes that the level that binds must deliver
  std::optional<double> time_ns;      ///< none: no roof of the memory, or sizes that do not fit
  std::string kind;                   ///< "memory:memory", "memory:L3"
  std::optional<double> bytes_per_s;  ///< over the step's time

  std::int64_t bytes() const { return weight_bytes + cache_bytes; }
};

/// Steps whose caches had nearly the same length.
struct CacheBin {
  std::uint32_t low = 0, high = 0;  ///< tokens in the cache, both included
  double mean_length = 0;
  std::int64_t steps = 0;
  Percentile step;                 ///< median of the whole step
  double run_ns = 0;               ///< median of the runtime's part of it
  std::optional<StepBound> bound;  ///< at the mean length; set by whoever knows the model
};

/// Percentiles of times that are reported.
inline constexpr std::array kTokenPercentiles = {0.5, 0.9, 0.99};

struct TokenPercentile : Percentile {
  bool known = false;  ///< false: the largest of too few times, so that none lies beyond it
};

struct GenerationFigures {
  std::int64_t requests = 0, failed = 0;
  std::int64_t tokens = 0;  ///< number in all sequences
  double duration_s = 0;
  Rate tokens_per_s, client_tokens_per_s;  ///< the latter is the mean of a client
  /// Rates of a client while it works: tokens of prompts over the time that they ran, and tokens
  /// after the first over the time since it; nullopt without any.
  std::optional<double> prompt_per_s, decode_per_s;
  /// kTokenPercentiles. A request of one token has no time per token.
  std::vector<TokenPercentile> first_token, per_token, latency;
  std::vector<CacheBin> bins;  ///< steps of one token each, ascending
};

/// Bins of a range of lengths: at most kMaxBins of a width that is a power of two, from multiples
/// of it.
inline constexpr std::uint32_t kMaxBins = 8;
std::uint32_t bin_width(std::uint32_t lowest, std::uint32_t highest);

/// `batch`: sequences of each request.
GenerationFigures figures_of(const Generated& generated, std::uint32_t batch,
                             std::uint32_t clients);

/// Whether it counts: nothing failed, all that was asked for was done.
Validity validity_of(const Generated& generated, const GenerationFigures& figures);

}  // namespace ridge::scenario
