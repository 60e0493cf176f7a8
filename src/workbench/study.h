// Study of accelerators: a point for every machine, size and padding, each with its network and
// estimated cost.
//
//   const accelerator::Study study = TRY(estimate_study(spec, environment));
//
// At most 4,096 points; a network is lowered once per size and shared by machines and pads. Errors:
// those of networks, machines and pads; a tile that does not fit (input class).
#pragma once

#include "accelerator/study.h"
#include "base/result.h"
#include "workbench/environment.h"
#include "workbench/study_spec.h"

namespace ridge::workbench {

Result<accelerator::Study> estimate_study(const StudySpec& spec, const Environment& environment);

}  // namespace ridge::workbench
