// SPDX-License-Identifier: Apache-2.0
// Mean intersection over union of segmentations, and the confusion matrix behind it.
//
//   Segmentation s = TRY(Segmentation::make(21, 255));           // 255: pixels without a truth
//   TRY(s.add(true_labels, found_labels));                       // once per image
//   s.figure();                                                  // mean over classes, bootstrap
//
// For each class the pixels that are it in both, over those that are it in either, summed over all
// images; the mean over the classes that occur in either (a class that occurs in neither has no
// value and stays out). Pixels whose true label is the ignored one count nowhere (Everingham et al.
// 2010, IJCV 88:303, section 4.2; Long et al. 2015, CVPR).
//
// Thread rule: one thread while adding. Cost: linear in pixels and classes; 40 bytes for each class
// that occurs in an image, 8 a field of the matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "accuracy/figure.h"
#include "base/result.h"

namespace ridge::accuracy {

class Segmentation {
 public:
  /// Most classes, so that the matrix stays below 128 MiB.
  static constexpr std::size_t kMaxClasses = 4096;

  /// Input error: no classes, or more than kMaxClasses.
  static Result<Segmentation> make(std::size_t classes, std::optional<std::int32_t> ignored);

  /// Adds an image. Input errors: sizes that differ, a label that is no class (a true one may also
  /// be the ignored one). After an error nothing was added.
  Result<void> add(std::span<const std::int32_t> truth, std::span<const std::int32_t> found);

  std::size_t images() const { return images_; }
  /// Pixels of true class `truth` that were labeled `found`.
  std::int64_t confusion(std::size_t truth, std::size_t found) const {
    return confusion_[truth * classes_ + found];
  }
  /// NaN for a class that does not occur.
  std::vector<double> by_class(Weights weights = {}) const;
  double value(Weights weights = {}) const;
  Figure figure(const stats::BootstrapOptions& options = {}) const;

 private:
  struct Counts {
    std::int64_t both = 0, truth = 0, found = 0;
  };
  /// Counts of a class that occurs in an image.
  struct Occurrence {
    std::size_t image, label;
    Counts counts;
  };
  std::size_t classes_ = 0, images_ = 0;
  std::optional<std::int32_t> ignored_;
  std::vector<std::int64_t> confusion_;
  std::vector<Occurrence> occurrences_;  ///< by image
};

}  // namespace ridge::accuracy
