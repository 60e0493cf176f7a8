// Overview of the data of runs, and the list of queries, both as tables.
#pragma once

#include <span>

#include "trace/table.h"
#include "trace/view.h"

namespace ridge::trace {

/// Per run: levels with their spans and range of time, how parents were found, clock faults.
Table show(std::span<const View> runs);
/// The queries in their order, with the data that each needs.
Table list_queries();

}  // namespace ridge::trace
