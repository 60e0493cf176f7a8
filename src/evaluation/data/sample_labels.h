// SPDX-License-Identifier: Apache-2.0
// The class of each sample, from a file of labels.
//
//   SampleLabels labels = TRY(read_sample_labels(text, names, Whole::kYes));
//   labels.classes[3], labels.notes
//
// A line has the class alone (the lines are then in the order of the samples), or a name and the
// class in either order: `cat.jpg,3`, `3 cat.jpg`, separated by a comma, a semicolon, a tab or
// blanks. A name may be quoted, or a path whose last part is the sample's name. Which of two cells
// is the name is told by the samples, once for the file: the name is first if every sample then has
// one class, else the class is. A UTF-8 mark and empty lines are passed over.
//
// Errors (input class): RIDGE-WB-0112 a line without a class, a sample without a label, two classes
// of one sample; RIDGE-WB-0212 more lines than samples. Names that no sample has are noted. Thread
// rule: plain functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evaluation/data/sample_names.h"

namespace ridge::evaluation {

struct SampleLabels {
  std::vector<std::int64_t> classes;  ///< one for each sample
  std::vector<std::string> notes;
};

Result<SampleLabels> read_sample_labels(std::string_view text,
                                        const std::vector<std::string>& names, Whole whole);

}  // namespace ridge::evaluation
