// Layer times checked from outside the profiler: the model is cut where one tensor crosses, and
// what the part before a cut takes by itself, unprofiled, is held against the layers before it.
//
//   profile::Profile p = TRY(profile_model(resolved, request));
//   TRY(verify(resolved, request, 5, p));       // fills p.verification, adds notes
//
// Parts and whole model are measured in turns (part_times.h), judged cut by cut (cut_verdict.h). A
// cut that misses is measured once more with the caches of the whole model. Takes about as long as
// measuring as many models as there are parts and the whole, and half as long again for each cut
// that misses. Ctrl-C keeps what was measured. Errors: those of measuring the whole model.
#pragma once

#include "analysis/resolved.h"
#include "measure/session.h"

namespace ridge::measure {

Result<void> verify(const analysis::Resolved& resolved, const Request& request, std::size_t cuts,
                    profile::Profile& profile);

}  // namespace ridge::measure
