// SPDX-License-Identifier: Apache-2.0
// What a store has of points of requests, from whichever machine: runs, evaluations, generations.
//
//   for (const StoredPoint& p : TRY(stored_points(store)))
//     if (p.key == wanted && p.machine == host) ...                 // done there already
//
// Errors: the store's. Cost: reads the lists of the store, and each run's key (about 20 us).
// Thread rule: that of the store.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "session/point_list.h"
#include "store/store.h"

namespace ridge::session {

struct StoredPoint {
  std::string key;      ///< in its request (point_choice.h)
  std::string machine;  ///< host, processor, number of processors
  std::string name;     ///< "7" of a run, "evaluation:3", "generation:4": as ridge runs takes it
};

/// Runs, then evaluations, then generations, oldest first. What was interrupted, so that it is to
/// be measured again, is no point that the store has.
Result<std::vector<StoredPoint>> stored_points(const store::Store& store);

/// Sets the machines of each listed point.
Result<void> add_machines(const store::Store& store, PointList& list);

}  // namespace ridge::session
