// Time as written on the command line: "90s", "1.5m", "1h30m", "250ms".
#pragma once

#include <string_view>

#include "base/result.h"
#include "workbench/measure_spec.h"

namespace ridge::cli {

/// In seconds, above 0 and at most a week. Errors (usage class) name the flag and say the form.
Result<double> parse_duration(std::string_view flag, std::string_view text);

/// What --budget of a measuring verb gives: the time of all processes together ("30s"). A number
/// without a unit is seconds of each process, as it was in earlier versions.
Result<workbench::TimeBudget> parse_time_budget(std::string_view text);

}  // namespace ridge::cli
