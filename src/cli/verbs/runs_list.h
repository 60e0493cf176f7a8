// Lists the runs of a store: as a table, Markdown, CSV, or JSON (ridge.runs/1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sink.h"
#include "cli/verbs/describe_runs.h"

namespace ridge::cli {

/// "[40.00 µs, 42.00 µs]"; "?" if the run has no interval.
std::string interval_text(const stats::Estimate& e);
/// Number for CSV; empty for NaN.
std::string plain_number(double value);

void write_list(const StoreContent& content, std::string_view format, Sink& sink);

}  // namespace ridge::cli
