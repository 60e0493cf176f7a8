// SPDX-License-Identifier: Apache-2.0
// Traces drawn from distributions: which model (popularity.h), and when (scenario/arrivals.h).
//
//   const Trace trace = TRY(generate({.popularity = {PopularityKind::kPareto}, .models = 40,
//                                     .share = 0.5, .arrivals = scenario::Poisson{20}}));
//
// TrIMS's Figure 10 varies the share of the models that are asked for, and the clients that ask
// (simulator.h); `share` of the models have all requests.
//
// Days: a Poisson process whose rate follows the hour. It falls from 4 in the afternoon to 4 in the
// morning and rises again, in equal steps between a quarter of the mean and seven quarters: our
// assumption.
//
// Errors: usage class, RIDGE-SHARE-0204, 0106; RIDGE-SCEN-0001 for a rate. Thread rule: pure. Cost:
// about 0.1 us for each request.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "scenario/arrivals.h"
#include "sharing/replay/popularity.h"
#include "sharing/replay/trace.h"

namespace ridge::sharing {

/// The hours of a day in the rate of arrivals.
enum class Hours : std::uint8_t { kLevel, kDays };

struct GeneratorSpec {
  PopularitySpec popularity = {};
  std::uint32_t models = 50;
  double share = 1;  ///< share of the models, at least one, that requests are for
  std::uint64_t requests = 100'000;
  scenario::ArrivalProcess arrivals = scenario::Poisson{.rate = 10};
  Hours hours = Hours::kLevel;
  std::uint64_t seed = 1;
};

/// Moment in a day of varying rate that has as many arrivals before it as the moment `ns` has where
/// the rate is level.
std::int64_t moment_of_day(std::int64_t ns);

/// Models are called "model-0", ...
Result<Trace> generate(const GeneratorSpec& spec);

}  // namespace ridge::sharing
