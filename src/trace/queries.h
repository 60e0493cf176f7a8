// SPDX-License-Identifier: Apache-2.0
// The named queries: A1 to A15 of XSP (Li et al., IPDPS 2020, table II), the levels below layers
// and the overhead of each, the causes of idle time, and the differences of two runs. One sorted
// list; each query returns a Table.
//
//   Result<Table> t = trace::run_query("A6", views);
//
// A single-run query on several runs returns the rows of each run, with a first column `run`.
// Errors: an unknown name (RIDGE-TRACE-0001), a run without the levels that the query needs (0002),
// a wrong number of runs (0003). Thread rule: pure functions of the views.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/table.h"
#include "trace/view.h"

namespace ridge::trace {

enum class Needs : std::uint8_t {
  kModel,     ///< a latency: measured, or spans of level model
  kLayers,    ///< layers: of the table, or spans of level layer
  kKernels,   ///< spans of level kernel or library, or implementations that layers name
  kSpans,     ///< recorded spans of level kernel, library or layer
  kCosts,     ///< runs measured with and without each level
  kThreads,   ///< level thread
  kCounters,  ///< level counter
};

struct Query {
  std::string_view name, title, answers;
  Needs needs = Needs::kModel;
  std::size_t runs = 1;  ///< 0: any number in one table
  Table (*of_run)(const View& run) = nullptr;
  Table (*of_runs)(std::span<const View> runs) = nullptr;
};

std::span<const Query> queries();
/// Errors: RIDGE-TRACE-0001.
Result<const Query*> find_query(std::string_view name);
std::string_view text_of(Needs needs);

Result<Table> run_query(std::string_view name, std::span<const View> runs);

}  // namespace ridge::trace
