// SPDX-License-Identifier: Apache-2.0
// Evaluation of one point: a model in one runtime, loaded once, judged and put under load.
//
//   const EvaluatedPoint p =
//       TRY(evaluate_point({request, bench, point, measuring, resolved, data}, nullptr));
//
// Thread rule: one thread. Errors: as evaluation.h.
#pragma once

#include "evaluation/load/point_request.h"
#include "evaluation/mlperf/settings.h"
#include "evaluation/record/evaluation.h"

namespace ridge::evaluation {

/// `mlperf`: settings of the test by LoadGen's rules; nullptr: none is asked for.
Result<EvaluatedPoint> evaluate_point(const PointRequest& of, const MlperfSettings* mlperf);

}  // namespace ridge::evaluation
