// SPDX-License-Identifier: Apache-2.0
// Flags of ridge eval, and the evaluation that they ask for.
#pragma once

#include <string>

#include "cli/flags/flags.h"
#include "cli/flags/measuring.h"
#include "cli/flags/scenario_flags.h"
#include "cli/verbs/eval/keeping.h"
#include "evaluation/record/request.h"
#include "session/environment.h"

namespace ridge::cli {

/// Queries of a trace with layers below, unless --trace-layers says another number.
inline constexpr std::uint32_t kTracedQueries = 3;

struct EvalOptions {
  std::string model;
  MeasuringOptions measuring;
  ScenarioOptions scenario;
  std::string data, labels, steps, post;
  std::string metric = "top-k";
  std::size_t shown_answers = 0;
  std::uint32_t limit = 0;  ///< samples of the data; 0: all
  std::uint32_t samples = 64;
  std::int64_t batch = 0;        ///< 0: that of --bind
  std::string outputs;           ///< folder for the outputs of each sample
  std::string format = "table";  ///< table, json, csv, md
  std::string output, queries, report, trace;
  std::uint32_t trace_layers = 0;  ///< profiled queries; 0: kTracedQueries with --trace
  evaluation::MlperfRequest mlperf;
  std::string audit = "none";
  std::string registry, runtime_manifest, runtime_version, prefer, data_root;  ///< for manifests
  const Flag* runtimes = nullptr;  ///< row of --runtimes: one that is given wins over a manifest
  KeepingOptions keeping;
};

void add_eval_options(Flags& flags, EvalOptions& options);

/// Queries with layers below for --trace.
std::uint32_t profiled_queries(const EvalOptions& options);

/// Errors: usage class (RIDGE-CLI-0163, 0164, 0176), those of the flags of the scenario, of steps
/// and of manifests (evaluation/subject/subject.h).
Result<evaluation::EvaluationRequest> request_of(const EvalOptions& options,
                                                 const session::Environment& environment);

}  // namespace ridge::cli
