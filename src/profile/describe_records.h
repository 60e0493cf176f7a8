// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of what the store keeps beside runs: processes of suites,
// checked findings and evaluations.
#pragma once

#include "profile/checked_finding.h"
#include "profile/describe_rows.h"
#include "profile/evaluation_record.h"
#include "profile/suite.h"
#include "record/describe.h"

namespace ridge {

template <>
struct record::Describe<profile::BrickRun> {
  using T = profile::BrickRun;
  static constexpr std::array fields{
      field<&T::round>("round", "from 0; runs of one round are neighbors"),
      field<&T::reported_ns>("reported_ns",
                             "sum over the kernels of the piece, or duration of the run"),
      field<&T::events>("events", "executions of these kernels; 0: unprofiled"),
      field<&T::foreign_cpus>("foreign_cpus",
                              "processors used by others meanwhile; negative: unknown")};
};

template <>
struct record::Describe<profile::SuiteBrick> {
  using T = profile::SuiteBrick;
  static constexpr std::array fields{
      field<&T::key>("key", "of the brick"),
      field<&T::kind>("kind", "kernels and types: bricks of one kind differ only in their sizes"),
      field<&T::macs>("macs", "multiply-accumulates"),
      field<&T::bytes>("bytes", "read and written at least, weights included"),
      field<&T::load_ns>("load_ns", "duration of the runtime's load call"),
      field<&T::reuse_bytes>(
          "reuse_bytes",
          "bytes that other bricks touched between two of its runs; 0: all other bricks"),
      field<&T::runs>("runs", "ascending by round", no_column())};
};

template <>
struct record::Describe<profile::ChainRun> {
  using T = profile::ChainRun;
  static constexpr std::array fields{
      field<&T::kernels>("kernels", "length of the chain"),
      field<&T::round>("round", "from 0"),
      field<&T::plain_ns>("plain_ns", "whole unprofiled run"),
      field<&T::profiled_ns>("profiled_ns", "whole profiled run"),
      field<&T::reported_ns>("reported_ns", "sum over the kernels of the profiled run"),
      field<&T::foreign_cpus>("foreign_cpus",
                              "processors used by others meanwhile; negative: unknown"),
      field<&T::bytes>("bytes", "read and written by each kernel, each tensor once")};
};

template <>
struct record::Describe<profile::LostBrick> {
  using T = profile::LostBrick;
  static constexpr std::array fields{
      field<&T::key>("key", "of the brick"),
      field<&T::why>("why", "the runtime rejected it, or its process ended")};
};

template <>
struct record::Describe<profile::SuiteProcess> {
  using T = profile::SuiteProcess;
  static constexpr std::array fields{
      field<&T::point>("point", "runtime, version, options, threads and host, as JSON"),
      field<&T::recorded_s>("recorded_s", "seconds since 1970 (UTC)"),
      field<&T::load_s>("load_s", "time spent on starting the process and loading bricks"),
      field<&T::run_s>("run_s", "time spent on runs"),
      field<&T::bricks>("bricks", "that ran", no_column()),
      field<&T::chains>("chains", "runs of chains of equal kernels", no_column()),
      field<&T::lost>("lost", "bricks that could not be measured", no_column())};
};

template <>
struct record::Describe<profile::CheckedFinding> {
  using T = profile::CheckedFinding;
  static constexpr std::array fields{
      field<&T::recorded_s>("recorded_s", "seconds since 1970 (UTC)"),
      field<&T::model>("model", "path as given"),
      field<&T::graph_hash>("graph_hash", "model before the repair"),
      field<&T::point>("point", "key of the measured point, as of its run; or empty"),
      field<&T::runtime>("runtime", "such as ONNX Runtime"),
      field<&T::runtime_version>("runtime_version", "as the library says"),
      field<&T::ridge_version>("ridge_version", "version of the program"),
      field<&T::threads>("threads", "of the runtime"),
      field<&T::host>("host", "name of the machine"),
      field<&T::finding>("finding", "its id: silu"),
      field<&T::question>("question", "Q1 to Q6; empty for none"),
      field<&T::kind>("kind", "such as unfused_pattern"),
      field<&T::nodes>("nodes", "in the model before the repair, ascending", no_column()),
      field<&T::predicted_ns>("predicted_ns", "gain that was predicted"),
      field<&T::gain_ns>("gain_ns", "gain that was measured"),
      field<&T::before_ns>("before_ns", "latency before the repair"),
      field<&T::after_ns>("after_ns", "latency after it"),
      field<&T::state>("state", "effect by the interval of the measured gain"),
      field<&T::prediction>("prediction", "how the predicted gain fared"),
      field<&T::reason>("reason", "why the check was not judged; or empty"),
      field<&T::max_abs>("max_abs", "largest difference between outputs before and after"),
      field<&T::max_rel>("max_rel", "the same, relative to the largest element of the output"),
      field<&T::lossless>("lossless", "outputs stay the same up to rounding")};
};

template <>
struct record::Describe<profile::EvaluationRecord> {
  using T = profile::EvaluationRecord;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::kind>("kind", "evaluation or generation"),
      field<&T::recorded_s>("recorded_s", "seconds since 1970 (UTC)"),
      field<&T::point>("point", "hash of all that it depends on; empty: to be evaluated again"),
      field<&T::key>("key", "of its point in a request, the same on every machine"),
      field<&T::model>("model", "as given"),
      field<&T::model_sha256>("model_sha256", "hash of the file, or of a network's structure"),
      field<&T::data>("data", "as given; empty for seeded samples"),
      field<&T::scenario>("scenario", "server, accuracy, ...; of a generation its lengths"),
      field<&T::runtime>("runtime", "such as ONNX Runtime"),
      field<&T::runtime_version>("runtime_version", "as the library says"),
      field<&T::ridge_version>("ridge_version", "version of the program"),
      field<&T::threads>("threads", "of each run"),
      field<&T::host>("host", "name of the machine"),
      field<&T::queries>("queries", "or requests of a generation, that were recorded"),
      field<&T::failed_queries>("failed_queries", "of these, rejected by the runtime"),
      field<&T::queries_per_s, &E::value>("queries_per_s", "queries done"),
      field<stats::AsEnds, &T::queries_per_s, &E::interval>("queries_ci95_per_s", "95 % interval",
                                                            column("queries_per_s")),
      field<&T::median_ns, &E::value>("median_ns", "latency of a query"),
      field<stats::AsEnds, &T::median_ns, &E::interval>("median_ci95_ns", "95 % interval",
                                                        column("median_ns")),
      field<&T::p99_ns>("p99_ns", "99th percentile of the latency"),
      field<&T::top1, &E::value>("top1", "share of samples that are right"),
      field<stats::AsEnds, &T::top1, &E::interval>("top1_ci95", "95 % interval", column("top1")),
      field<&T::tokens_per_s, &E::value>("tokens_per_s", "tokens generated"),
      field<stats::AsEnds, &T::tokens_per_s, &E::interval>("tokens_ci95_per_s", "95 % interval",
                                                           column("tokens_per_s")),
      field<&T::first_token_ns, &E::value>("first_token_ns", "median time to the first token"),
      field<stats::AsEnds, &T::first_token_ns, &E::interval>("first_token_ci95_ns", "95 % interval",
                                                             column("first_token_ns")),
      field<&T::per_token_ns, &E::value>("per_token_ns", "median time per token after it"),
      field<stats::AsEnds, &T::per_token_ns, &E::interval>("per_token_ci95_ns", "95 % interval",
                                                           column("per_token_ns")),
      field<&T::validity>("validity", "valid, invalid, undecided"),
      field<&T::document>("document", "ridge.evaluation/1 or ridge.generation/1 of this point")};
};

}  // namespace ridge
