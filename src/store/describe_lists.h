// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of what a store lists: runs, failures and evaluations, as in
// ridge.runs/1.
#pragma once

#include "base/number.h"
#include "record/describe.h"
#include "stats/describe.h"
#include "store/list_rows.h"

namespace ridge::store {

inline std::optional<std::int64_t> thread_number(const RunRow& run) {
  return whole_number(run.threads);
}

}  // namespace ridge::store

namespace ridge {

template <>
struct record::Describe<store::RunRow> {
  using T = store::RunRow;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::id>("run", "its number; none is given twice", column("id")),
      field<&T::recorded_s>("recorded_s", "when it was kept, seconds since 1970 (UTC)"),
      field<&T::kind>("kind", "measured, imported, estimated or bounded"),
      field<&T::path>("model", "path of the model, or zoo:NAME", column("path")),
      field<&T::graph_hash>("graph_hash", "structure of the model"),
      field<&T::sizes>("sizes", "free sizes as bound: batch=4, sequence=128"),
      field<&T::runtime>("runtime", "as it names itself"),
      field<&T::runtime_version>("runtime_version", "as it says"),
      computed<&store::thread_number>("threads", "of the runtime; null where the run does not say"),
      field<&T::threads>("thread_option", "as it stands in the options", column_only()),
      field<&T::batch>("batch", "items of one run of the model"),
      field<&T::latency_ns, &E::value>(
          "median_ns", "unprofiled latency; null where an imported run does not say",
          column("latency_ns")),
      field<stats::AsEnds, &T::latency_ns, &E::interval>("ci95_ns", "its 95 % interval",
                                                         column("latency_ns")),
      field<&T::items_per_s>("items_per_s", "throughput; null where an imported run does not say"),
      field<&T::layers>("layers", "rows of the runtime's layers"),
      field<&T::machine>("machine",
                         "host, processor, number of processors; empty where the run does not say"),
      field<&T::ridge_version>("ridge", "version that measured", column("ridge_version")),
      field<&T::point>("point", "key of the requested point", column_only()),
      field<&T::content>("content", "digest of the whole run; equal for equal runs")};
};

template <>
struct record::Describe<store::Failure> {
  using T = store::Failure;
  static constexpr std::array fields{
      field<&T::recorded_s>("recorded_s", "when, seconds since 1970 (UTC)"),
      field<&T::path>("model", "as it was asked for", column("path")),
      field<&T::label>("point", "sizes and threads", column("label")),
      field<&T::runtime>("runtime", "name of --runtimes: ort, openvino"),
      field<&T::error>("error", "first line of the message")};
};

template <>
struct record::Describe<store::EvaluationRow> {
  using T = store::EvaluationRow;
  using R = profile::EvaluationRecord;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::id>("evaluation", "its number; none is given twice"),
      field<&T::record, &R::recorded_s>("recorded_s", "when it was kept, seconds since 1970 (UTC)"),
      field<&T::record, &R::model>("model", "path of the model, or zoo:NAME"),
      field<&T::record, &R::model_sha256>("model_sha256", "hash of the model"),
      field<&T::record, &R::data>("data", "folder or array; null for seeded samples",
                                  zero_is_null()),
      field<&T::record, &R::scenario>("scenario", "value of --scenario"),
      field<&T::record, &R::runtime>("runtime", "as it names itself"),
      field<&T::record, &R::runtime_version>("runtime_version", "as it says"),
      field<&T::record, &R::threads>("threads", "of each run"),
      field<&T::record, &R::queries_per_s, &E::value>("queries_per_s",
                                                      "queries done; null for accuracy alone"),
      field<&T::record, &R::median_ns, &E::value>(
          "median_ns", "median latency of a query; null for accuracy alone"),
      field<&T::record, &R::top1, &E::value>(
          "top1", "share of samples that are right; null without labels"),
      field<&T::record, &R::validity>("validity", "valid, invalid or undecided"),
      field<&T::record, &R::host>("machine", "host, processor, number of processors"),
      field<&T::record, &R::ridge_version>("ridge", "version that evaluated")};
};

template <>
struct record::Describe<store::GenerationRow> {
  using T = store::GenerationRow;
  using R = profile::EvaluationRecord;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::id>("generation", "its number, of which evaluations have others"),
      field<&T::record, &R::recorded_s>("recorded_s", "when it was kept, seconds since 1970 (UTC)"),
      field<&T::record, &R::model>("model", "path of the decoder, or zoo:NAME"),
      field<&T::record, &R::model_sha256>("model_sha256", "hash of the decoder"),
      field<&T::record, &R::scenario>("lengths", "of its requests: prompt 128, tokens 64"),
      field<&T::record, &R::runtime>("runtime", "as it names itself"),
      field<&T::record, &R::runtime_version>("runtime_version", "as it says"),
      field<&T::record, &R::threads>("threads", "of each run"),
      field<&T::record, &R::queries>("requests", "that began"),
      field<&T::record, &R::tokens_per_s, &E::value>("tokens_per_s", "tokens of all requests"),
      field<&T::record, &R::first_token_ns, &E::value>(
          "first_token_ns", "median time to the first token; null of too few requests"),
      field<&T::record, &R::per_token_ns, &E::value>(
          "per_token_ns", "median time per token after it; null of too few requests"),
      field<&T::record, &R::validity>("validity", "valid, invalid or undecided"),
      field<&T::record, &R::host>("machine", "host, processor, number of processors"),
      field<&T::record, &R::ridge_version>("ridge", "version that generated")};
};

template <>
struct record::Describe<store::HostRow> {
  using T = store::HostRow;
  static constexpr std::array fields{
      field<&T::machine>("machine",
                         "host, processor, number of processors; empty where results do not say"),
      field<&T::runtime>("runtime", "as it names itself"),
      field<&T::runtime_version>("runtime_version", "as it says"),
      field<&T::runs>("runs", "that the store has of it"),
      field<&T::evaluations>("evaluations", "that the store has of it"),
      field<&T::models>("models", "different ones"),
      field<&T::last_s>("last_s", "when its last result was kept, seconds since 1970 (UTC)")};
};

}  // namespace ridge
