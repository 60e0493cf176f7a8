// SPDX-License-Identifier: Apache-2.0
// Fallback to layer times as reported by the profiler, for when the correction is not usable.
//
// Usability is checked twice: on the correction itself when runs are joined (join.h), and on
// corrected layers once the machine's roofs are known (roofline/place.h).
//
//   const std::string why = obstacle(factor);
//   if (!why.empty()) notes.push_back(reported_note(why));
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace ridge::measure {

inline constexpr double kAbsurd = 3;

/// Reason why layers must not be scaled by this factor: its interval reaches 0 or twice the factor,
/// or it is at least kAbsurd times too large or too small. "" if they may be scaled.
std::string obstacle(const stats::Estimate& factor);

/// One sentence: meaning of the times, reason, and remedy.
std::string reported_note(std::string_view why);

/// Marks a layer whose corrected time is below the profiler's resolution, and widens its interval
/// up to the resolution: a profiler that reports whole microseconds cannot exclude less.
void mark_resolution(profile::Layer& layer, double resolution_ns);

/// Reverts the correction, with a note. Times of single runs become the reported ones; a profile
/// read from a document has only corrected ones, so they become empty. The time outside layers
/// becomes the rest of a profiled run. Does not update bounds and modules; roofline::place() does.
void show_reported(profile::Profile& profile, std::string_view why);

/// Computes each layer's share of the corrected sum, and the total share of layers without nodes
/// that the runtime did not insert.
void share_out(profile::Profile& profile);

}  // namespace ridge::measure
