// SPDX-License-Identifier: Apache-2.0
// Compares estimates with measured models: plans bricks, measures bricks and models in turns, one
// process each, until all intervals are narrow enough, and compares.
//
//   const CheckRequest request{.models = {{"resnet50.onnx", spec}}, .store = "bricks.db"};
//   const BricksChecked done = TRY(check_bricks(request, environment));
//   summary_of(done.check).mape
//
// Whatever the store has of the bricks is used. Models are always measured. Errors: as plan_bricks
// and BricksSuite. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "bricks/brick_times.h"
#include "bricks/check.h"
#include "bricks/plan.h"
#include "bricks/planner.h"
#include "bricks/suite_goal.h"
#include "session/environment.h"
#include "session/matrix.h"

namespace ridge::bricks {

struct CheckRequest {
  std::vector<session::ModelSpec>
      models;  ///< each spec has one runtime, one thread count, one set of sizes
  std::string store;
  std::string folder;  ///< folder of the bricks; empty: a temporary one
  Granularity granularity = kAutomatic;
  SuiteGoal goal;
};

struct BricksChecked {
  Check check;
  Plan plan;
  std::vector<ModelProgress> estimates;  ///< models of the plan; empty if nothing was measured
  BrickTimes times;
  std::vector<std::string> failed;    ///< models that could not be planned or measured
  std::vector<std::string> too_wide;  ///< models whose estimate did not reach the width
};

Result<BricksChecked> check_bricks(const CheckRequest& request,
                                   const session::Environment& environment);

}  // namespace ridge::bricks
