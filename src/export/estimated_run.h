// An estimate as a run like any other: for run databases, comparisons and exports.
//
//   profile::Profile run = estimated_run(view, point);
//
// A layer executes its node and the riders of its output pass; times are the modelled latencies and
// have no intervals. Nodes that the machine is not asked for are of no layer, which a note counts.
// Needs a network that is of a model (StudyNetwork::resolved) and a machine that has a clock.
#pragma once

#include "accelerator/study.h"
#include "profile/profile.h"

namespace ridge::exports {

/// Whether it is of a model, on a machine that has a clock.
bool has_run(const accelerator::StudyPoint& point);

profile::Profile estimated_run(const accelerator::Study& view,
                               const accelerator::StudyPoint& point);

}  // namespace ridge::exports
