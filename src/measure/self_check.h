// SPDX-License-Identifier: Apache-2.0
// Plausibility of layer times: figures that do not hold by construction of the correction, and the
// notes they cause.
//
// The correction (correction.h) scales the layers until they and the gaps add up to a run without
// the profiler, so its own sums fit whatever the events report: half of every duration, nothing for
// the slowest layer. Three figures then deviate. For one profiled run and the adjacent plain run:
//
//   unscaled residual = (reported - events * event + outside) / plain run - 1
//   predicted ratio   = (plain run + events * wall + fixed) / profiled run
//   factor            = see correction.h
//
// `event` is the excess per event of the durations in a chain over the chain's run time, clamped to
// [-resolution, wall]: a profiler cannot report more than it adds, and pauses between kernels
// cannot hide more than a kernel takes. `outside` is the time of a chain outside its kernels. Both
// come from the chains and neither from this run, so time that an event does not report cannot hide
// in a gap. Example: 3 layers of 100 us, gaps and events without cost, a chain with 10 us outside:
//
//   reported 300 us, plain run 310 us       (300 + 10) / 310 - 1 =   0
//   every duration halved                   (150 + 10) / 310 - 1 = -48 %   150 us appear as gaps
//
// A model that spends more time between its layers than a chain does also has a negative residual;
// the sums cannot distinguish the two, and the note names both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/correction.h"
#include "measure/runs.h"
#include "profile/profile.h"

namespace ridge::measure {

double unscaled_residual(const PairTimes& pair, const EventCost& cost);
double predicted_ratio(const PairTimes& pair, const EventCost& cost);

/// Limits beyond which a figure causes a note, if its whole interval is beyond.
struct Tolerance {
  double predicted = 0.02;  ///< |predicted ratio - 1|
  double factor = 0.05;     ///< |factor - 1|
  double unscaled = 0.05;   ///< |unscaled residual|
};

/// Note if the overhead of profiling differs between the first and the second half of the
/// processes: the intervals of profiled / plain run are further apart than kDrift. `processes` is
/// [process][pair].
std::optional<std::string> drift_note(const std::vector<std::vector<PairTimes>>& processes);
inline constexpr double kDrift = 0.01;

/// "0.981 [0.970, 0.990]"
std::string factor_text(const stats::Estimate& factor);
/// Note for layers scaled by a factor beyond the tolerance.
std::string factor_note(const stats::Estimate& factor);

/// Notes for the reader derived from the figures of a profile.
std::vector<std::string> self_check_notes(const profile::Profile& profile);

}  // namespace ridge::measure
