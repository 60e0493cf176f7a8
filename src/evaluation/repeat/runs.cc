// SPDX-License-Identifier: Apache-2.0
#include "evaluation/repeat/runs.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "pipeline/step_text.h"

namespace ridge::evaluation {
namespace {

using compare::EvaluationRun;

Error unfit_run(std::string why) {
  return input_error("RIDGE-CMP-0020",
                     "it is no document of an evaluation: it lacks " + std::move(why))
      .hint(std::string(kHowToWrite));
}

Result<EvaluationRun> shared_run(Evaluation& e) {
  EvaluationRun out;
  out.host = std::move(e.host);
  out.model = std::move(e.model);
  out.graph_hash = std::move(e.graph_hash);
  if (e.load) out.scenario = word(e.scenario.kind);
  if (!e.data) return out;
  out.data = std::move(e.data->of.source);
  out.steps = pipeline::print_steps(e.data->of.steps);
  out.samples = std::move(e.data->names);
  const std::set<std::string_view> different(out.samples.begin(), out.samples.end());
  if (different.size() != out.samples.size()) return unfit_run("samples of different names");
  out.prepare_ns.assign(e.data->times.samples_ns.begin(), e.data->times.samples_ns.end());
  if (!out.prepare_ns.empty() && out.prepare_ns.size() != out.samples.size())
    return unfit_run("as many times as samples");
  return out;
}

void add_load_figures(const scenario::Figures& figures, EvaluationRun& out) {
  for (const scenario::Percentile& p : figures.latency.percentiles)
    out.latency.push_back({p.share * 100, {static_cast<double>(p.value_ns), p.interval}});
  out.completed_per_s = {figures.completed.per_s, figures.completed.interval};
}

Result<EvaluationRun> run_of(EvaluatedPoint& p, EvaluationRun out) {
  out.runtime = std::move(p.runtime.name);
  out.version = std::move(p.runtime.version);
  out.threads = p.threads;
  if (p.scenario.kind == scenario::Kind::kServer)
    out.queries_per_s = mean_rate(p.scenario.arrivals);
  out.data_sha256 = std::move(p.lock.data.sha256);
  out.labels_sha256 = std::move(p.lock.labels.sha256);
  out.outputs = std::move(p.outputs);
  if (p.accuracy) {
    out.predicted = std::move(p.accuracy->predicted);
    out.correct = std::move(p.accuracy->correct);
    out.class_names = std::move(p.accuracy->class_names);
    for (NamedFigure& m : p.accuracy->metrics)
      out.metrics.push_back({std::move(m.metric), {m.figure.value, m.figure.interval}});
  }
  if (p.under_load) {
    add_load_figures(p.figures, out);
    out.validity = word(p.validity.state);
  }
  const auto fits = [&](std::size_t size) { return size == 0 || size == out.samples.size(); };
  if (!fits(out.predicted.size()) || !fits(out.correct.size()))
    return unfit_run("as many answers as samples");
  return out;
}

}  // namespace

Result<std::vector<EvaluationRun>> runs_of(Evaluation e, const std::string& name) {
  const EvaluationRun shared = TRY(shared_run(e));
  std::vector<EvaluationRun> out;
  for (EvaluatedPoint& p : e.points) out.push_back(TRY(run_of(p, shared)));
  if (out.empty()) return unfit_run("a runtime");
  for (EvaluationRun& run : out)
    run.label = out.size() == 1 ? name : fmt::format("{} {}", name, run.runtime);
  return out;
}

}  // namespace ridge::evaluation
