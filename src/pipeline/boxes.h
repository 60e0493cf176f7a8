// SPDX-License-Identifier: Apache-2.0
// Boxes of a detector: formats, overlap, and suppression of boxes that show the same object.
//
//   Box box = corners({0.5F, 0.5F, 0.2F, 0.1F}, BoxFormat::kCenterSize);
//   auto found = TRY(detections(boxes, scores, 80, {.format = BoxFormat::kCenterSize}));
//
// Sizes are right - left without the pixel that COCO's crowds or VOC add. Overlap is intersection
// over union in double; boxes without area overlap nothing. Non-maximum suppression as in ONNX
// NonMaxSuppression and torchvision.ops.nms: boxes of one class, by score from high to low (equal
// scores: the lower index first), are kept unless a kept one overlaps them by more than `overlap`.
//
// Errors (input class): RIDGE-PIPE-0032 for lengths that do not fit each other. Cost: boxes x
// classes x the detections asked for. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

struct Box {
  float left = 0, top = 0, right = 0, bottom = 0;

  bool operator==(const Box&) const = default;
};

enum class BoxFormat : std::uint8_t {
  kCorners,        ///< left, top, right, bottom (torchvision, Pascal VOC)
  kCornersYFirst,  ///< top, left, bottom, right (TensorFlow)
  kCornerSize,     ///< left, top, width, height (COCO)
  kCenterSize,     ///< center x, center y, width, height (YOLO, DETR)
};

Box corners(const std::array<float, 4>& values, BoxFormat format);

/// Intersection over union, 0 to 1.
double overlap(const Box& a, const Box& b);

struct Detection {
  Box box;
  std::int64_t label = 0;
  float score = 0;
  std::int64_t index = 0;  ///< position of the box in the model's output

  bool operator==(const Detection&) const = default;
};

/// Classes that a box is found as.
enum class ClassesOf : std::uint8_t {
  kEvery,  ///< each class whose score is high enough (torchvision, SSD's own decoding)
  kBest,   ///< the class of the highest score alone; if that is a class left out, none
};

struct DetectionRule {
  BoxFormat format = BoxFormat::kCorners;
  float score = 0.05F;           ///< only higher ones count
  double overlap = 0.5;          ///< 1 and above: no suppression
  std::size_t most = 100;        ///< detections of an image
  std::int64_t first_class = 0;  ///< 1 skips the background
  ClassesOf classes_of = ClassesOf::kEvery;
  /// The boxes end before the first, of a class that counts, whose score is lower.
  std::optional<float> until = {};
};

/// Detections of one image. `boxes` has four values per box, `scores` has `classes` per box.
Result<std::vector<Detection>> detections(std::span<const float> boxes,
                                          std::span<const float> scores, std::size_t classes,
                                          const DetectionRule& rule);

/// The first `most` of `candidates`, all of one class, that are kept, highest score first.
std::vector<Detection> suppressed(std::vector<Detection> candidates, double overlap,
                                  std::size_t most);

}  // namespace ridge::pipeline
