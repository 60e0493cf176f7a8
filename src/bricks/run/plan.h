// SPDX-License-Identifier: Apache-2.0
// Plans the bricks of models: opens each model, loads it and its bricks into the runtime, and
// writes the bricks with their manifest into a folder.
//
//   const PlannedBricks done = TRY(plan_bricks(
//       {.models = {{"resnet50.onnx", spec}}, .folder = "suite"}, environment));
//
// A folder that has a manifest keeps its bricks: models are added, or replace their earlier
// version. Files and manifest are written atomically, the manifest after each model, so that an
// interrupted plan can be continued by the same call. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bricks/planner.h"
#include "bricks/run/point.h"
#include "session/matrix.h"

namespace ridge::bricks {

struct BricksRequest {
  std::vector<session::ModelSpec>
      models;  ///< each spec has one runtime, one thread count, one set of sizes
  std::string folder;
  Granularity granularity;
};

struct PlannedBricks {
  Plan plan;
  std::vector<std::string> planned;  ///< names of the models of this call that were planned
  std::vector<std::string> failed;   ///< models of this call that could not be planned
  std::uint32_t checked = 0;         ///< bricks that were loaded to check their kernels
  double seconds = 0;
};

/// Plans the models one after the other. A model that cannot be opened or loaded is reported to the
/// notices and the others go on; after an interruption the result has the models planned before.
/// Errors: input class for a manifest that cannot be read or belongs to another runtime, version,
/// host or thread count (RIDGE-WB-0071), or a folder that has other files and no manifest
/// (RIDGE-WB-0070); usage class for a sweep (RIDGE-WB-0074); environment class for files that
/// cannot be written and a runtime that is missing.
Result<PlannedBricks> plan_bricks(const BricksRequest& request,
                                  const session::Environment& environment);

/// A plan without models at a point.
Plan empty_plan(const BricksPoint& point, const runtime::RuntimeInfo& info);
/// A model as planner and manifest list it. `path`: file, or zoo:NAME.
PlannedModel planned_model(std::string name, std::string path, const analysis::Resolved& resolved);

/// Reads the manifest of a folder. Errors: as in reading a file, of record::read_json
/// and of manifest.h.
Result<Plan> read_plan(const std::string& folder);

/// Input error (RIDGE-WB-0071) if the bricks of a folder are of another runtime, version, host or
/// thread count than `here`.
Result<void> check_same(const Plan& plan, const Plan& here, const std::string& folder);

}  // namespace ridge::bricks
