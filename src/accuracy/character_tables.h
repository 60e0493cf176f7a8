// SPDX-License-Identifier: Apache-2.0
// Classes of characters beyond ASCII as ranges of code points, in rising order. The ranges are in
// character_tables.cc, which character_tables.py writes. Static data.
#pragma once

#include <cstdint>
#include <span>

namespace ridge::accuracy {

struct CodeRange {
  char32_t first, last;
};

/// Letters and digits: the characters of which Python's str.isalnum() is true.
std::span<const CodeRange> word_ranges();

/// Letters `first`, `first` + step ... `last` whose lower-case letter is `distance` away.
struct LowerRun {
  char32_t first, last;
  std::int32_t distance;
  std::uint32_t step;
};
std::span<const LowerRun> lower_runs();

}  // namespace ridge::accuracy
