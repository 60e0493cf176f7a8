// SPDX-License-Identifier: Apache-2.0
#include "report/evaluation/report.h"

#include <algorithm>

#include "evaluation/run/trace.h"
#include "report/evaluation/page.h"

namespace ridge::report {
namespace {

/// Reading and the steps, with means over the samples.
std::vector<ShownStep> shown_steps(const Evaluation& e) {
  if (!e.data) return {};
  std::vector<ShownStep> out;
  for (const evaluation::StepTime& step : e.data->times.steps)
    out.push_back({.name = step.step, .mean_ns = 0, .median_ns = step.median_ns, .count = 0});
  for (const evaluation::StepSpan& span : e.data->spans) {
    ShownStep& step = out.at(static_cast<std::size_t>(span.step) + 1);
    step.mean_ns += static_cast<double>(span.end_ns - span.begin_ns);
    ++step.count;
  }
  std::erase_if(out, [](const ShownStep& step) { return step.count == 0; });
  for (ShownStep& step : out) step.mean_ns /= static_cast<double>(step.count);
  return out;
}

/// Levels of the trace, if any query was profiled.
std::vector<trace::StackLevel> levels_of(const Evaluation& e) {
  const bool profiled = std::ranges::any_of(
      e.points, [](const EvaluatedPoint& p) { return !p.profiled.recording.empty(); });
  return profiled ? evaluation::trace_of(e).stack : std::vector<trace::StackLevel>();
}

}  // namespace

EvaluationView report_view(const Evaluation& e) {
  return {.evaluation = e, .steps = shown_steps(e), .levels = levels_of(e)};
}

std::string evaluation_report(const Evaluation& evaluation) {
  return evaluation_page(report_view(evaluation));
}

}  // namespace ridge::report
