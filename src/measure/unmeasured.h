// SPDX-License-Identifier: Apache-2.0
// A profile of which no run counts: the runtime computed the whole model when it was loaded, so
// that no kernel ran, or other programs disturbed every run.
//
//   if (unmeasured(p)) leave_times_unknown(p);
//
// Its times, and all that follows from them, are unknown (NaN, null in JSON), not 0.
#pragma once

#include "profile/profile.h"

namespace ridge::measure {

/// True if no process has a run that counts.
bool unmeasured(const profile::Profile& profile);

/// Makes the times unknown, removes the notes about them, and adds one with the reason.
void leave_times_unknown(profile::Profile& profile);

}  // namespace ridge::measure
