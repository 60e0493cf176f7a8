// One model at every point of a spec, measured one after the other.
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
#include "workbench/environment.h"
#include "workbench/machine_roofs.h"
#include "workbench/measure_spec.h"

namespace ridge::workbench {

struct Series {
  profile::Sweep sweep;  ///< at least one profile, with bounds
  MachineRoofs roofs;    ///< of every thread count among them
  bool many = false;     ///< several points were asked for
  bool whole = true;     ///< false: a point failed (reported to the notices) or was stopped
  std::optional<Error>
      failure;  ///< what ended the series after its first point, which has no roofs
};

/// Called for every point as soon as it is measured and compared with the roofs, in the order of
/// the sweep; `key` identifies what was asked for (Workbench::key).
using OnPoint = std::function<void(const profile::Profile& profile, const std::string& key)>;

/// Measures every combination of runtimes, threads and sizes. An error where no point could be
/// measured.
Result<Series> measure_series(const std::string& model, const MeasureSpec& spec,
                              const Environment& environment, const OnPoint& on_point = {});

}  // namespace ridge::workbench
