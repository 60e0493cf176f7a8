// SPDX-License-Identifier: Apache-2.0
// A run of a test by LoadGen's rules: which queries, over which sets of inputs, and what LoadGen's
// logs say of it.
//
//   MlperfRun run = TRY(MlperfRun::make(settings, given, asked));
//   ... set run.prepared_inputs as the samples of the session, generate run.scenario ...
//   scenario::LoadgenTest test = run.test(load);
//
// The samples of an offline query are run in batches, which are queries of ridge's own; in other
// scenarios a query is what it is in LoadGen. Thread rule: one thread. Errors: those of the
// schedule and of the prepared inputs; usage class for a load that scenario::check refuses.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluation/mlperf/prepared_inputs.h"
#include "scenario/evaluation.h"
#include "scenario/loadgen_logs.h"
#include "scenario/loadgen_schedule.h"

namespace ridge::evaluation {

struct MlperfRun {
  scenario::LoadgenSettings settings;
  scenario::SampleCounts counts;
  scenario::LoadgenSchedule schedule;
  MlperfInputs prepared_inputs;
  std::uint64_t batch = 1;
  scenario::Scenario scenario;  ///< not in accuracy mode
  /// Positions in the schedule's samples whose outputs are logged, ascending. In accuracy mode all
  /// are, and this is empty.
  std::vector<std::uint64_t> logged;

  /// All of the samples given are loaded. `asked`: workers and warm-up.
  static Result<MlperfRun> make(const scenario::LoadgenSettings& settings,
                                const BatchedSamples& given, const scenario::Scenario& asked);

  /// The test without names and times of day.
  scenario::LoadgenTest test(const scenario::Load& load) const;
};

}  // namespace ridge::evaluation
