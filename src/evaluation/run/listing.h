// SPDX-License-Identifier: Apache-2.0
// Points of an evaluation before it runs.
//
//   const session::PointList list = TRY(list_points(request, environment, {.store = &store}));
//
// Errors: as evaluation.h. Cost: reads the model and the data, which keys hash; starts each runtime
// if there is a store. Thread rule: one thread.
#pragma once

#include "evaluation/record/request.h"
#include "evaluation/run/recorder.h"
#include "session/environment.h"
#include "session/point_list.h"

namespace ridge::evaluation {

/// The wanted points of the keeping with their keys, and which of them its store has.
Result<session::PointList> list_points(const EvaluationRequest& request,
                                       const session::Environment& environment,
                                       const EvaluationKeeping& keeping);

}  // namespace ridge::evaluation
