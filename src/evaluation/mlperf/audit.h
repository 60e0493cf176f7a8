// SPDX-License-Identifier: Apache-2.0
// Verdicts of MLPerf's compliance tests, by the scripts in compliance/ of
// github:mlcommons/inference.
//
//   const AuditVerdict v = judge_audit({Audit::kTest01, scenario, first, second, outputs});
//   v.passed; for (const std::string& line : v.sentences()) ...
//
// TEST01: the outputs that were logged under load are byte for byte those of accuracy mode, and
// the figure of the run is within 10 % of that without a log. TEST04: with one sample again and
// again the system is at most 10 % faster. 20 % for single streams up to 200 us and multiple
// streams up to 1.6 ms (verify_performance.py of TEST01; that of TEST04 means the same). The
// figure is the early stopping estimate of streams, else completed samples per second; both runs
// must be valid. Thread rule: pure.
#pragma once

#include <cstdint>
#include "evaluation/record/mlperf.h"
#include "scenario/loadgen_result.h"

namespace ridge::evaluation {

struct AuditedRuns {
  Audit audit = Audit::kTest01;
  scenario::LoadgenScenario scenario = scenario::LoadgenScenario::kOffline;
  const scenario::LoadgenResult& first;   ///< without the audit
  const scenario::LoadgenResult& second;  ///< with it
  LoggedOutputs outputs = {};             ///< TEST01
};

AuditVerdict judge_audit(const AuditedRuns& runs);

}  // namespace ridge::evaluation
