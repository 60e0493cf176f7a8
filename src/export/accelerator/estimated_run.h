// SPDX-License-Identifier: Apache-2.0
// An estimate in the form of a measured run, for run databases, comparisons and exports.
//
//   profile::Profile run = estimated_run(view, point);
//
// A layer executes its node and the nodes fused into its output pass (Layer::riders); times are the
// modeled latencies and have no intervals. Nodes outside the estimate are in no layer; a note gives
// their number. Requires a network from a model (StudyNetwork::resolved) and a machine with a
// clock.
#pragma once

#include "accelerator/study/result.h"
#include "profile/profile.h"

namespace ridge::exports {

/// True if the point is of a model, on a machine with a clock.
bool has_run(const accelerator::StudyPoint& point);

profile::Profile estimated_run(const accelerator::Study& view,
                               const accelerator::StudyPoint& point);

}  // namespace ridge::exports
