// SPDX-License-Identifier: Apache-2.0
// Human-readable numbers without an exponent. base/text.h formats numbers with SI prefixes and
// durations.
//
//   significant(1234.5, 3)           "1234"
//   binary_bytes(25'165'824)         "24 MiB"
#pragma once

#include <cstdint>
#include <string>

namespace ridge {

/// Formats with `digits` significant digits: (0.25, 3) -> "0.25". Integer digits are never rounded
/// away, and numbers of five or more integer digits get thousands separators: (24576, 4) ->
/// "24,576".
std::string significant(double value, int digits);

/// Formats with four significant digits and the smallest prefix that keeps the number below 10,000:
/// 524288 -> "512 KiB".
std::string binary_bytes(std::int64_t bytes);

}  // namespace ridge
