// SPDX-License-Identifier: Apache-2.0
// Latency of whole models, one short process at a time, without profiling.
//
//   const WholeRuns runs = TRY(whole_runs(resolved, request, {.min_rounds = 10}));
//   runs.median_ns
//
// Runs in which other programs had the processor are dropped, as in measure/gate.h; of too few
// quiet ones the quietest count. Thread rule: one thread. Errors: the runtime's.
#pragma once

#include <cstddef>

#include "analysis/resolved.h"
#include "base/result.h"
#include "base/units.h"
#include "measure/request.h"

namespace ridge::measure {

struct WholePlan {
  std::uint32_t min_rounds = 10, max_rounds = 40;
  Nanos min_time{150'000'000};  ///< rounds continue until it has passed
};

struct WholeRuns {
  double median_ns = 0;
  std::size_t runs = 0, disturbed = 0;
  double load_s = 0, run_s = 0;  ///< starting the process and loading; running
  /// Part of the runs' time in which the runtime had no processor: 1 - CPU time / wall time; 0 with
  /// several threads, which wait for each other. Near one half if another program is bound to the
  /// same processor, which the load of the machine does not show while other processors are idle.
  double waiting_share = 0;
};

/// `runtime` and `processors` of the request are used.
Result<WholeRuns> whole_runs(const analysis::Resolved& resolved, const Request& request,
                             const WholePlan& plan);

}  // namespace ridge::measure
