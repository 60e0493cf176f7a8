// SPDX-License-Identifier: Apache-2.0
// Structural similarity of two images (Wang, Bovik, Sheikh and Simoncelli 2004, IEEE Transactions
// on Image Processing 13:600).
//
//   const double similarity = TRY(ssim(reference, found, 255));
//   const Figure all = mean_figure(similarity_of_each_image);
//
// Mean over all positions of a window of 11 x 11 pixels that lie within the image, and over
// channels, of equation 13:
//   (2 m1 m2 + C1) (2 s12 + C2) / ((m1^2 + m2^2 + C1) (v1 + v2 + C2)),
// m, v, s: mean, variance and covariance weighted by a Gaussian of sigma 1.5 whose weights sum to 1
// (no correction for the size of the sample, as in the paper), C1 = (0.01 peak)^2, C2 = (0.03
// peak)^2. The images are not scaled down before. 1 for equal images; NaN in a pixel makes the
// result NaN. Thread rule: pure. Cost: about 130 multiplications a pixel and channel.
#pragma once

#include "accuracy/image_view.h"
#include "base/result.h"

namespace ridge::accuracy {

inline constexpr std::size_t kSsimWindow = 11;

/// Input errors: as check_images(), no channels, a side below 11 pixels, a peak that is not
/// above 0 and finite.
Result<double> ssim(const ImageView& reference, const ImageView& found, double peak);

}  // namespace ridge::accuracy
