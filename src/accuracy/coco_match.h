// SPDX-License-Identifier: Apache-2.0
// Matches of detections with true boxes by COCO's rules, for one category.
//
// In each image the 100 detections of highest score are taken in falling order (equal scores: in
// the order given). For each of ten thresholds of overlap, 0.50, 0.55 ... 0.95, a detection is
// matched to the true box with which it overlaps most, at least by the threshold (of equal ones the
// last); a box is taken once, crowds any number of times. Boxes that do not count, crowds and those
// outside of the range of areas, are considered only if no other fits. A detection does not count
// if its box does not, or if it has none and its own area is outside of the range.
// (COCOeval.evaluateImg of pycocotools 2.0.11.) Thread rule: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accuracy/box.h"

namespace ridge::accuracy {

inline constexpr std::size_t kCocoThresholds = 10;
inline constexpr std::size_t kCocoRanges = 4;
/// Most detections of an image and category.
inline constexpr std::size_t kCocoMost = 100;

enum class CocoRange : std::uint8_t { kAll, kSmall, kMedium, kLarge };

struct CocoDetection {
  double score = 0;
  std::size_t image = 0;
  std::uint8_t rank = 0;                   ///< among the image's detections, 0 the highest score
  std::uint16_t matched = 0, ignored = 0;  ///< bit i: at threshold i
};

/// Detections in falling order of score, then by image and rank; counted true boxes by image.
struct CocoMatches {
  std::vector<CocoDetection> detections;
  struct Counted {
    std::size_t image;
    std::int64_t truths;
  };
  std::vector<Counted> counted;
};

/// Matches for each range of areas. Both inputs are ordered by image, and belong to one category.
std::array<CocoMatches, kCocoRanges> coco_matches(std::span<const TrueBox* const> truths,
                                                  std::span<const FoundBox* const> found);

}  // namespace ridge::accuracy
