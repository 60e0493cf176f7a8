// Text form of a pipeline's steps, for manifests and command lines.
//
//   std::vector<Step> steps = TRY(parse_steps(
//       "decode(rgb) resize(256, short, bilinear, pillow) crop(224) layout(nchw)"));
//   print_steps(steps) parses to the same steps
//
// Grammar: steps separated by white space; a step is its name, and in parentheses arguments
// separated by commas: words, numbers, sizes (224, or 640x480 as width x height), key=number and
// key=[number, ...]. Their order is free. Arguments, the default of each group first:
//
//   decode    rgb bgr gray; unturned exif; islow ifast; fancy box
//   reverse_channels
//   resize    a size; exact short inside; down half_up up; and by whom with what:
//             pillow pillow12 opencv half_pixel pytorch_half_pixel align_corners asymmetric;
//             bilinear nearest box hamming bicubic lanczos (Pillow), linear nearest area cubic
//             (others; bilinear and bicubic are understood); nearest_half_down nearest_half_up
//             nearest_floor nearest_ceil
//   crop      a size; center top_left; half_even down
//   pad       a size; center top_left; value=0
//   cast      float32 uint8
//   add, subtract, multiply, divide    values=[...] or one number; float double
//   normalize divide=1, mean=[0], std=[1]; float double
//   layout    nchw nhwc chw hwc
//
// Bounds: 64 KiB, 64 steps, 64 arguments. Errors (input class) have the column, from 1 in bytes:
// RIDGE-PIPE-0020 for the form, 0021 for an unknown step, 0022 for an argument that the step lacks
// or has twice, with a suggestion, 0023 for a missing one. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pipeline/step.h"

namespace ridge::pipeline {

Result<std::vector<Step>> parse_steps(std::string_view text);

std::string print_step(const Step& step);
std::string print_steps(std::span<const Step> steps);

}  // namespace ridge::pipeline
