#include "workbench/evaluation_report.h"

#include <algorithm>

#include "report/evaluation_page.h"
#include "workbench/evaluation_trace.h"

namespace ridge::workbench {
namespace {

report::EvaluationAnswers answers_of(const Accuracy& a) {
  report::EvaluationAnswers out{
      .samples = std::ssize(a.predicted), .figures = {}, .predicted = a.predicted};
  const auto add = [&](std::string name, const std::optional<accuracy::Figure>& figure) {
    if (figure) out.figures.push_back({std::move(name), figure->value, figure->interval});
  };
  add("top-1", a.top1);
  add("top-5", a.top5);
  return out;
}

report::EvaluationPoint point_of(const EvaluatedPoint& p) {
  report::EvaluationPoint out{.runtime = p.runtime.name,
                              .version = p.runtime.version,
                              .threads = p.threads,
                              .samples = p.samples,
                              .scenario = p.scenario,
                              .load = &p.load,
                              .figures = &p.figures,
                              .validity = &p.validity,
                              .peak = p.peak,
                              .answers = {}};
  if (p.accuracy) out.answers = answers_of(*p.accuracy);
  return out;
}

/// Those of the trace, if any query was profiled.
std::vector<report::ShownLevel> levels_of(const Evaluation& e) {
  std::vector<report::ShownLevel> out;
  if (std::ranges::all_of(e.points,
                          [](const EvaluatedPoint& p) { return p.profiled.recording.empty(); }))
    return out;
  for (const trace::StackLevel& l : trace_of(e).stack)
    out.push_back({.name = l.name,
                   .spans = static_cast<std::int64_t>(l.spans),
                   .time_ns = static_cast<double>(l.time_ns),
                   .below_ns = static_cast<double>(l.children_ns),
                   .exceeding = static_cast<std::int64_t>(l.exceeding),
                   .most_excess_ns = static_cast<double>(l.most_excess_ns)});
  return out;
}

}  // namespace

report::EvaluationView report_view(const Evaluation& e) {
  report::EvaluationView out{
      .model = e.model,
      .host = e.host,
      .ridge = e.ridge,
      .data = {},
      .scenario = e.scenario,
      .bound = e.bound,
      .load = e.load,
      .find_peak =
          std::ranges::any_of(e.points, [](const EvaluatedPoint& p) { return p.peak.has_value(); }),
      .steps = {},
      .levels = levels_of(e),
      .points = {}};
  for (const EvaluatedPoint& p : e.points) out.points.push_back(point_of(p));
  return out;
}

std::string evaluation_report(const Evaluation& evaluation) {
  return report::evaluation_page(report_view(evaluation));
}

}  // namespace ridge::workbench
