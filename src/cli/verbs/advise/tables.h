// Text of ridge advise.
#pragma once

#include <string>

#include "advice/record/advice.h"
#include "export/table.h"

namespace ridge::cli {

/// The findings; `exact`: for programs, with times in nanoseconds.
exports::Table table_of(const advice::Advice& advice, bool exact);

/// The figures that precede the table: bound, achievable and measured time, with their coverage.
std::string figures_text(const advice::Advice& advice);
/// Evidence, repair and check of each finding.
std::string findings_text(const advice::Advice& advice);

}  // namespace ridge::cli
