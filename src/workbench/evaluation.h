// Evaluates a model under load in one or several runtimes, one after the other, each in a process
// of its own.
//
// const EvaluationRequest request{.model = "model.onnx", .scenario = {.kind = Kind::kServer, ...}};
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
#include "workbench/environment.h"
#include "workbench/measure_spec.h"

namespace ridge::workbench {

struct EvaluationRequest {
  std::string model;
  MeasureSpec spec;  ///< runtimes, threads of each run, sizes, options
  scenario::Scenario scenario;
  std::optional<scenario::LatencyBound> bound;
  std::uint32_t samples = 64;  ///< at most; fewer where they take much memory
};

struct EvaluatedPoint {
  runtime::RuntimeInfo runtime;
  std::string runtime_name;  ///< "ort"
  int threads = 1;
  std::uint32_t samples = 0;
  scenario::Load load;
  scenario::Figures figures;
  scenario::Validity validity;
};

struct Evaluation {
  std::string model, graph_hash, host, ridge;
  analysis::BoundSizes sizes;
  scenario::Scenario scenario;
  std::optional<scenario::LatencyBound> bound;
  std::vector<EvaluatedPoint> points;
};

Result<Evaluation> evaluate(const EvaluationRequest& request, const Environment& environment);

}  // namespace ridge::workbench
