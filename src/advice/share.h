// Shares of a run in the words of findings.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::advice {

/// "12 % of the run"; "12 % of the layers' time" where the layers' times add up to more than a run
/// without the profiler, as reported times do that contain the profiler's cost. Never above 100 %.
std::string share_text(double ns, const profile::Profile& run);

}  // namespace ridge::advice
