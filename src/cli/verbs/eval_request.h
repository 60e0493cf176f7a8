// Flags of ridge eval, and the evaluation that they ask for.
#pragma once

#include <string>

#include "cli/flags/measuring.h"
#include "cli/flags/scenario_flags.h"
#include "workbench/evaluation_request.h"

namespace ridge::cli {

/// Queries of a trace with layers below, unless --trace-layers says another number.
inline constexpr std::uint32_t kTracedQueries = 3;

struct EvalOptions {
  std::string model;
  MeasuringOptions measuring;
  ScenarioOptions scenario;
  std::string data, labels, steps;
  std::uint32_t limit = 0;  ///< samples of the data; 0: all
  std::uint32_t samples = 64;
  std::string format = "table";  ///< table, json, csv, md
  std::string output, queries, report, trace;
  std::uint32_t trace_layers = 0;  ///< profiled queries; 0: kTracedQueries with --trace
  workbench::MlperfRequest mlperf;
  std::string audit = "none";
};

void add_eval_options(Flags& flags, EvalOptions& options);

/// Errors: usage class (RIDGE-CLI-0163, 0170), those of the scenario's flags and of the steps.
Result<workbench::EvaluationRequest> request_of(const EvalOptions& options);

}  // namespace ridge::cli
