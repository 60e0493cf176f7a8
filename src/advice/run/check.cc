// SPDX-License-Identifier: Apache-2.0
#include "advice/run/check.h"

#include <fmt/format.h>

#include "advice/record/verdict.h"
#include "base/text.h"
#include "measure/plain_runs.h"
#include "stats/change.h"
#include "stats/samples.h"

namespace ridge::advice {
namespace {

/// Why the machine was not fit to judge; "" if it was.
std::string busy_text(const std::vector<measure::PlainRuns>& columns) {
  std::size_t disturbed = 0, runs = 0;
  for (const measure::PlainRuns& c : columns) {
    disturbed += c.disturbed;
    runs += c.runs;
  }
  if (2 * disturbed <= runs) return {};
  return fmt::format("other programs used the processors in {} of {} runs", disturbed, runs);
}

stats::Estimate latency(const measure::PlainRuns& runs) {
  std::vector<double> all;
  for (const std::vector<double>& process : runs.ns)
    all.insert(all.end(), process.begin(), process.end());
  stats::Estimate out = kUnknown;
  if (!all.empty()) out.value = stats::median(all);
  out.interval = stats::time_interval(runs.ns, 0.95);
  return out;
}

}  // namespace

Result<Check> check_change(const measure::Column& before, const measure::Column& after,
                           const std::optional<stats::Estimate>& predicted) {
  const measure::Column columns[] = {before, after};
  const std::vector<measure::PlainRuns> runs = TRY(measure::plain_runs_in_turns(columns));
  const runtime::Options& options = before.request.runtime;
  if (options.interrupted != nullptr && options.interrupted->load()) {
    Check out;
    out.reason = "it was interrupted";
    return out;
  }
  const stats::Change change(runs[0].ns, runs[1].ns, stats::Runs::kInTurns);
  return verdict(change, latency(runs[0]), latency(runs[1]), predicted, busy_text(runs));
}

Check check_finding(const measure::Column& before, const measure::Column& after,
                    const std::optional<stats::Estimate>& predicted, Expected expected) {
  const Result<OutputDifference> outputs = expected == Expected::kOther
                                               ? compare_outputs(before, after)
                                               : compare_widely(before, after, expected);
  Check out;
  if (!outputs.ok()) {
    out.reason = outputs.error().summary();
    return out;
  }
  if (expected != Expected::kOther && !outputs->differs_usually.empty()) {
    out.reason =
        fmt::format("its outputs differ from those of the model ({}), so it was not measured",
                    outputs->differs_usually);
    out.broken = true;
  } else if (Result<Check> measured = check_change(before, after, predicted); measured.ok()) {
    out = std::move(*measured);
  } else {
    out.reason = measured.error().summary();
  }
  out.outputs = *outputs;
  return out;
}

}  // namespace ridge::advice
