// SPDX-License-Identifier: Apache-2.0
// Flags of the load under which a model is evaluated, and their conversion to a Scenario.
//
//   ScenarioOptions options;
//   add_scenario_options(flags, options);
//   const scenario::Scenario scenario = TRY(scenario_of(options));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/flags/flags.h"
#include "scenario/evaluation.h"

namespace ridge::cli {

struct ScenarioOptions {
  std::string scenario = "single-stream";
  std::string arrivals = "poisson";  ///< or constant, gamma:SHAPE, bursty:FACTOR, trace:FILE
  double queries_per_s = 0;
  std::uint32_t workers = 0;            ///< 0: one, or for closed-loop two
  std::uint32_t samples_per_query = 0;  ///< 0: one, or for multi-stream eight
  std::string duration, max_duration;   ///< "": 10s, with a trace all of it
  std::uint64_t min_queries = 0;        ///< 0: as the scenario has it
  std::string bound;                    ///< p99=15ms
  std::string batching;                 ///< max=8,wait=2ms
  std::uint32_t clients = 0;            ///< 0: as many as workers, with batching as fill them
  std::vector<std::string> mix;         ///< MODEL=SHARE
  std::string warmup;                   ///< a time or a number of queries
  bool find_peak = false;
  std::string budget = "5m";  ///< time for the search
};

/// Name of the scenario that issues no load: every sample once, for its answer.
inline constexpr std::string_view kAccuracyScenario = "accuracy";

void add_scenario_options(Flags& flags, ScenarioOptions& options);

/// Errors: usage class (RIDGE-CLI-0160 to 0162), and errors of load_flags.h, of the trace's file
/// and of scenario::check.
Result<scenario::Scenario> scenario_of(const ScenarioOptions& options, std::uint64_t seed);

/// File of `--arrivals trace:FILE`; "" for others.
std::string trace_of(const ScenarioOptions& options);

/// Parses "p99=15ms"; nullopt for "".
Result<std::optional<scenario::LatencyBound>> bound_of(const std::string& text);

}  // namespace ridge::cli
