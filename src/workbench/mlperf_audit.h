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
#include <string>
#include <vector>

#include "scenario/loadgen_result.h"
#include "workbench/mlperf_settings.h"

namespace ridge::workbench {

/// Outputs logged under load, and how many of them differ from those of accuracy mode.
struct LoggedOutputs {
  std::uint64_t compared = 0, different = 0;
};

struct AuditedRuns {
  Audit audit = Audit::kTest01;
  scenario::LoadgenScenario scenario = scenario::LoadgenScenario::kOffline;
  const scenario::LoadgenResult& first;   ///< without the audit
  const scenario::LoadgenResult& second;  ///< with it
  LoggedOutputs outputs = {};             ///< TEST01
};

struct AuditVerdict {
  Audit audit = Audit::kTest01;
  bool passed = false;
  LoggedOutputs outputs;
  bool in_ns = false;  ///< the figures are latencies, else samples per second
  double first = 0, second = 0, tolerance = 0.1;
  std::vector<std::string> reasons;  ///< for not passing

  std::vector<std::string> sentences() const;
};

AuditVerdict judge_audit(const AuditedRuns& runs);

}  // namespace ridge::workbench
