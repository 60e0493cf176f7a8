// What a run has to ask about, and the list of what can be asked: as tables, like the answers.
#pragma once

#include <span>

#include "trace/table.h"
#include "trace/view.h"

namespace ridge::trace {

/// Levels with their spans and range of time, how parents were found, what clocks did wrong.
Table show(std::span<const View> runs);
/// The queries in their order, with what each needs.
Table list_queries();

}  // namespace ridge::trace
