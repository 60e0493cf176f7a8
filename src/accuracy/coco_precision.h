// SPDX-License-Identifier: Apache-2.0
// COCO's average precision and recall of boxes: the twelve figures of its evaluation program.
//
//   const CocoPrecision coco = TRY(CocoPrecision::make(images, truths, detections));
//   const Figure ap = coco.figure(CocoFigure::kAp);       // bootstrap over images
//
// Matching: coco_match.h. Precision at recall r (0, 0.01 ... 1) is the largest precision at any
// recall of at least r, 0 if that recall is not reached; average precision is the mean over these
// 101 recalls, over the thresholds of overlap (one or all ten), and over the categories that have a
// true box that counts. Recall counts all detections taken and is averaged over thresholds and
// categories. Equal to pycocotools 2.0.11 (COCOeval.accumulate, summarize; its -1 is NaN here).
// There, boxes of equal score in different images are ordered by the image's identifier; here by
// its number, which gives the same where numbers follow the identifiers.
//
// Thread rule: const after construction. Cost: making it O(detections x true boxes of the same
// image and category), a value O(detections), a figure that for each of the resamples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accuracy/box.h"
#include "accuracy/coco_match.h"
#include "accuracy/figure.h"
#include "base/result.h"

namespace ridge::accuracy {

/// In the order of pycocotools: average precision over all overlaps, at 0.50, at 0.75; of small
/// (area up to 32^2), medium and large (from 96^2) objects; average recall with at most 1, 10 and
/// 100 detections per image and category; with 100, of small, medium and large objects.
enum class CocoFigure : std::uint8_t {
  kAp,
  kAp50,
  kAp75,
  kApSmall,
  kApMedium,
  kApLarge,
  kAr1,
  kAr10,
  kAr100,
  kArSmall,
  kArMedium,
  kArLarge,
};
inline constexpr std::size_t kCocoFigures = 12;

class CocoPrecision {
 public:
  /// Images are numbered from 0 to `images` - 1. Input errors: see check_boxes().
  static Result<CocoPrecision> make(std::size_t images, std::span<const TrueBox> truths,
                                    std::span<const FoundBox> found);

  std::size_t images() const { return images_; }
  /// Value for images that occur as often as the weights say; NaN without a true box that counts.
  double value(CocoFigure figure, Weights weights = {}) const;
  Figure figure(CocoFigure figure, const stats::BootstrapOptions& options = {}) const;

 private:
  using Category = std::array<CocoMatches, kCocoRanges>;

  std::size_t images_ = 0;
  std::vector<Category> categories_;
};

}  // namespace ridge::accuracy
