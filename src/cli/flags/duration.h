// SPDX-License-Identifier: Apache-2.0
// Durations as written on the command line: "90s", "1.5m", "1h30m", "250ms", "50us".
#pragma once

#include <string_view>

#include "base/result.h"
#include "session/measure_spec.h"

namespace ridge::cli {

/// Parses a duration to seconds, above 0 and at most a week. Errors (usage class) name the flag and
/// the form; `flag` is what stands before the duration: "--budget", "--bound p99=".
Result<double> parse_duration(std::string_view flag, std::string_view text);

/// Parses --budget of a measuring verb: the time for all processes together ("30s"). A number
/// without a unit is the number of seconds for each process.
Result<session::TimeBudget> parse_time_budget(std::string_view text);

}  // namespace ridge::cli
