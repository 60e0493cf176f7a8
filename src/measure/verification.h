// SPDX-License-Identifier: Apache-2.0
// Checks layer times independently of the profiler: the model is cut where a single tensor crosses,
// and the unprofiled time of the part before a cut is compared with the layers before it.
//
//   profile::Profile p = TRY(profile_model(resolved, request));
//   TRY(verify(resolved, request, 5, p));       // fills p.verification, adds notes
//
// Parts and whole model are measured in turns (part_times.h) and judged cut by cut (cut_verdict.h).
// A cut that misses is measured again with the caches as the whole model leaves them. Takes about
// as long as measuring the whole model and each part, and half as long again for each cut that
// misses. Ctrl-C keeps the results so far. Errors: as measuring the whole model.
#pragma once

#include "analysis/resolved.h"
#include "base/result.h"
#include "measure/request.h"
#include "profile/profile.h"

namespace ridge::measure {

Result<void> verify(const analysis::Resolved& resolved, const Request& request, std::size_t cuts,
                    profile::Profile& profile);

}  // namespace ridge::measure
