// SPDX-License-Identifier: Apache-2.0
// The requests of a generation: prompts and numbers of tokens, fixed, drawn or replayed, and their
// moments.
//
//   TRY(parse_lengths("uniform:64,256"))     TRY(parse_lengths("lognormal:200,0.8"))
//   Workload w{.prompt = Lengths{.low = 128, .high = 128}, .tokens = {64, 64}, .count = 10};
//   std::vector<TokenRequest> requests = TRY(requests_of(w));
//
// A trace is CSV with a header, one request a line:
//
//   arrival_s,prompt_tokens,output_tokens
//   0.0,374,44
//   0.81,396,109
//
// Names of columns are read without case, '_' and blanks: one of prompt, prompttokens, inputtokens,
// inputlength, contexttokens; one of tokens, output, outputtokens, outputlength, generatedtokens;
// optionally moments: a column time, timestamp, arrival or one whose name ends in _s, _ms, _us or
// _ns, as in trace_file.h. Other columns are ignored. So the published traces of Azure (Patel et
// al. 2024) are read once their dates are seconds.
//
// Hostile text is safe: at most 64 MiB, kMaxRequests lines of 4 KiB, lengths of at most
// kMaxLength. Errors: input class (RIDGE-SCEN-0110) with the line; usage class (RIDGE-SCEN-0111)
// for lengths that cannot be drawn. The same seed gives the same requests on every machine. Thread
// rule: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scenario/arrivals.h"
#include "scenario/generated.h"

namespace ridge::scenario {

inline constexpr std::uint32_t kMaxLength = 1U << 20;
inline constexpr std::size_t kMaxRequests = 1'000'000;

/// A length: uniform from `low` to `high`, or, with a `spread`, lognormal with the median `low` and
/// that standard deviation of its logarithm, at most `high`.
struct Lengths {
  std::uint32_t low = 1, high = 1;
  double spread = 0;
};

/// Reads "128", "uniform:64,256", "lognormal:200,0.8" or "lognormal:200,0.8,2000" (the largest).
Result<Lengths> parse_lengths(std::string_view text);
/// Writes that form again.
std::string text_of(const Lengths& lengths);

struct TokenTrace {
  std::vector<TokenRequest> requests;
  bool timed = false;  ///< it has moments; counted from the first
};

Result<TokenTrace> read_token_trace(std::string_view text);

struct Workload {
  Lengths prompt{128, 128}, tokens{64, 64};
  std::vector<TokenRequest> trace;         ///< not empty: instead of these lengths, in turn
  bool timed = false;                      ///< the trace has moments, even if all are the first
  std::optional<ArrivalProcess> arrivals;  ///< due times of the requests; none: as in the trace
  std::uint32_t count = 10;
  std::uint64_t seed = 1;
};

Result<std::vector<TokenRequest>> requests_of(const Workload& workload);

}  // namespace ridge::scenario
