// SPDX-License-Identifier: Apache-2.0
// Steps of manifests made into steps that run.
//
//   const Pipeline pipeline = TRY(pipeline_of(model, Prefer::kNeither));
//   const std::vector<pipeline::Step> steps = TRY(input_steps(pipeline.before[0]));
//   pipeline::preprocess(file, steps);
//
// Names and arguments follow pipeline/step_text.h, so that --steps and manifests have one
// vocabulary; the thesis' names (Li et al. 2019, arXiv 1911.08031, listing 1) stand for these:
//
//   decode     data_layout: a layout step at the end, unless there is one; element_type: uint8, or
//              float32: a cast
//   resize     dimensions: height and width, of 2, or of 3 with channels first or last;
//              keep_aspect_ratio: false
//   normalize  rescale, scale: std
//   layout     data_layout: order
//   tokens     checksum: of its file
//
// A name that leaves something open is refused: keep_aspect_ratio does not say what becomes of the
// rest of the image. Errors (input class), with the line of the manifest: RIDGE-MAN-0080 for a step
// that cannot run here, 0081 for an argument that does not say what to compute; the errors of
// pipeline/step_text.h and pipeline/shape.h. Pure functions.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "manifest/manifest.h"
#include "manifest/step_spec.h"
#include "pipeline/step.h"

namespace ridge::manifest {

/// Steps from a file, or an image without `decode`, to the input of a model.
Result<std::vector<pipeline::Step>> input_steps(std::span<const StepSpec> specs);

/// File that a step tokens(...) names, with its checksum; without a path: there is none.
Asset tokenizer_of(std::span<const StepSpec> specs);

}  // namespace ridge::manifest
