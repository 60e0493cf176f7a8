// SPDX-License-Identifier: Apache-2.0
// Measures the bricks of a model and of its edited copies, so that the gains of the edits can be
// predicted.
//
//   TRY(measure_bricks({{"model.onnx", &network}, {"model.onnx with silu", &edited}},
//                      {.store = "runs.db", .spec = spec}, loader, environment));
//
// Layers that occur only together in these models are one brick (bricks/sequences.h). Bricks that
// the store has are not measured again, and copies share most of them; if one of those that differ
// is missing, all that differ are measured, in turns (bricks/suite_goal.h). All are measured
// at the reuse distance of the first model, so that pieces that both have cancel in a difference.
// The bricks' files are temporary. Errors: as bricks::Planner and BricksSuite. Thread rule:
// one thread.
#pragma once

#include <string>
#include <vector>

#include "bricks/loader.h"
#include "bricks/network.h"
#include "session/environment.h"
#include "session/measure_spec.h"

namespace ridge::advice {

struct NamedNetwork {
  std::string name;  ///< unique
  const bricks::Network* network = nullptr;
};

struct BricksWanted {
  std::string store;          ///< run database
  session::MeasureSpec spec;  ///< one runtime, one thread count
  double seconds = 0;         ///< for measuring; 0: no limit
};

Result<void> measure_bricks(const std::vector<NamedNetwork>& models, const BricksWanted& wanted,
                            bricks::Loader& loader, const session::Environment& environment);

}  // namespace ridge::advice
