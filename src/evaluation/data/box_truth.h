// SPDX-License-Identifier: Apache-2.0
// Boxes that are true of samples: annotations of COCO, or of Pascal VOC as lines or as XML files.
//
//   const BoxTruth truth = TRY(read_coco_truth({path, names, labels, Whole::kYes}));
//   TRY(check_classes(truth, 80));                     // numbers of categories are the model's
//
// Categories are joined with the model's classes by their names where steps have labels(FILE), else
// the number of a category is taken for that of a class. The numbers of COCO's 80 categories go
// from 1 to 90, so most models have other ones: see check_classes(). Errors: input class,
// RIDGE-WB-0118, with file and line or path; those of coco_file.h and voc_annotation.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/box.h"
#include "base/result.h"
#include "evaluation/data/ground_truth.h"

namespace ridge::evaluation {

struct BoxTruth {
  /// Whether `numbers` has every category there is, or those of the boxes alone.
  enum class Categories : std::uint8_t { kAll, kOfBoxes };

  std::string path;
  std::vector<accuracy::TrueBox> boxes;
  /// Numbers of categories that are taken for classes, ascending; empty: joined by name.
  std::vector<std::int64_t> numbers;
  Categories categories = Categories::kAll;
  std::vector<std::string> notes;
};

Result<BoxTruth> read_coco_truth(const TruthSource& source);
/// Lines of a file, or a folder with an XML file for each sample.
Result<BoxTruth> read_voc_truth(const TruthSource& source);

/// Refuses numbers of categories that a model of so many classes does not have.
Result<void> check_classes(const BoxTruth& truth, std::size_t classes);
/// Refuses a class that a model found and that is no category of annotations with all of them.
Result<void> check_found(const BoxTruth& truth, std::int64_t found);

}  // namespace ridge::evaluation
