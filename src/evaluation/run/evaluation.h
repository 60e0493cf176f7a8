// SPDX-License-Identifier: Apache-2.0
// Evaluates a model under load in one or several runtimes, one after the other, each in a process
// of its own.
//
//   EvaluationRequest request{.model = "model.onnx"};
//   request.scenario = {.kind = Kind::kServer, .arrivals = scenario::Poisson{.rate = 12}};
//   const Evaluation e = TRY(evaluate(request, environment));
//   for (const EvaluatedPoint& p : e.points) p.figures, p.validity
//
// The queries take their inputs from seeded samples (measure/input_specs.h), or all of them from
// the arrays of the spec. Ctrl-C keeps what is done. Errors: the analysis's; usage class for
// several thread counts or sizes (RIDGE-WB-0110); the runtime's errors before the load begins.
// Later ones end the load of their runtime and make it invalid.
#pragma once

#include "evaluation/record/evaluation.h"
#include "evaluation/record/request.h"
#include "evaluation/run/recorder.h"
#include "session/environment.h"

namespace ridge::evaluation {

Result<Evaluation> evaluate(const EvaluationRequest& request,
                            const session::Environment& environment,
                            const EvaluationKeeping& keeping = {});

}  // namespace ridge::evaluation
