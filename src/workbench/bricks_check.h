// Compares estimates with measured models: plans bricks, measures bricks and models in turns, one
// process each, until all intervals are narrow enough, and compares.
//
//   const CheckRequest request{.models = {{"resnet50.onnx", spec}}, .store = "bricks.db"};
//   const BricksChecked done = TRY(check_bricks(request, environment));
//   bricks::summary_of(done.check).mape
//
// Whatever the store has of the bricks is used. Models are always measured. Errors: those of
// plan_bricks and BricksSuite. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "bricks/brick_times.h"
#include "bricks/check.h"
#include "bricks/plan.h"
#include "bricks/planner.h"
#include "bricks/suite_goal.h"
#include "workbench/environment.h"
#include "workbench/matrix.h"

namespace ridge::workbench {

struct CheckRequest {
  std::vector<ModelSpec> models;  ///< each spec has one runtime, one thread count, one set of sizes
  std::string store;
  std::string folder;  ///< folder of the bricks; empty: a temporary one
  bricks::Granularity granularity = bricks::kAutomatic;
  bricks::SuiteGoal goal;
};

struct BricksChecked {
  bricks::Check check;
  bricks::Plan plan;
  std::vector<bricks::ModelProgress>
      estimates;  ///< models of the plan; empty if nothing was measured
  bricks::BrickTimes times;
  std::vector<std::string> failed;    ///< models that could not be planned or measured
  std::vector<std::string> too_wide;  ///< models whose estimate did not reach the width
};

Result<BricksChecked> check_bricks(const CheckRequest& request, const Environment& environment);

}  // namespace ridge::workbench
