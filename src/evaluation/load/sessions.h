// SPDX-License-Identifier: Apache-2.0
// Sessions that a load needs beside its model's session: one for each size of batches, and one for
// each other model of a mix, all in one process of the runtime.
//
//   batches.sessions = TRY(load_batches(of, own, started, data.samples));
//   for (const MixedModel& m : TRY(load_mix(of, started))) m.session, m.samples
//
// A batch of n has n times the length of a sample along the leading axis of every input, which the
// model's file must leave free. Each session gets the same weights; how much of them a runtime
// keeps twice is what scenario::BatchSession shows: the growth of the process's resident memory.
//
// Errors: input class, RIDGE-WB-0170, for a size that the model cannot take; errors of the analysis
// and of the runtime. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evaluation/load/point_request.h"
#include "evaluation/record/evaluation.h"
#include "measure/material.h"

namespace ridge::evaluation {

/// `own`: how the model itself was prepared. `one`: the samples that it has.
Result<std::vector<scenario::BatchSession>> load_batches(const PointRequest& of,
                                                         const measure::Request& own,
                                                         measure::Started& started,
                                                         const runtime::Samples& one);

struct MixedModel {
  runtime::SessionId session = 0;
  std::uint32_t samples = 0;
};

/// The other models of the request, with seeded samples of their own and their default sizes.
Result<std::vector<MixedModel>> load_mix(const PointRequest& of, measure::Started& started);

/// As many seeded samples as fit into memory: at least one, at most `most`.
Result<runtime::Samples> seeded_samples(const analysis::Resolved& resolved,
                                        const attribution::Canonical& copy,
                                        const measure::Request& request, std::uint32_t most);

}  // namespace ridge::evaluation
