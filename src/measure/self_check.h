// Whether layer times can be believed: figures that the correction does not make true, and what
// they say to the reader.
//
// The correction (correction.h) scales the layers until they and the gaps come to a run without the
// profiler, so its own sums fit whatever the events report: half of every duration, nothing for the
// slowest layer. Three figures do not fit then. Of one profiled run and the plain run beside it:
//
//   unscaled residual = (reported - events * event + outside) / plain run - 1
//   predicted ratio   = (plain run + events * wall + fixed) / profiled run
//   factor            = of correction.h
//
// `event` is by how much a chain's events report more than the chain takes, for each event, from
// -resolution to wall: more than it adds no profiler reports, and less than a kernel takes no pause
// between kernels hides. `outside` is what a chain takes beside its kernels. Both come from the
// chains and neither from this run: time that an event does not report cannot hide in a gap. Here
// are 3 layers of 100 us, gaps and events that cost nothing, a chain with 10 us outside:
//
//   reported 300 us, plain run 310 us       (300 + 10) / 310 - 1 =   0
//   every duration halved                   (150 + 10) / 310 - 1 = -48 %   and 150 us are "gaps"
//
// A model that spends time between its layers as no chain does has a residual below 0 as well; the
// sums cannot tell the two apart, and the note names both.
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

/// Beyond these the figures are told in a note, where their whole interval lies beyond.
struct Tolerance {
  double predicted = 0.02;  ///< |predicted ratio - 1|
  double factor = 0.05;     ///< |factor - 1|
  double unscaled = 0.05;   ///< |unscaled residual|
};

/// Where the cost of profiling differs between the first and the second half of the processes:
/// the intervals of profiled / plain run lie further apart than kDrift. [process][pair].
std::optional<std::string> drift_note(const std::vector<std::vector<PairTimes>>& processes);
inline constexpr double kDrift = 0.01;

/// "0.981 [0.970, 0.990]"
std::string factor_text(const profile::Estimate& factor);
/// Of layers that are scaled by a factor beyond the tolerance.
std::string factor_note(const profile::Estimate& factor);

/// What the reader must know, from the figures of a profile.
std::vector<std::string> self_check_notes(const profile::Profile& profile);

}  // namespace ridge::measure
