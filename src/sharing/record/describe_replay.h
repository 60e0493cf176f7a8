// SPDX-License-Identifier: Apache-2.0
// Descriptions of the types of replay.h.
#pragma once

#include "record/describe.h"
#include "sharing/record/replay.h"

namespace ridge::sharing {

inline double hit_share_of(const ReplayRow& row) { return row.hit_share(); }
inline double bound_share_of(const ReplayRow& row) { return row.bound_share(); }
inline bool is_closed(const ReplayCase& c) { return c.clients > 0; }

}  // namespace ridge::sharing

namespace ridge {

template <>
struct record::Describe<sharing::ReadyTimes> {
  using T = sharing::ReadyTimes;
  static constexpr std::array fields{field<&T::p50>("p50_ns", "the median"),
                                     field<&T::p99>("p99_ns", "the 99th percentile")};
};

template <>
struct record::Describe<sharing::ReplayCase> {
  using T = sharing::ReplayCase;
  static constexpr std::array fields{
      field<&T::trace>("trace", "file, or distribution of the requests over models"),
      field<&T::clients>("clients",
                         "clients of a closed loop; null: requests at the times of the trace",
                         when<&sharing::is_closed>()),
      field<&T::share>("share", "share of the models that may be asked for"),
      field<&T::models>("models", "number of models that are asked for"),
      field<&T::memory>("memory_bytes", "budget of the memory level")};
};

template <>
struct record::Describe<sharing::Simulation> {
  using T = sharing::Simulation;
  static constexpr std::array fields{
      field<&T::requests>("requests", "of the trace"),
      field<&T::hits>("hits", "requests whose model was ready in memory"),
      field<&T::joined>("joined", "requests that joined a load in progress"),
      field<&T::disk_loads>("disk_loads", "requests that loaded a prepared file from disk"),
      field<&T::misses>("misses", "requests that missed every level and loaded by themselves"),
      field<&T::unadmitted>("unadmitted",
                            "of the latter two, those for which memory had no room that is idle"),
      field<&T::evictions>("evictions", "idle models that left for others"),
      field<&T::expirations>("expirations", "idle models that left because of their time"),
      field<&T::prewarms>("prewarms", "loads without a request"),
      field<&T::ready>("ready", "time from a request until its model is ready"),
      field<&T::cold>("cold", "the same of requests that were no hits"),
      field<&T::duration>("duration_ns", "from the first request to the end of the last run"),
      field<&T::peak>("peak_bytes", "largest memory in use"),
      field<&T::byte_seconds>("byte_seconds", "memory in use, summed over time"),
      field<&T::speedup>("speedup",
                         "time of all requests where each loads by itself, over the same here"),
      field<&T::all_miss_speedup>("all_miss_speedup",
                                  "the same where every request misses every level")};
};

template <>
struct record::Describe<sharing::HitBounds> {
  using T = sharing::HitBounds;
  static constexpr std::array fields{
      field<&T::at_most>("at_most_hits", "more hits has no policy that loads on demand"),
      field<&T::at_least>("at_least_hits",
                          "hits of a schedule that knows the future; null: not looked for"),
      field<&T::exact>("exact", "the optimum, by trying everything")};
};

template <>
struct record::Describe<sharing::ReplayRow> {
  using T = sharing::ReplayRow;
  static constexpr std::array fields{
      inlined<&T::of>(),
      field<&T::policy>("policy", "as on the command line"),
      computed<&sharing::hit_share_of>("hit_share", "hits over requests"),
      computed<&sharing::bound_share_of>("at_most_share", "at_most_hits over requests"),
      inlined<&T::result>(),
      inlined<&T::bound>()};
};

template <>
struct record::Describe<sharing::Replay> {
  using T = sharing::Replay;
  static constexpr std::string_view schema = "ridge.share_replay/1";
  static constexpr std::string_view text =
      "Traces of requests for models, played against memory budgets and policies.";
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version"),
      field<&T::seed>("seed", "of what is drawn"),
      field<&T::arrivals>("arrivals", "arrivals of drawn requests; empty for a recorded trace"),
      field<&T::costs>("costs", "file with the costs of the models, or built-in examples"),
      field<&T::admission>("admission", "all, or rho: what is worth sharing"),
      field<&T::not_shared>("not_shared", "models that rho keeps apart"),
      field<&T::rows>("rows", "one for each trace, memory and policy")};
};

}  // namespace ridge
