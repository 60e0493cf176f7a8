// SPDX-License-Identifier: Apache-2.0
// Steps that the Python code of a manifest stands for. The code is compared with known statements,
// never run; a statement without a known meaning is an error that names its line.
//
//   std::vector<StepSpec> before = TRY(preprocess_steps(code, place));
//   // decode(library=pillow, color_mode=RGB, orientation=stored) resize(short=256, ...) ...
//
// Known are torchvision transforms over Pillow (torchvision_forms.cc), OpenCV with NumPy
// (opencv_forms.cc), and what is done with outputs (postprocess_forms.cc). Steps and parameters:
//
//   decode     library=pillow|opencv, color_mode=RGB|BGR, orientation=stored|exif
//              Pillow ignores the EXIF orientation, OpenCV's imread applies it.
//   resize     short=N | height=N width=N, method=pillow_bilinear|opencv_linear|opencv_area|...,
//              rounding=truncate (of the long side, if short is given)
//   crop       height, width; rounding of half the margin: half_even (torchvision) | floor
//   cast       type=float32|uint8 (uint8 truncates)
//   normalize  y = (x / divide - mean) / std, each a number or one per channel, absent ones left
//              out. arithmetic=float32: constants and each operation are rounded to float32;
//              float64: computed in double, and rounded to float32 at the end of the step.
//   layout     order=CHW|HWC
//   softmax, drop_first (skips the first `count` columns), argsort, image, boxes, masks:
//              `output`, `scores`, `classes`, `boxes`, `masks` are indices of outputs.
//
// Errors: input class, with line and column. Thread rule: pure.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "manifest/step_spec.h"

namespace ridge::manifest {

Result<std::vector<StepSpec>> preprocess_steps(std::string_view code, Place place);
Result<std::vector<StepSpec>> postprocess_steps(std::string_view code, Place place);

}  // namespace ridge::manifest
