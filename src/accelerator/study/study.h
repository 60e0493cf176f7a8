// SPDX-License-Identifier: Apache-2.0
// Study of accelerators: a point for every machine, size and padding, each with its network and
// estimated cost.
//
//   const Study study = TRY(estimate_study(spec, environment));
//
// At most 4,096 points; a network is lowered once per size and shared by machines and pads. Errors:
// as networks, machines and pads; a tile that does not fit (input class).
#pragma once

#include "accelerator/study/result.h"
#include "accelerator/study/spec.h"
#include "base/result.h"
#include "session/environment.h"

namespace ridge::accelerator {

Result<Study> estimate_study(const StudySpec& spec, const session::Environment& environment);

}  // namespace ridge::accelerator
