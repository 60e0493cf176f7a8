// Evaluates a model under load in one or several runtimes, one after the other, each in a process
// of its own.
//
//   EvaluationRequest request{.model = "model.onnx"};
//   request.scenario = {.kind = Kind::kServer, .arrivals = scenario::Poisson{.rate = 12}};
//   const Evaluation e = TRY(evaluate(request, environment));
//   for (const EvaluatedPoint& p : e.points) p.figures, p.validity
//
// The queries take their inputs from seeded samples (measure/input_specs.h), or all of them from
// the arrays of the spec. Ctrl-C keeps what is done. Errors: those of the analysis; usage class for
// several thread counts or sizes (RIDGE-WB-0110); those of the runtime before the load begins.
// Later ones end the load of their runtime and make it invalid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bound_sizes.h"
#include "runtime/types.h"
#include "scenario/evaluation.h"
#include "scenario/peak_search.h"
#include "workbench/environment.h"
#include "workbench/evaluation_accuracy.h"
#include "workbench/evaluation_data.h"
#include "workbench/measure_spec.h"

namespace ridge::workbench {

struct EvaluationRequest {
  std::string model;
  MeasureSpec spec;  ///< runtimes, threads of each run, sizes, options
  scenario::Scenario scenario;
  std::optional<scenario::LatencyBound> bound;
  /// Real data; without it queries take seeded samples.
  EvaluationData data;
  std::uint32_t samples = 64;  ///< seeded ones, at most; fewer where they take much memory
  bool load = true;            ///< false: accuracy alone
  /// Search the largest rate of a server that keeps the bound, and evaluate the model there.
  bool find_peak = false;
  double peak_budget_s = 300;
};

struct EvaluatedPoint {
  runtime::RuntimeInfo runtime;
  std::string runtime_name;  ///< "ort"
  int threads = 1;
  std::uint32_t samples = 0;
  scenario::Scenario scenario;         ///< as run: the rate that was found, if it was searched
  std::optional<scenario::Peak> peak;  ///< the search for it
  std::optional<Accuracy> accuracy;    ///< with data
  scenario::Load load;
  scenario::Figures figures;
  scenario::Validity validity;
};

struct Evaluation {
  std::string model, graph_hash, host, ridge;
  analysis::BoundSizes sizes;
  scenario::Scenario scenario;
  std::optional<scenario::LatencyBound> bound;
  bool load = true;
  std::vector<EvaluatedPoint> points;
};

Result<Evaluation> evaluate(const EvaluationRequest& request, const Environment& environment);

}  // namespace ridge::workbench
