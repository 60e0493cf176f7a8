// SPDX-License-Identifier: Apache-2.0
// Measures one model in one runtime: several processes, one after the other, each with the same
// copy, weights and inputs.
//
//   Request request{.runtime = {.threads = 2}};
//   Result<profile::Profile> p = measure::profile_model(resolved, request);
//   roofline::place(*p, roofs);
//
// The result has times, members, work and notes; the caller adds roofs and bounds. A process that
// crashes is reported in the notes and the others count; it is an error only if nothing could be
// measured. Ctrl-C (Options::interrupted) keeps the results so far and adds a note.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "measure/request.h"
#include "profile/profile.h"

namespace ridge::measure {

Result<profile::Profile> profile_model(const analysis::Resolved& resolved, const Request& request);

/// Measures several columns in turns, so that changes of the machine affect all alike. They must
/// have the same plan and number of processes. With kRuns, Latency::processes has an entry for each
/// process (empty if it produced no samples), and the i-th runs of all columns are partners. A
/// column that fails does not stop the others.
std::vector<Result<profile::Profile>> profile_in_turns(std::span<const Column> columns,
                                                       Turns turns);

}  // namespace ridge::measure
