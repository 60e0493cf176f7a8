#include "workbench/advice_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advice/verdict.h"
#include "base/text.h"
#include "measure/plain_runs.h"
#include "stats/change.h"
#include "stats/samples.h"
#include "workbench/output_values.h"

namespace ridge::workbench {
namespace {

/// Adds the difference of two tensors. Equal infinities and two NaN are no difference.
void add_difference(const std::vector<float>& a, const std::vector<float>& b,
                    advice::OutputDifference& out) {
  if (a.size() != b.size()) {
    out.max_abs = out.max_rel = INFINITY;
    return;
  }
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(a[i])) largest = std::max(largest, std::abs(static_cast<double>(a[i])));
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    apart = std::max(apart, std::isnan(difference) ? INFINITY : difference);
  }
  out.max_abs = std::max(out.max_abs, apart);
  if (apart > 0) out.max_rel = std::max(out.max_rel, largest > 0 ? apart / largest : INFINITY);
}

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

profile::Estimate latency(const measure::PlainRuns& runs) {
  std::vector<double> all;
  for (const std::vector<double>& process : runs.ns)
    all.insert(all.end(), process.begin(), process.end());
  profile::Estimate out = advice::kUnknown;
  if (!all.empty()) out.median = stats::median(all);
  if (const std::optional<stats::Interval> i = stats::time_interval(runs.ns, 0.95)) {
    out.low = i->lo;
    out.high = i->hi;
  }
  return out;
}

}  // namespace

Result<advice::OutputDifference> compare_outputs(const measure::Column& before,
                                                 const measure::Column& after) {
  OutputReader first = TRY(OutputReader::load(before)), second = TRY(OutputReader::load(after));
  advice::OutputDifference out;
  std::size_t compared = 0;
  for (std::uint64_t i = 0; i < kOutputRuns; ++i) {
    const std::uint64_t seed = before.request.seed + 1000 * i;
    const OutputValues a = TRY(first.run(seed)), b = TRY(second.run(seed));
    for (const auto& [name, values] : b)
      if (const auto of_first = a.find(name); of_first != a.end()) {
        add_difference(of_first->second, values, out);
        ++compared;
      }
  }
  if (compared == 0)
    return input_error("RIDGE-WB-0090", "the model has no float32 output that could be compared");
  return out;
}

Result<advice::Check> check_change(const measure::Column& before, const measure::Column& after,
                                   const std::optional<profile::Estimate>& predicted) {
  const measure::Column columns[] = {before, after};
  const std::vector<measure::PlainRuns> runs = TRY(measure::plain_runs_in_turns(columns));
  const runtime::Options& options = before.request.runtime;
  if (options.interrupted != nullptr && options.interrupted->load()) {
    advice::Check out;
    out.reason = "it was interrupted";
    return out;
  }
  const stats::Change change(runs[0].ns, runs[1].ns, stats::Runs::kInTurns);
  return advice::verdict(change, latency(runs[0]), latency(runs[1]), predicted, busy_text(runs));
}

advice::Check check_finding(const measure::Column& before, const measure::Column& after,
                            const std::optional<profile::Estimate>& predicted, bool lossless) {
  const Result<advice::OutputDifference> outputs = compare_outputs(before, after);
  advice::Check out;
  if (!outputs.ok()) {
    out.reason = outputs.error().summary();
    return out;
  }
  if (lossless && outputs->max_rel > kMostDifference) {
    out.reason = "its outputs differ from those of the model, so it was not measured";
    out.broken = true;
  } else if (Result<advice::Check> measured = check_change(before, after, predicted);
             measured.ok()) {
    out = std::move(*measured);
  } else {
    out.reason = measured.error().summary();
  }
  out.outputs = *outputs;
  return out;
}

}  // namespace ridge::workbench
