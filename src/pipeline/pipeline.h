// SPDX-License-Identifier: Apache-2.0
// Files and images made into inputs of a model, by the steps of a pipeline.
//
//   const auto steps = TRY(parse_steps(
//       "decode(rgb) resize(256, short, bilinear, pillow) crop(224) "
//       "normalize(divide=255, mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]) "
//       "layout(nchw)"));
//   Tensor input = TRY(preprocess(bytes, steps));          // float32, 1 x 3 x 224 x 224
//   preprocess(bytes, steps, [&](std::size_t step, Size) { end[step] = clock.now(); });
//
// Deterministic: the same bytes and steps give the same tensor on every machine. Errors: as the
// steps, with the step's number and text; steps that cannot follow each other are refused before
// the file is decoded (pipeline/shape.h). Pure functions, safe on hostile files.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "pipeline/decode.h"
#include "pipeline/step.h"

namespace ridge::pipeline {

/// Called when a step is done, with its number from 0 and the size of the image then. The tensor is
/// made by the last one.
using StepDone = std::function<void(std::size_t step, Size size)>;

Result<Tensor> preprocess(std::span<const std::byte> file, const std::vector<Step>& steps,
                          const StepDone& done = {}, const Warned& warned = {});

/// Result of `steps`, which have no Decode, on an image that is no file.
Result<Tensor> preprocess(Image image, const std::vector<Step>& steps, const StepDone& done = {});

}  // namespace ridge::pipeline
