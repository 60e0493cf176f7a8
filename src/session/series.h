// SPDX-License-Identifier: Apache-2.0
// Measures one model at every point of a spec, one after the other.
//
//   const Series series = TRY(measure_series("model.onnx", spec, environment));
//   for (const profile::Profile& p : series.sweep.profiles) ...
//
// Thread rule: one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "profile/sweep.h"
#include "session/environment.h"
#include "session/machine_roofs.h"
#include "session/measure_spec.h"

namespace ridge::session {

struct Series {
  profile::Sweep sweep;   ///< at least one profile, with bounds
  MachineRoofs roofs;     ///< for every thread count of the spec
  bool is_sweep = false;  ///< the spec has several points
  /// False if the series was stopped, or a point or its verification failed (reported).
  bool complete = true;
  /// Error of measuring the roofs. It ends the series after the first profile, which has none.
  std::optional<Error> roof_error;
};

/// Called for every point as soon as its profile is finished, in the order of the sweep; `key`:
/// Workbench::key.
using OnPoint = std::function<void(const profile::Profile& profile, const std::string& key)>;

/// Measures every combination of runtimes, thread counts and sizes. Error if no point could be
/// measured.
Result<Series> measure_series(const std::string& model, const MeasureSpec& spec,
                              const Environment& environment, const OnPoint& on_point = {});

}  // namespace ridge::session
