// A cut judged: what the layers before it are said to take against what the part takes.
//
//   said  = corrected layers before the cut + their part of what a run takes outside layers
//   takes = median over rounds of (part / whole model) x latency - inserted
//   difference = (said - takes) / latency
//
// The part outside layers is shared out by executions of kernels as far as it is gaps between
// them, by time as far as it is disturbance. `inserted` are kernels that the runtime runs only
// because the part ends there: ONNX Runtime puts blocked channels back in order before an output,
// which inside the whole model it does not. Where the part lacks a kernel of the whole model the
// two cannot be compared.
//
// The interval of a difference (method of variance estimates recovery, as stats/change.h) is that
// of the ratio over rounds and processes, and that of the layers' share over profiled runs and
// processes. A cut misses where the whole interval lies beyond kLimit of the latency. No limit is
// widened: a cut that misses is measured once more with the caches of the whole model, and is
// explained where it agrees then. Thread rule: pure.
#pragma once

#include "measure/cut_plan.h"
#include "measure/part_times.h"
#include "profile/profile.h"

namespace ridge::measure {

/// Of the latency: layers may be that far off before a cut misses.
inline constexpr double kCutLimit = 0.02;

/// nullopt where no round was finished; `behind_whole` may be null.
std::optional<profile::VerifiedCut> judge(const profile::Profile& profile, const PlannedCut& cut,
                                          const PartTimes& in_turns,
                                          const PartTimes* behind_whole = nullptr);

/// Kernels of the whole model's layers before the cut that the part does not run; none where it can
/// be compared.
std::vector<std::string> missing_kernels(const profile::Profile& profile, const PlannedCut& cut,
                                         const PartTimes& in_turns);

}  // namespace ridge::measure
