// SPDX-License-Identifier: Apache-2.0
// Builds the view of a run.
//
//   const View view = build_view(profile);   // correlates profile.timeline in place
//   for (const LayerRow& l : view.layers) l.time_ns;
//
// Ownership: the view borrows the profile. Cost: O(n log n) in the spans.
#pragma once

#include "profile/profile.h"
#include "trace/view.h"

namespace ridge::trace {

View build_view(profile::Profile& measured);

}  // namespace ridge::trace
