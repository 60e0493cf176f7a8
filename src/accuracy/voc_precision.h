// SPDX-License-Identifier: Apache-2.0
// Pascal VOC's average precision of boxes.
//
//   const VocPrecision voc = TRY(VocPrecision::make(images, truths, detections));
//   const Figure map = voc.figure(VocCurve::kAllPoints);   // mean over categories, bootstrap
//
// Detections of a category are taken over all images in falling order of score (equal scores: by
// image, then in the order given). Each is judged by the true box of its image with which it
// overlaps most (of equal ones the first): with an overlap of at least 0.5, finding a difficult box
// does not count, the first detection of another box is right, a repeated one wrong; with less it
// is wrong. Categories without a box that counts have no average precision and stay out of the
// mean. (Everingham et al. 2010, IJCV 88:303, section 4.2, and the development kit's VOCevaldet.m.
// Its corners are pixels: see box.h.)
//
// Thread rule: const after construction. Cost: O(detections x true boxes of the same image), a
// value O(detections).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accuracy/box.h"
#include "accuracy/figure.h"
#include "base/result.h"

namespace ridge::accuracy {

enum class VocCurve : std::uint8_t {
  /// VOC 2007: mean over the recalls 0, 0.1 ... 1 of the largest precision at that recall or above.
  kElevenPoints,
  /// Since VOC 2010: area under that largest precision as a function of recall.
  kAllPoints,
};

class VocPrecision {
 public:
  /// Input errors: see check_boxes(), and an overlap outside of 0 to 1.
  static Result<VocPrecision> make(std::size_t images, std::span<const TrueBox> truths,
                                   std::span<const FoundBox> found, double min_overlap = 0.5);

  std::size_t images() const { return images_; }
  /// Mean over categories, for images that occur as often as the weights say; NaN without a box.
  double value(VocCurve curve, Weights weights = {}) const;
  Figure figure(VocCurve curve, const stats::BootstrapOptions& options = {}) const;

 private:
  enum class Verdict : std::uint8_t { kRight, kWrong, kUncounted };
  struct Judged {
    double score;
    std::size_t image;
    Verdict verdict;
  };
  struct Category {
    std::vector<Judged> judged;             ///< in falling order of score
    std::vector<std::size_t> truth_images;  ///< image of each true box that counts
  };
  static double value_of(const Category& category, VocCurve curve, Weights weights);
  static Category judge(std::span<const TrueBox* const> truths, std::vector<const FoundBox*> found,
                        double min_overlap);

  std::size_t images_ = 0;
  std::vector<Category> categories_;
};

}  // namespace ridge::accuracy
