// SPDX-License-Identifier: Apache-2.0
// Percentages as written on the command line: "3%" or "3".
#pragma once

#include <string_view>

#include "base/result.h"

namespace ridge::cli {

/// Parses a percentage to a share, at least 0 and below 1. Usage error (RIDGE-CLI-0056) that names
/// the flag.
Result<double> parse_percentage(std::string_view flag, std::string_view text);

}  // namespace ridge::cli
