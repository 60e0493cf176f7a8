// SPDX-License-Identifier: Apache-2.0
// Text form of a pipeline's steps, for manifests and command lines.
//
//   std::vector<Step> steps = TRY(parse_steps(
//       "decode(rgb) resize(256, short, bilinear, pillow) crop(224) layout(nchw)"));
//   print_steps(steps) parses to the same steps
//
// Grammar: steps separated by white space; a step is its name, and in parentheses arguments
// separated by commas: words, numbers, sizes (224, or 640x480 as width x height), key=word,
// key=number and key=[number, ...]. Their order is free, and case does not count. A word may stand
// alone or behind its key, which says what it is about; manifests write keys. Keys and words, the
// default of each first, words of the same meaning in parentheses:
//
//   decode    color_mode=rgb bgr gray (L); orientation=unturned (stored) exif; dct=islow ifast;
//             chroma=fancy box; library=pillow opencv (with which exif is the default, and gray is
//             as imread(file, IMREAD_GRAYSCALE))
//   reverse_channels
//   resize    a size, or height= and width=, with fit=exact short inside; or short=N, or inside=N;
//             rounding=down (truncate) half_up up; library=pillow pillow12 opencv half_pixel
//             pytorch_half_pixel align_corners asymmetric; filter=bilinear nearest box hamming
//             bicubic lanczos (Pillow), linear nearest area cubic (others; bilinear and bicubic
//             are understood); both in one: method=opencv_area; nearest=nearest_half_down
//             nearest_half_up nearest_floor nearest_ceil
//   crop      a size, or height= and width=; anchor=center top_left;
//             rounding=half_even down (floor)
//   pad       a size, or height= and width=; anchor=center top_left; value=0
//   cast      type=float32 uint8
//   add, subtract, multiply, divide    values=[...] or one number; arithmetic=float double
//   normalize divide=1, mean=[0], std=[1]; arithmetic=float (float32) double (float64)
//   layout    order=nchw nhwc chw hwc
//   bytes     begin=N, end=N, block=N, pad=256; strip=none space
//   tokens    file="tokenizer.json" or the file alone, length=N, pad="[PAD]"; ids=input_ids,
//             mask=attention_mask, types=token_type_ids: names of inputs
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
