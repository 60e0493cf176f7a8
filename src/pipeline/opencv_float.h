// SPDX-License-Identifier: Apache-2.0
// OpenCV's cv2.resize of images of float32.
//
//   FloatImage small = TRY(resize_opencv(values, {513, 513}, OpencvFilter::kLinear));
//
// With the positions and weights of resize_opencv.h, but nothing rounded to integers: along rows
// s0 (1 - f) + s1 f, then along columns the same, each operation in float; where both axes shrink
// by exactly 2 the mean of four values. kNearest as for bytes. Equal to OpenCV bit for bit where
// its build does not fuse multiplications with additions (opencv_float_test.cc) and Intel IPP is
// off, as on ARM or after cv2.ipp.setUseIPP(False). The wheels of PyPI for x86 resize float32 by
// IPP, which is 9e-3 of 255 away at most on noise (versions 4.5.5, 4.10 and 5.0). kArea and kCubic
// are not computed on float32: RIDGE-PIPE-0015. Errors: that and RIDGE-PIPE-0001. Pure function.
#pragma once

#include "base/result.h"
#include "pipeline/image.h"
#include "pipeline/resize_opencv.h"

namespace ridge::pipeline {

Result<FloatImage> resize_opencv(const FloatImage& image, Size target, OpencvFilter filter);

/// RIDGE-PIPE-0015 for a filter that takes bytes alone.
Result<void> check_float_filter(OpencvFilter filter);

}  // namespace ridge::pipeline
