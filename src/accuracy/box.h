// SPDX-License-Identifier: Apache-2.0
// Boxes of objects in images, and their overlap.
//
// A box is its least corner and its size, in pixels, as in COCO's files. Corners in pixels that
// belong to the box on both sides (Pascal VOC) are converted by width = x_max - x_min + 1: then the
// areas and overlaps below equal the VOC development kit's. Plain data, no thread rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"

namespace ridge::accuracy {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// An object that is there.
struct TrueBox {
  std::size_t image = 0;  ///< from 0
  std::int64_t category = 0;
  Box box;
  /// Area for the size ranges of COCO, where it is the area of the object's outline; if absent, the
  /// area of the box.
  std::optional<double> area;
  /// COCO: the box encloses a crowd; matches any number of detections, and neither these nor the
  /// crowd count. VOC: a difficult object, which does not count, nor do detections matched to it.
  bool ignored = false;
};

/// An object that the model claims to see.
struct FoundBox {
  std::size_t image = 0;
  std::int64_t category = 0;
  Box box;
  double score = 0;
};

/// Area of the intersection over the area of the union, 0 without an intersection. `Union::kFirst`
/// divides by the area of `first` instead, which is COCO's rule for crowds.
enum class Union : std::uint8_t { kBoth, kFirst };
double overlap(const Box& first, const Box& second, Union by = Union::kBoth);

/// Input errors: an image number of `images` or more, a coordinate or score that is not finite.
/// Sizes of 0 and below are allowed and overlap nothing.
Result<void> check_boxes(std::size_t images, std::span<const TrueBox> truths,
                         std::span<const FoundBox> found);

}  // namespace ridge::accuracy
