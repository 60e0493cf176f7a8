// SPDX-License-Identifier: Apache-2.0
// Traces of Azure Functions as CSV, in both forms that Microsoft published; a function is a model.
//
// 2019 (Shahrad et al., USENIX ATC 2020; AzureFunctionsDataset2019.md): the number of invocations
// in each minute of a day. They are placed at random in their minute; how long they ran is not in
// the file. Further files are the days that follow.
//
//   HashOwner,HashApp,HashFunction,Trigger,1,2,...,1440
//
// 2021 (Zhang et al., SOSP 2021; AzureFunctionsInvocationTrace2021.md): each invocation, in
// seconds; it began at end_timestamp - duration. Further files have the same clock.
//
//   app,func,end_timestamp,duration
//
//   AzureTraceReader reader({.share = 0.1, .seed = 1});
//   for (const std::string& text : texts) TRY(reader.add(text));
//   const Trace trace = TRY(std::move(reader).finish());
//
// A share of the functions is taken by the hash of their names, so it is the same ones in every
// file. Requests are in the order of their time, counted from the first.
//
// Hostile text is safe: bounds on bytes, lines, functions and requests. Errors: input class,
// RIDGE-SHARE-0201, with line and column; RIDGE-SHARE-0202 where the trace is larger than a replay
// may be. Thread rule: one thread. Cost: linear, and a sort of the requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "sharing/replay/trace.h"
#include "stats/random.h"

namespace ridge::sharing {

inline constexpr std::int64_t kMostTraceBytes = std::int64_t{1} << 30;

struct AzureOptions {
  double share = 1;  ///< share of the functions
  std::uint64_t seed = 1;
  std::size_t most_requests = kMostRequests;
};

class AzureTraceReader {
 public:
  explicit AzureTraceReader(const AzureOptions& options)
      : options_(options), random_(options.seed) {}

  /// Adds a file. Not to be called again after an error.
  Result<void> add(std::string_view text);
  /// The requests of all files. Without any: RIDGE-SHARE-0201.
  Result<Trace> finish() &&;

 private:
  enum class Form : std::uint8_t { kMinutes, kInvocations };
  struct Line {
    std::string_view text;
    std::size_t number;
  };

  Result<void> read_header(const Line& line);
  Result<void> read_minutes(const Line& line);
  Result<void> read_invocation(const Line& line);
  Result<void> add_requests(const Line& line, std::int64_t minute, std::uint32_t count,
                            std::uint32_t model);
  Error too_many(const Line& line) const;
  /// Its number; nullopt: it is not in the share.
  Result<std::optional<std::uint32_t>> model_of(const Line& line, std::string name);

  AzureOptions options_;
  stats::Random random_;
  std::optional<Form> form_;       ///< form of the files so far
  std::size_t minutes_ = 0;        ///< columns of this file
  std::int64_t first_minute_ = 0;  ///< first minute of this file
  std::unordered_map<std::string, std::uint32_t> numbers_;
  Trace trace_;
};

}  // namespace ridge::sharing
