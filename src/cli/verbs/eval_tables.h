// Tables of an evaluation for readers.
#pragma once

#include <string>

#include "export/table.h"
#include "workbench/evaluated.h"

namespace ridge::cli {

/// A row for each runtime and percentile. `exact`: plain nanoseconds, for spreadsheets.
exports::Table table_of(const workbench::Evaluation& evaluation, bool exact);

/// A paragraph for each runtime: rates, lateness, validity with reasons.
std::string rates_text(const workbench::Evaluation& evaluation);

}  // namespace ridge::cli
