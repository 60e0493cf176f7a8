// One point of an evaluation: a model in one runtime, and what else is loaded there. Borrows all of
// it.
#pragma once

#include <span>

#include "analysis/resolved.h"
#include "workbench/evaluation_request.h"
#include "workbench/output_divergence.h"
#include "workbench/workbench.h"

namespace ridge::workbench {

struct PointRequest {
  const EvaluationRequest& request;
  const Workbench& bench;
  const Point& point;
  const analysis::Resolved& resolved;
  DataCache& data;                         ///< data of the request
  std::span<const Workbench> others = {};  ///< the other models of a mix
  std::size_t class_names = 0;             ///< how many a manifest names; 0: none
  OutputRecord* record = nullptr;  ///< outputs of the first point; nullptr for one point alone
};

}  // namespace ridge::workbench
