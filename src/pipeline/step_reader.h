// SPDX-License-Identifier: Apache-2.0
// The step that a name with arguments means.
//
//   StepCall call("crop", 0);
//   call.add({"height", "224"});
//   call.add({"width", "224"});
//   Step step = TRY(step_of(call));          // the same as parse_steps("crop(224)")
//
// Names, arguments and errors: step_text.h. Pure function.
#pragma once

#include "base/result.h"
#include "pipeline/step.h"
#include "pipeline/step_arguments.h"

namespace ridge::pipeline {

Result<Step> step_of(StepCall& call);

}  // namespace ridge::pipeline
