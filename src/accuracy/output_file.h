// SPDX-License-Identifier: Apache-2.0
// A file with one output of a model for every sample. Plain data, as in the documents of
// evaluations; evaluation/answers/output_files.h writes and reads the files.
#pragma once

#include <string>

#include "accuracy/divergence.h"

namespace ridge::accuracy {

struct OutputFile {
  std::string output;
  Outputs kind = Outputs::kPlain;
  std::string path;    ///< absolute; "": not written, as samples differ in size or have no values
  std::string sha256;  ///< hash of the file
};

}  // namespace ridge::accuracy
