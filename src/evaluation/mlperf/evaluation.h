// SPDX-License-Identifier: Apache-2.0
// Evaluation by the rules of MLPerf's LoadGen 6.0.17: the same samples in the same order at the
// same moments, and its log files. It is never an MLPerf result.
//
//   const MlperfTarget target{started.runtime, started.session, runner, given};
//   const MlperfDone done = TRY(evaluate_mlperf(request, subject, settings, target));
//   done.load, done.figures.valid, done.figures.audit->passed
//
// A load is LoadGen's performance mode, an evaluation without one its accuracy mode. Into the
// folder go mlperf_log_summary.txt, mlperf_log_detail.txt and mlperf_log_accuracy.json; of an
// audit's second run into a folder TEST01 or TEST04 in it, of accuracy mode for TEST01 into
// accuracy. TEST01 keeps outputs under load (scenario::Scenario::kept). Samples are of batches:
// sample i is row i % batch of set i / batch, and afterwards the session has other sets than
// before.
//
// Errors: as evaluation/mlperf/run.h and evaluation/mlperf/outputs.h; environment class,
// RIDGE-WB-0134: a folder that cannot be made.
// Thread rule: one thread.
#pragma once

#include <string>

#include "evaluation/data/sample_source.h"
#include "evaluation/load/load.h"
#include "evaluation/mlperf/prepared_inputs.h"
#include "evaluation/mlperf/settings.h"
#include "evaluation/record/mlperf.h"
#include "runtime/runtime.h"

namespace ridge::evaluation {

struct MlperfTarget {
  runtime::Runtime& runtime;
  runtime::SessionId session = 0;
  LoadRunner& runner;
  BatchedSamples given;
  std::string system = {}, data_set = {};  ///< names in the logs
  const EvaluationData* data = nullptr;    ///< nullptr: outputs are logged, not predictions
};

struct MlperfDone {
  MlperfFigures figures;
  scenario::Scenario scenario;  ///< as run, without its lists
  scenario::Load load;          ///< load without an audit; empty in accuracy mode
};

/// `settings`: mlperf_settings(request, subject).
Result<MlperfDone> evaluate_mlperf(const MlperfRequest& request, const MlperfSubject& subject,
                                   const MlperfSettings& settings, const MlperfTarget& target);

}  // namespace ridge::evaluation
