// Top-k accuracy: the share of samples whose true class is among the k best scored.
//
//   const TopK top5 = TRY(top_k(scores, 1000, labels, 5));   // scores[sample x 1000 + class]
//   top5.figure.value, top5.figure.interval;                 // Wilson's
//
// Order of classes: by falling score; equal scores by class number, lower first (as a stable sort
// of the scores by falling value, so that a constant output does not count as right); NaN after all
// numbers. A true class whose own score is NaN is never right.
//
// Thread rule: pure. Cost: one pass over the scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accuracy/figure.h"
#include "base/result.h"

namespace ridge::accuracy {

struct TopK {
  Figure figure;
  /// 1 for each sample that was right, else 0; the input of paired.h.
  std::vector<std::uint8_t> correct;
};

/// Number of classes that rank before `label`, all if its score is NaN. `label` must be below
/// scores.size().
std::size_t rank_of(std::span<const float> scores, std::size_t label);

/// Class of rank 0. `scores` must not be empty.
std::size_t top_class(std::span<const float> scores);

/// `scores` holds one row of `classes` per label. Input errors: no classes, k outside 1 to
/// `classes`, another number of rows than labels, a label that is no class.
Result<TopK> top_k(std::span<const float> scores, std::size_t classes,
                   std::span<const std::int64_t> labels, std::size_t k, double confidence = 0.95);

/// Share of predictions that equal the truth, for outputs that are class numbers already.
Result<TopK> exact_classes(std::span<const std::int64_t> predicted,
                           std::span<const std::int64_t> labels, double confidence = 0.95);

}  // namespace ridge::accuracy
