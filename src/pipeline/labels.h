// SPDX-License-Identifier: Apache-2.0
// Names of a model's classes, from a text file: line i names class i, from 0.
//
//   const auto labels = TRY(parse_labels(text));
//   TRY(check_labels(labels.size(), 1000));          // or check_label(labels.size(), found)
//
// Lines end by LF or CR LF, and a UTF-8 mark may precede the first; an empty line at the end is no
// label, others are kept as they are (the files of ImageNet have the synset before the name). Names
// are untrusted text. Bounds: 16 MiB, a million labels of 1,000 bytes. Errors (input
// class): RIDGE-PIPE-0030 beyond a bound or without any label, RIDGE-PIPE-0031 for another number
// of labels than classes. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::pipeline {

Result<std::vector<std::string>> parse_labels(std::string_view text);

/// Fails unless there are as many labels as classes. One class too many is often the background of
/// models from TensorFlow, which is then class 0.
Result<void> check_labels(std::size_t labels, std::size_t classes);

/// Fails for a class that has no label.
Result<void> check_label(std::size_t labels, std::int64_t found);

}  // namespace ridge::pipeline
