// SPDX-License-Identifier: Apache-2.0
// Search for the largest rate of a server that keeps a bound on a percentile of its latency, by
// loads on a model (scenario/peak_search.h has the rule).
//
//   const std::optional<scenario::Peak> peak =
//       TRY(find_peak(runner, {.scenario = server, .bound = bound, .budget_s = 300}));
//   if (peak && peak->rate > 0) server = at_rate(server, peak->rate);
//
// Thread rule: one thread. Errors: the loads'.
#pragma once

#include <optional>

#include "evaluation/load/load.h"
#include "scenario/peak_search.h"

namespace ridge::evaluation {

struct PeakRequest {
  scenario::Scenario scenario;  ///< a server's; its rate does not count
  scenario::LatencyBound bound;
  double budget_s = 300;
};

/// Returns nullopt if the model fails before the search can begin.
Result<std::optional<scenario::Peak>> find_peak(LoadRunner& runner, const PeakRequest& request);

/// The scenario with another rate of its arrivals.
scenario::Scenario at_rate(scenario::Scenario scenario, double rate);

}  // namespace ridge::evaluation
