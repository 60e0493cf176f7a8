// SPDX-License-Identifier: Apache-2.0
// A comparison for human readers: runs, rows with verdicts, and the parts of the difference.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/sink.h"
#include "compare/rows.h"

namespace ridge::exports {

enum class CompareBy : std::uint8_t { kGroup, kModule, kOperator };

struct ComparisonPage {
  CompareBy by = CompareBy::kGroup;
  std::size_t top = 20;  ///< rows, largest time difference first; 0: all
};

void write_comparison_text(const compare::Comparison& comparison, const ComparisonPage& page,
                           Sink& sink);
void write_comparison_markdown(const compare::Comparison& comparison, const ComparisonPage& page,
                               Sink& sink);
/// One CSV row per comparison row and run, plain numbers in nanoseconds; all rows.
void write_comparison_csv(const compare::Comparison& comparison, CompareBy by, Sink& sink);

}  // namespace ridge::exports
