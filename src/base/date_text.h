// SPDX-License-Identifier: Apache-2.0
// Dates in lists for readers.
#pragma once

#include <cstdint>
#include <string>

namespace ridge {

/// "2026-11-22 01:59" (UTC) from seconds since 1970; "?" before 1970 and after the year 9999.
std::string date_text(std::int64_t seconds);

}  // namespace ridge
