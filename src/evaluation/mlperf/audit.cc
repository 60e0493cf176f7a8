// SPDX-License-Identifier: Apache-2.0
#include "evaluation/mlperf/audit.h"

namespace ridge::evaluation {
namespace {

using scenario::LoadgenResult;
using scenario::LoadgenScenario;

constexpr double kToleranceOfBrief = 0.2;
constexpr double kBriefSingleNs = 200'000, kBriefMultiNs = 1'600'000;

double figure(const LoadgenResult& result, LoadgenScenario scenario) {
  switch (scenario) {
    case LoadgenScenario::kSingleStream:
      return static_cast<double>(result.single_stream_ns);
    case LoadgenScenario::kMultiStream:
      return static_cast<double>(result.multi_stream_ns);
    case LoadgenScenario::kServer:
    case LoadgenScenario::kOffline:
      break;
  }
  return result.rate;
}

bool brief(LoadgenScenario scenario, double ns) {
  return (scenario == LoadgenScenario::kSingleStream && ns <= kBriefSingleNs) ||
         (scenario == LoadgenScenario::kMultiStream && ns <= kBriefMultiNs);
}

void check_performance(AuditVerdict& v) {
  // Of latencies, less is faster: TEST04's script compares their inverse.
  const double ratio =
      v.in_ns && v.audit == Audit::kTest04 ? v.first / v.second : v.second / v.first;
  if (v.audit == Audit::kTest04 ? ratio < 1 + v.tolerance
                                : ratio >= 1 - v.tolerance && ratio <= 1 + v.tolerance)
    return;
  v.reasons.push_back(v.audit == Audit::kTest04
                          ? "a sample that repeats is answered faster: answers are cached"
                          : "logging outputs changes the performance");
}

}  // namespace

AuditVerdict judge_audit(const AuditedRuns& runs) {
  AuditVerdict out{.audit = runs.audit, .outputs = runs.outputs};
  out.in_ns = runs.scenario == LoadgenScenario::kSingleStream ||
              runs.scenario == LoadgenScenario::kMultiStream;
  out.first = figure(runs.first, runs.scenario);
  out.second = figure(runs.second, runs.scenario);
  if (brief(runs.scenario, out.first)) out.tolerance = kToleranceOfBrief;
  if (!runs.first.valid) out.reasons.emplace_back("the run without the audit is INVALID");
  if (!runs.second.valid) out.reasons.emplace_back("the run of the audit is INVALID");
  if (out.reasons.empty()) check_performance(out);
  if (runs.audit == Audit::kTest01) {
    if (runs.outputs.compared == 0) out.reasons.emplace_back("no outputs were logged");
    if (runs.outputs.different > 0)
      out.reasons.emplace_back("outputs under load differ from those of accuracy mode");
  }
  out.passed = out.reasons.empty();
  return out;
}

}  // namespace ridge::evaluation
