#include "report/evaluation/report.h"

#include <algorithm>
#include <cmath>

#include "accuracy/metrics.h"
#include "evaluation/record/preparation.h"
#include "evaluation/run/trace.h"
#include "report/evaluation/page.h"

namespace ridge::report {
namespace {

SampledFigure sampled_figure(std::string_view metric, const accuracy::Figure& figure) {
  SampledFigure out{
      .name = std::string(metric), .value = figure.value, .interval = figure.interval};
  if (const accuracy::MetricRow* row = accuracy::find_metric(metric)) {
    out.unit = row->unit;
    out.what = row->description;
  }
  return out;
}

EvaluationAnswers answers_of(const evaluation::Accuracy& a) {
  EvaluationAnswers out{
      .samples = a.samples, .figures = {}, .predicted = a.predicted, .class_names = a.class_names};
  for (const evaluation::NamedFigure& m : a.metrics)
    if (std::isfinite(m.figure.value)) out.figures.push_back(sampled_figure(m.metric, m.figure));
  return out;
}

ShownDivergence shown_divergence(const accuracy::OutputDivergence& d) {
  const accuracy::DivergenceFigures& f = d.figures;
  ShownDivergence out{.output = d.output,
                      .samples = f.samples,
                      .agreement = {},
                      .kl = {},
                      .js = {},
                      .largest_absolute = f.largest_absolute.value,
                      .mean_absolute = f.mean_absolute};
  const auto scored = [&](std::string_view name, std::string unit, const accuracy::Figure& figure) {
    std::optional<SampledFigure> shown;
    if (d.kind == accuracy::Outputs::kPlain || !std::isfinite(figure.value)) return shown;
    shown = sampled_figure(name, figure);
    shown->unit = std::move(unit);
    return shown;
  };
  out.agreement = scored("agreement", "share", f.agreement);
  out.kl = scored("kl", "", f.kullback_leibler);
  out.js = scored("js", "", f.jensen_shannon);
  return out;
}

/// Reading and the steps, with means over the samples.
std::vector<ShownStep> shown_steps(const evaluation::Evaluation& e) {
  if (!e.data) return {};
  const evaluation::Preparation times = evaluation::preparation_of(*e.data);
  std::vector<ShownStep> out;
  for (const evaluation::StepTime& step : times.steps)
    out.push_back({.name = step.step, .mean_ns = 0, .median_ns = step.median_ns, .count = 0});
  for (const evaluation::StepSpan& span : e.data->steps) {
    ShownStep& step = out.at(static_cast<std::size_t>(span.step) + 1);
    step.mean_ns += static_cast<double>(span.end_ns - span.begin_ns);
    ++step.count;
  }
  std::erase_if(out, [](const ShownStep& step) { return step.count == 0; });
  for (ShownStep& step : out) step.mean_ns /= static_cast<double>(step.count);
  return out;
}

EvaluationPoint reported_point(const evaluation::EvaluatedPoint& p) {
  EvaluationPoint out{.runtime = p.runtime.name,
                      .version = p.runtime.version,
                      .threads = p.threads,
                      .samples = p.samples,
                      .scenario = p.scenario,
                      .load = &p.load,
                      .figures = &p.figures,
                      .validity = &p.validity,
                      .peak = p.peak,
                      .answers = {},
                      .divergence = {}};
  if (p.accuracy) out.answers = answers_of(*p.accuracy);
  for (const accuracy::OutputDivergence& d : p.divergence)
    if (d.comparable) out.divergence.push_back(shown_divergence(d));
  return out;
}

/// Levels of the trace, if any query was profiled.
std::vector<ShownLevel> levels_of(const evaluation::Evaluation& e) {
  std::vector<ShownLevel> out;
  if (std::ranges::all_of(e.points, [](const evaluation::EvaluatedPoint& p) {
        return p.profiled.recording.empty();
      }))
    return out;
  for (const trace::StackLevel& l : evaluation::trace_of(e).stack)
    out.push_back({.name = l.name,
                   .spans = static_cast<std::int64_t>(l.spans),
                   .time_ns = static_cast<double>(l.time_ns),
                   .below_ns = static_cast<double>(l.children_ns),
                   .exceeding = static_cast<std::int64_t>(l.exceeding),
                   .max_excess_ns = static_cast<double>(l.max_excess_ns)});
  return out;
}

}  // namespace

EvaluationView report_view(const evaluation::Evaluation& e) {
  EvaluationView out{
      .model = e.model,
      .host = e.host,
      .ridge = e.ridge,
      .data = e.data ? e.data->of.source : "",
      .scenario = e.scenario,
      .bound = e.bound,
      .load = e.load,
      .find_peak = std::ranges::any_of(
          e.points, [](const evaluation::EvaluatedPoint& p) { return p.peak.has_value(); }),
      .sample_names = e.data ? e.data->names : std::vector<std::string>(),
      .labels = e.data ? e.data->labels : std::vector<std::int64_t>(),
      .pictures = e.data ? e.data->pictures : std::map<std::size_t, std::string>(),
      .steps = shown_steps(e),
      .levels = levels_of(e),
      .points = {}};
  for (const evaluation::EvaluatedPoint& p : e.points) out.points.push_back(reported_point(p));
  return out;
}

std::string evaluation_report(const evaluation::Evaluation& evaluation) {
  return evaluation_page(report_view(evaluation));
}

}  // namespace ridge::report
