// SPDX-License-Identifier: Apache-2.0
// Interval of a proportion: the share of a population that a sample of successes and failures
// leaves possible.
//
//   const auto ci = wilson_interval(4, 5, 0.95);   // 0.38 to 0.96
//
// Trials are taken to be independent. Thread rule: pure.
#pragma once

#include <cstdint>
#include <optional>

#include "stats/samples.h"

namespace ridge::stats {

/// Wilson's score interval (1927, JASA 22:209), without correction for continuity. It stays within
/// 0 and 1, and covers about as often as it says from few trials on (Newcombe 1998, Statistics in
/// Medicine 17:857). 0 <= successes <= trials, 0 < confidence < 1; nullopt without trials.
std::optional<Interval> wilson_interval(std::int64_t successes, std::int64_t trials,
                                        double confidence);

}  // namespace ridge::stats
