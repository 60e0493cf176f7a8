// SPDX-License-Identifier: Apache-2.0
// Lists the runs of a store: as a table, Markdown, CSV, or JSON (ridge.runs/1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/document.h"
#include "cli/verbs/describe_runs.h"

namespace ridge::cli {

/// "[40.00 µs, 42.00 µs]"; "?" if the run has no interval.
std::string interval_text(const stats::Estimate& e);
/// Number for CSV; empty for NaN.
std::string plain_number(double value);

extern const Document<const StoreContent&> kRunListDocument;

}  // namespace ridge::cli
