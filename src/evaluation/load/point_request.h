// SPDX-License-Identifier: Apache-2.0
// One point of an evaluation: a model in one runtime, and what else is loaded there. Borrows all of
// it.
#pragma once

#include <span>

#include "analysis/resolved.h"
#include "evaluation/answers/output_divergence.h"
#include "evaluation/record/request.h"
#include "measure/request.h"
#include "session/workbench.h"

namespace ridge::evaluation {

struct PointRequest {
  const EvaluationRequest& request;
  const session::Workbench& bench;
  const session::Point& point;
  const measure::Request& measuring;  ///< request of the point, by the bench
  const analysis::Resolved& resolved;
  DataCache& data;                                  ///< data of the request
  std::span<const session::Workbench> others = {};  ///< the other models of a mix
  std::size_t class_names = 0;                      ///< how many a manifest names; 0: none
  OutputRecord* record = nullptr;  ///< outputs of the first point; nullptr for one point alone
};

}  // namespace ridge::evaluation
