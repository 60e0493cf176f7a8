// SPDX-License-Identifier: Apache-2.0
#include "evaluation/record/mlperf.h"

#include <fmt/format.h>

#include "base/numeral.h"
#include "base/text.h"

namespace ridge::evaluation {
namespace {

std::string figure_text(const AuditVerdict& v, double figure) {
  if (v.in_ns) return duration(figure);
  return significant(figure, 4) + " samples/s";
}

}  // namespace

std::vector<std::string> reasons_of(const scenario::LoadgenResult& result,
                                    const scenario::LoadgenTest& test) {
  std::vector<std::string> out;
  if (result.valid) return out;
  const auto need = [&](bool met, const char* what) {
    if (!met) out.push_back(fmt::format("LoadGen's rules: {} is not met", what));
  };
  need(result.bound_met, "the bound on the latency");
  need(result.duration_met, "the least duration");
  need(result.queries_met, "the least number of queries");
  need(result.early_stopping_met, "early stopping");
  if (test.errors > 0) out.push_back("LoadGen's rules: " + test.end_reason);
  return out;
}

std::vector<std::string> AuditVerdict::sentences() const {
  std::vector<std::string> out;
  const char* of = audit == Audit::kTest01 ? "TEST01" : "TEST04";
  out.push_back(fmt::format("{}: {}", of, passed ? "pass" : "FAIL"));
  if (audit == Audit::kTest01)
    out.push_back(fmt::format("{} under load, {} of them other than in accuracy mode",
                              counted(static_cast<std::int64_t>(outputs.compared), "output"),
                              outputs.different));
  out.push_back(fmt::format("{} with the audit, {} without; allowed: {:g} %",
                            figure_text(*this, second), figure_text(*this, first),
                            100 * tolerance));
  out.insert(out.end(), reasons.begin(), reasons.end());
  return out;
}

std::vector<std::string> MlperfFigures::sentences() const {
  std::vector<std::string> out;
  if (valid)
    out.push_back(fmt::format("by LoadGen's rules {} (not an MLPerf result); logs in {}",
                              *valid ? "VALID" : "INVALID", folder));
  else
    out.push_back(
        fmt::format("outputs by LoadGen's rules (not an MLPerf result); logs in {}", folder));
  if (audit) {
    const std::vector<std::string> of_audit = audit->sentences();
    out.insert(out.end(), of_audit.begin(), of_audit.end());
  }
  out.insert(out.end(), notes.begin(), notes.end());
  return out;
}

}  // namespace ridge::evaluation
