// SPDX-License-Identifier: Apache-2.0
// Reads the description of a laboratory (lab_file.h).
//
//   Lab lab = TRY(read_lab("lab.toml"));
//
// Errors: input class, with line and column (record/toml.h). Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "lab/submit/lab_file.h"

namespace ridge::lab {

Result<Lab> parse_lab(std::string_view text);
/// Names the file in errors.
Result<Lab> read_lab(const std::string& path);

}  // namespace ridge::lab
