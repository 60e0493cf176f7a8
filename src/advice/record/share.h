// SPDX-License-Identifier: Apache-2.0
// Shares of a run in the words of findings.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::advice {

/// "12 % of the run". Where layers and the time between them add up to more than a run without the
/// profiler, as reported times do that contain the profiler's cost, the share is of that sum: "12 %
/// of a profiled run". Shares of parts that do not overlap add up to at most 100 %.
std::string share_text(double ns, const profile::Profile& run);

/// Time of a run without the profiler that the same share is: what it could gain at most.
double max_gain(double ns, const profile::Profile& run);

}  // namespace ridge::advice
