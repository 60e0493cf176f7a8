// Layer times as the profiler reports them, where what the correction makes of them cannot be.
//
// Whether it can is asked twice: of the correction itself when runs are joined (join.h), and of
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

/// Why layers may not be scaled by that factor: it is not known to within its own size, or it is
/// more than kAbsurd times too large or too small. "" where they may.
std::string obstacle(const profile::Estimate& factor);

/// One sentence: what the times are, why, and what to do.
std::string reported_note(std::string_view why);

/// Marks a layer whose corrected time is shorter than the profiler can resolve, and widens its
/// interval up to the resolution: a profiler that reports whole microseconds cannot exclude less.
void mark_resolution(profile::Layer& layer, double resolution_ns);

/// Takes the correction back, with a note. Times of single runs are the reported ones then; a
/// profile that was read had only the corrected ones, and has none then. What lies outside layers
/// is what a profiled run leaves. Bounds and modules are left to roofline::place().
void show_reported(profile::Profile& profile, std::string_view why);

/// Each layer's share of the corrected sum, and that of layers without nodes.
void share_out(profile::Profile& profile);

}  // namespace ridge::measure
