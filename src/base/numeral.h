// Numbers as people read them, in any size without an exponent. base/text.h has those with SI
// prefixes and times.
//
//   significant(1234.5, 3)           "1234"
//   binary_bytes(25'165'824)         "24 MiB"
#pragma once

#include <cstdint>
#include <string>

namespace ridge {

/// So many significant digits: (0.25, 3) -> "0.25"; what is whole is not rounded to them, and its
/// thousands are parted from five digits up: (24576, 4) -> "24,576".
std::string significant(double value, int digits);

/// 524288 -> "512 KiB"; four significant digits, of each prefix up to 10,000.
std::string binary_bytes(std::int64_t bytes);

}  // namespace ridge
