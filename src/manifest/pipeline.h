// SPDX-License-Identifier: Apache-2.0
// The pipeline of a model's manifest: the steps before and after the run.
//
//   Pipeline p = TRY(pipeline_of(model, Prefer::kNeither));
//
// Sources, in this order: the steps of inputs and outputs; the code, as far as code_forms.h knows
// its statements; the parameters alone, if they name a `resize_method`. Where code and parameters
// contradict each other, the caller must prefer one; the error names both. Parameters that are
// absent contradict nothing. `mean` and `scale` are on the scale of pixels, (x - mean) / scale with
// x from 0 to 255, as the platform's predictors define them. Errors: input class. Thread rule:
// pure.
#pragma once

#include <vector>

#include "base/result.h"
#include "manifest/agreement.h"
#include "manifest/manifest.h"

namespace ridge::manifest {

struct Pipeline {
  std::vector<std::vector<StepSpec>> before;  ///< steps of each input
  std::vector<StepSpec> after;
};

Result<Pipeline> pipeline_of(const ModelManifest& model, Prefer prefer);

/// Copy of the manifest with steps in place of code.
Result<ModelManifest> with_steps(const ModelManifest& model, Prefer prefer);

}  // namespace ridge::manifest
