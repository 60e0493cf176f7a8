// SPDX-License-Identifier: Apache-2.0
// Text of ridge advise --scoreboard.
#pragma once

#include <string>

#include "advice/record/scoreboard.h"
#include "export/table.h"

namespace ridge::cli {

/// A row for each kind, host and runtime. `exact`: for programs, each share with its parts and its
/// 95 % interval in columns of their own.
exports::Table table_of(const advice::Scoreboard& board, bool exact);

/// The figures of all rows together, and what the columns mean; "no checks" for an empty board.
std::string summary_text(const advice::Scoreboard& board);

}  // namespace ridge::cli
