// SPDX-License-Identifier: Apache-2.0
// Peak signal-to-noise ratio of an image, in decibels.
//
//   const double db = TRY(psnr(reference, found, 255));
//   const Figure all = mean_figure(db_of_each_image);
//
// 10 log10(peak^2 / mse), mse the mean of the squared differences over all pixels and channels, in
// double precision; peak is the largest value that a pixel can have (255, or 1). Equal images have
// an infinite ratio, and NaN in a pixel makes it NaN: both show in a mean over images, which then
// has no interval. Thread rule: pure. Cost: linear.
#pragma once

#include "accuracy/image_view.h"
#include "base/result.h"

namespace ridge::accuracy {

/// Input errors: as check_images(), no pixels, a peak that is not above 0 and finite.
Result<double> psnr(const ImageView& reference, const ImageView& found, double peak);

}  // namespace ridge::accuracy
