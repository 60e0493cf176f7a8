// Evaluation of one point: a model in one runtime, loaded once, judged and put under load.
//
//   const EvaluatedPoint p = TRY(evaluate_point({request, bench, point, resolved, data}));
//
// Thread rule: one thread. Errors: those of evaluation.h.
#pragma once

#include "workbench/evaluated.h"
#include "workbench/evaluation_request.h"
#include "workbench/workbench.h"

namespace ridge::workbench {

struct PointRequest {
  const EvaluationRequest& request;
  const Workbench& bench;
  const Point& point;
  const analysis::Resolved& resolved;
  DataCache& data;       ///< data of the request
  OutputRecord* record;  ///< outputs of the first point; nullptr for one point alone
};

Result<EvaluatedPoint> evaluate_point(const PointRequest& of);

}  // namespace ridge::workbench
