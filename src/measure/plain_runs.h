// SPDX-License-Identifier: Apache-2.0
// Latencies of several columns in turns, without profiling: for the question which of them is
// faster.
//
//   const std::vector<PlainRuns> runs = TRY(plain_runs_in_turns(columns));
//   const stats::Change change(runs[0].ns, runs[1].ns, stats::Runs::kInTurns);
//
// The n-th processes of all columns are alive together; run i of one is the partner of run i of
// every other. All use the plan, the number of processes and the stop flag of the first column. No
// pair is dropped (stats/change.h); how many were disturbed is counted. Thread rule: one thread.
// Errors: the runtimes'. After an interruption the result has the runs so far.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "measure/request.h"

namespace ridge::measure {

struct PlainRuns {
  std::vector<std::vector<double>> ns;  ///< by process
  std::size_t runs = 0;
  std::size_t disturbed = 0;  ///< runs during which others used processors that it needed
};

Result<std::vector<PlainRuns>> plain_runs_in_turns(std::span<const Column> columns);

}  // namespace ridge::measure
