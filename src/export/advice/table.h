// SPDX-License-Identifier: Apache-2.0
// Tables and texts of advice for people, and for programs as a table.
#pragma once

#include <string>

#include "advice/record/advice.h"
#include "export/table.h"

namespace ridge::exports {

/// The findings; `exact`: for programs, with times in nanoseconds.
Table findings_table(const advice::Advice& advice, bool exact);

/// The figures that precede the table: bound, achievable and measured time, with their coverage.
std::string figures_text(const advice::Advice& advice);
/// Evidence, repair and check of each finding.
std::string findings_text(const advice::Advice& advice);

}  // namespace ridge::exports
