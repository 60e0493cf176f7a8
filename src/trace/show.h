// SPDX-License-Identifier: Apache-2.0
// Two tables: what data each run has, and which queries exist.
#pragma once

#include <span>

#include "trace/table.h"
#include "trace/view.h"

namespace ridge::trace {

/// Table with, for each run: per level the number of spans, their time range and the reason if
/// there are none; the number of parents found by each method; the number of clock faults; the
/// number of layers and kernels.
Table show(std::span<const View> runs);
/// Table of the queries in the order of queries(), with the data that each needs.
Table list_queries();

}  // namespace ridge::trace
