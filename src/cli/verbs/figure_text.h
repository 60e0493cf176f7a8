// SPDX-License-Identifier: Apache-2.0
// Figures with their intervals as text for readers, or exact for spreadsheets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenario/evaluation.h"

namespace ridge::cli {

/// "5.359 ms"; `exact`: "5359000".
std::string time_text(std::int64_t ns, bool exact);

/// "5.359 ms to 5.432 ms"; without an interval "needs 701 queries", or "" if it is exact.
/// `counted`: "queries".
std::string interval_text(const scenario::Percentile& p, bool exact, std::string_view counted);

/// "183.1 queries/s (177.8 to 188.4)".
std::string rate_text(const scenario::Rate& rate, std::string_view unit);

}  // namespace ridge::cli
