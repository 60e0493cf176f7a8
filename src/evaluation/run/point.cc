// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "attribution/names.h"
#include "evaluation/answers/accuracy.h"
#include "evaluation/load/load.h"
#include "evaluation/load/peak.h"
#include "evaluation/load/sessions.h"
#include "evaluation/mlperf/evaluation.h"
#include "evaluation/run/trace.h"
#include "evaluation/subject/wanted_runtime.h"
#include "measure/material.h"
#include "pipeline/labels.h"
#include "runtime/runtime.h"

namespace ridge::evaluation {
namespace {

bool has_data(const EvaluationRequest& request) { return !request.data.source.empty(); }

/// Seeded samples; the first axis of the first input is taken for the batch.
Result<DataSamples> seeded_data(const PointRequest& of, const measure::Request& own,
                                const attribution::Canonical& copy) {
  DataSamples out;
  out.samples = TRY(seeded_samples(of.resolved, copy, own, of.request.samples));
  for (const std::string& note : out.samples.notes) of.bench.environment.notices.status(note);
  const std::vector<runtime::InputTensor>& first = out.samples.sets.at(0);
  if (!first.empty() && !first[0].dims.empty())
    out.batch = static_cast<std::size_t>(std::max<std::int64_t>(1, first[0].dims[0]));
  for (std::size_t i = 0; i < out.samples.sets.size() * out.batch; ++i)
    out.names.push_back(std::to_string(i));
  return out;
}

/// Figures in which a run counts as many samples as the batch that the model has.
scenario::Figures figures_of(const EvaluationRequest& request, const EvaluatedPoint& p,
                             std::size_t batch) {
  scenario::Figures out = scenario::figures_of(p.scenario, p.load, request.bound);
  out.samples = scenario::scaled(out.samples, static_cast<double>(batch));
  return out;
}

/// The search for the largest rate, which becomes the scenario's rate, and the load.
Result<void> add_load(const EvaluationRequest& request, LoadRunner& runner, std::size_t batch,
                      EvaluatedPoint& out) {
  if (request.find_peak) {
    out.peak = TRY(find_peak(
        runner,
        {.scenario = out.scenario, .bound = *request.bound, .budget_s = request.peak_budget_s}));
    if (out.peak && out.peak->rate <= 0) {
      const bool none = keeps_no_rate(*out.peak);
      out.validity = {none ? scenario::State::kInvalid : scenario::State::kUndecided,
                      {std::string(why_no_rate(*out.peak))}};
      return {};
    }
    if (out.peak) out.scenario = at_rate(out.scenario, out.peak->rate);
  }
  out.load = TRY(runner.run(out.scenario));
  out.figures = figures_of(request, out, batch);
  out.validity = scenario::validity_of(out.scenario, out.load, out.figures, request.bound);
  return {};
}

/// Figures of each model of a mix: of the queries that took its samples.
void add_models(const PointRequest& of, const std::vector<MixedModel>& others,
                EvaluatedPoint& out) {
  if (others.empty() || (out.peak && out.peak->rate <= 0)) return;
  double first_share = 1;
  for (const double share : out.scenario.mix) first_share -= share;
  out.models.push_back({of.request.model, first_share, out.samples, {}});
  for (std::size_t i = 0; i < others.size(); ++i)
    out.models.push_back({of.request.mix[i], out.scenario.mix[i], others[i].samples, {}});
  std::uint32_t first = 0;
  for (ModelFigures& m : out.models) {
    const scenario::Load own = scenario::selected(
        out.load, [&](const scenario::Query& q) { return q.sample - first < m.samples; });
    m.figures = scenario::figures_of(out.scenario, own, of.request.bound);
    first += m.samples;
  }
}

BatchedSamples batched(const DataSamples& data) {
  return {.samples = &data.samples, .batch = data.batch, .count = data.names.size()};
}

/// The load, or the outputs of all samples, by LoadGen's rules.
Result<void> add_mlperf(const EvaluationRequest& request, const MlperfSettings& settings,
                        const MlperfTarget& target, EvaluatedPoint& out) {
  MlperfRequest own = request.mlperf;
  if (request.spec.runtimes.size() > 1) own.logs += "/" + out.runtime_name;
  const MlperfSubject subject{.model = request.model,
                              .scenario = out.scenario,
                              .bound = request.bound,
                              .load = request.load};
  MlperfTarget named = target;
  named.system = fmt::format("{} {}", out.runtime.name, out.runtime.version);
  named.data = &request.data;
  named.data_set = has_data(request) ? request.data.source : "seeded samples";
  MlperfDone done = TRY(evaluate_mlperf(own, subject, settings, named));
  out.mlperf = std::move(done.figures);
  if (!request.load) return {};
  out.scenario = std::move(done.scenario);
  out.load = std::move(done.load);
  out.figures = figures_of(request, out, target.given.batch);
  out.validity = scenario::validity_of(out.scenario, out.load, out.figures, request.bound);
  std::vector<std::string> reasons = out.mlperf->reasons;
  if (out.mlperf->audit && !out.mlperf->audit->passed)
    reasons.emplace_back("the audit is not passed");
  if (!reasons.empty()) out.validity.state = scenario::State::kInvalid;
  out.validity.reasons.insert(out.validity.reasons.end(), reasons.begin(), reasons.end());
  return {};
}

/// Answers and outputs of every sample, where they are judged.
Result<void> add_accuracy(const PointRequest& of, const LoadedModel& loaded, EvaluatedPoint& out) {
  if (!has_data(of.request) && of.request.load) return {};
  const graph::Model& model = *of.bench.opened.model;
  std::optional<OutputFilesWriter> files;
  if (!of.request.outputs.empty())
    files.emplace(OutputFilesRequest{.folder = of.request.outputs,
                                     .runtime = of.point.runtime,
                                     .samples = loaded.data.names.size(),
                                     .names = output_names(model),
                                     .probabilities = probability_outputs(model)});
  Judged judged = TRY(judge({.loaded = loaded,
                             .asked = of.request.data,
                             .record = of.record,
                             .files = files ? &*files : nullptr,
                             .shown = of.request.shown_answers}));
  if (files) out.outputs = TRY(files->commit());
  out.accuracy = std::move(judged.accuracy);
  out.divergence = std::move(judged.divergence);
  // The null runtime computes nothing, so its outputs have no classes.
  if (out.accuracy && of.class_names > 0 && of.point.runtime != "null")
    TRY_IN(of.request.class_names,
           pipeline::check_labels(of.class_names, static_cast<std::size_t>(out.accuracy->classes)));
  return {};
}

}  // namespace

Result<EvaluatedPoint> evaluate_point(const PointRequest& of, const MlperfSettings* mlperf) {
  measure::Request own = of.measuring;
  // Workers run wherever there is room; pinned, all of them would be on one processor.
  own.runtime.cpus.clear();
  own.weights_as_is = own.weights_as_is || has_data(of.request);
  const measure::Material material =
      TRY(measure::prepare(of.resolved, own, attribution::CanonicalOptions::Sizes::kStatic));
  DataSamples seeded;
  const DataSamples* data = &seeded;
  if (has_data(of.request))
    data = TRY(of.data.load(of.resolved, material.copy));
  else
    seeded = TRY(seeded_data(of, own, material.copy));
  const graph::Model& model = of.resolved.model();
  measure::Started started =
      TRY(attribution::with_original_names(measure::start(own.runtime, material), model));
  TRY(attribution::with_original_names(started.runtime.set_samples(started.session, data->samples),
                                       model));
  EvaluatedPoint out;
  out.runtime = started.runtime.info();
  for (const WantedRuntime& wanted : of.request.wanted)
    if (wanted.name == of.point.runtime) TRY(check_version(wanted, out.runtime));
  out.runtime_name = of.point.runtime;
  out.threads = of.point.threads;
  out.samples = static_cast<std::uint32_t>(data->samples.sets.size());
  out.under_load = of.request.load;
  out.scenario = of.request.scenario;
  TRY(add_accuracy(of, {started.runtime, started.session, *data}, out));
  LoadRunner runner(started, of.bench.environment, of.point.runtime);
  if (mlperf != nullptr) {
    TRY(add_mlperf(of.request, *mlperf, {started.runtime, started.session, runner, batched(*data)},
                   out));
    return out;
  }
  if (!of.request.load) return out;
  std::vector<scenario::BatchSession> sessions_of_batches =
      TRY(load_batches(of, own, started, data->samples));
  const std::vector<MixedModel> others = TRY(load_mix(of, started));
  std::vector<runtime::SessionId> sessions;
  for (const MixedModel& other : others) sessions.push_back(other.session);
  runner.set_others(std::move(sessions));
  TRY(add_load(of.request, runner, data->batch, out));
  if (out.figures.batches) out.figures.batches->sessions = std::move(sessions_of_batches);
  add_models(of, others, out);
  if (of.request.profiled_queries > 0)
    out.profiled = profile_queries({.resolved = of.resolved,
                                    .request = own,
                                    .runtime = out.runtime,
                                    .queries = of.request.profiled_queries,
                                    .data = has_data(of.request) ? data : nullptr});
  return out;
}

}  // namespace ridge::evaluation
