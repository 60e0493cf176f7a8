// SPDX-License-Identifier: Apache-2.0
// An experiment as it lies in its tables: what is read of them and what a merge carries.
//
// The caller opens the transaction. Thread rule: as for Database.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/experiment.h"

namespace ridge::store {

struct StoredExperiment {
  Experiment head;
  std::vector<PlannedPoint> points;
  std::vector<Agent> agents;
};

/// Digest of what an experiment is recognized by.
std::string experiment_content(const Experiment& experiment);

/// Reads one, which must exist.
Result<StoredExperiment> read_experiment(const Database& db, ExperimentId id);
/// Numbers of the points, in their order.
Result<std::vector<std::int64_t>> write_points(const Database& db, ExperimentId id,
                                               const std::vector<PlannedPoint>& points);
/// Each in place of the one of its name.
Result<void> write_agents(const Database& db, ExperimentId id, const std::vector<Agent>& agents);
/// Writes what changes of an experiment while it goes on.
Result<void> write_progress(const Database& db, ExperimentId id, const Experiment& head);

}  // namespace ridge::store
