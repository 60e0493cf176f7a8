// SPDX-License-Identifier: Apache-2.0
// Verdict on a cut: compares the profiled time of the layers before it with the measured time of
// the part.
//
//   said  = corrected layers before the cut + their part of the run's time outside layers
//   takes = median over rounds of (part / whole model) x latency - inserted
//   difference = (said - takes) / latency
//
// The time outside layers is split by number of kernel executions as far as it is gaps between
// kernels, and by time as far as it is disturbance. `inserted` are kernels that the runtime runs
// only because the part ends there: ONNX Runtime converts blocked channels back to plain order
// before an output, which it does not do inside the whole model. If the part lacks a kernel of the
// whole model, the two cannot be compared.
//
// The interval of a difference (method of variance estimates recovery, as in stats/change.h)
// combines the interval of the ratio, over rounds and processes, and the interval of the layers'
// share, over profiled runs and processes. A cut misses if the whole interval lies beyond kCutLimit
// of the latency. The limit is never widened: a cut that misses is measured again with the caches
// in the state the whole model leaves, and is explained if it agrees then. Thread rule: pure.
#pragma once

#include "measure/cut_plan.h"
#include "measure/part_times.h"
#include "profile/profile.h"

namespace ridge::measure {

/// Maximum error of the layers, as a share of the latency, before a cut misses.
inline constexpr double kCutLimit = 0.02;

/// nullopt if no round was finished; `behind_whole` may be null.
std::optional<profile::VerifiedCut> judge(const profile::Profile& profile, const PlannedCut& cut,
                                          const PartTimes& in_turns,
                                          const PartTimes* behind_whole = nullptr);

/// Kernels of the whole model's layers before the cut that the part does not run; empty if the two
/// can be compared.
std::vector<std::string> missing_kernels(const profile::Profile& profile, const PlannedCut& cut,
                                         const PartTimes& in_turns);

}  // namespace ridge::measure
