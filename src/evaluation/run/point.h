// Evaluation of one point: a model in one runtime, loaded once, judged and put under load.
//
//   const EvaluatedPoint p = TRY(evaluate_point({request, bench, point, resolved, data}));
//
// Thread rule: one thread. Errors: as evaluation.h.
#pragma once

#include "evaluation/load/point_request.h"
#include "evaluation/record/evaluation.h"

namespace ridge::evaluation {

Result<EvaluatedPoint> evaluate_point(const PointRequest& of);

}  // namespace ridge::evaluation
