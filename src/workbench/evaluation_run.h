// Evaluation of one point: a model in one runtime, loaded once, judged and put under load.
//
//   const EvaluatedPoint p = TRY(evaluate_point({request, bench, point, resolved, data}));
//
// Thread rule: one thread. Errors: those of evaluation.h.
#pragma once

#include "workbench/evaluated.h"
#include "workbench/point_request.h"

namespace ridge::workbench {

Result<EvaluatedPoint> evaluate_point(const PointRequest& of);

}  // namespace ridge::workbench
