// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/evaluation.h"

#include <fmt/format.h>

#include "analysis/sizes/binding.h"
#include "base/lines.h"
#include "base/version.h"
#include "evaluation/mlperf/settings.h"
#include "evaluation/repeat/hashes.h"
#include "evaluation/repeat/lock.h"
#include "evaluation/run/pictures.h"
#include "evaluation/run/point.h"
#include "graph/model.h"
#include "pipeline/labels.h"
#include "profile/summary.h"
#include "session/processor_choice.h"
#include "session/workbench.h"

namespace ridge::evaluation {
namespace {

constexpr std::int64_t kMaxNamesBytes = std::int64_t{16} << 20;

Result<void> check_rates(const EvaluationRequest& request) {
  if (request.load && !request.find_peak) TRY(scenario::check(request.scenario));
  if (request.find_peak && (!request.bound || request.scenario.kind != scenario::Kind::kServer))
    return usage_error("RIDGE-WB-0115", "the largest rate is that of a server within a bound")
        .hint("--scenario server --find-peak --bound p99=15ms");
  if (request.find_peak && std::holds_alternative<scenario::Replay>(request.scenario.arrivals))
    return usage_error("RIDGE-WB-0211", "recorded arrivals have the rate that they have")
        .hint("search with --arrivals poisson, constant, gamma:SHAPE or bursty:FACTOR");
  if (request.find_peak && request.mlperf.asked())
    return usage_error("RIDGE-WB-0135", "LoadGen's rules are for a rate that is known")
        .hint("search it first, without --mlperf-logs");
  return {};
}

/// Settings of a test by LoadGen's rules, if one is asked for.
Result<std::optional<MlperfSettings>> test_settings(const EvaluationRequest& request) {
  if (!request.mlperf.asked()) return std::optional<MlperfSettings>();
  return std::optional(TRY(mlperf_settings(
      request.mlperf, {request.model, request.scenario, request.bound, request.load})));
}

Result<void> check_subject(const EvaluationRequest& request) {
  if (!request.load && request.data.source.empty() && request.spec.runtimes.size() < 2)
    return usage_error("RIDGE-WB-0116", "accuracy needs data")
        .hint("name a folder or a .npy, and its labels: --data images.npy --labels labels.txt");
  const scenario::Scenario& s = request.scenario;
  const bool plain = !s.batching && s.mix.empty() && s.clients == 0 && s.warmup_queries == 0 &&
                     s.warmup_duration.count == 0;
  if (request.mlperf.asked() && !plain)
    return usage_error("RIDGE-WB-0171", "LoadGen has no batching, mix, clients or warm-up")
        .hint("leave out --batching, --mix, --clients and --warmup, or --mlperf-logs");
  if (!request.outputs.empty() && request.load && request.data.source.empty())
    return usage_error("RIDGE-WB-0205", "outputs are those of samples of data")
        .hint("add --data, or --scenario accuracy");
  if (request.mix.size() != request.scenario.mix.size())
    return bug("not a share for each model of the mix", "evaluate");
  TRY(session::check(request.spec));
  if (request.spec.threads.size() != 1 || request.spec.sizes.size() != 1)
    return usage_error("RIDGE-WB-0110", "an evaluation is of one thread count and one set of sizes")
        .hint("run it once for each");
  return {};
}

std::vector<std::string> all_notes(const DataSamples& made) {
  std::vector<std::string> out = made.damaged;
  out.insert(out.end(), made.notes.begin(), made.notes.end());
  return out;
}

EvaluatedData evaluated_data(const EvaluationData& of, const DataSamples& made) {
  return {.of = of,
          .names = made.names,
          .times = preparation_of(of, made.names.size(), made.steps),
          .notes = all_notes(made),
          .spans = made.steps,
          .labels = made.labels};
}

/// Says what documents note about the data and about what is true of them.
void warn_of(const DataSamples& made, const EvaluatedPoint& point, const EvaluationData& data,
             const session::Environment& environment) {
  for (const std::string& note : made.damaged) environment.notices.warn(data.source, note);
  for (const std::string& note : made.notes) environment.notices.warn(data.labels, note);
  if (!point.accuracy) return;
  for (const std::string& note : point.accuracy->notes) environment.notices.warn(data.labels, note);
}

/// Number of names in a file with one for each class, which a step after the run may have read; 0
/// for no file.
Result<std::size_t> count_class_names(const EvaluationRequest& request) {
  const std::string& path = request.class_names;
  if (path.empty()) return std::size_t{0};
  for (const pipeline::OutputStep& step : request.data.post)
    if (const auto* labels = std::get_if<pipeline::Labels>(&step); labels && labels->path == path)
      return labels->names.size();
  const std::string text = TRY(read_text_file(path, kMaxNamesBytes));
  const auto names = TRY_IN(path, pipeline::parse_labels(text));
  return names.size();
}

/// Binds the free leading dimensions of the inputs to the request's batch.
Result<void> bind_batch(const graph::Model& model, EvaluationRequest& request) {
  if (request.batch == 0) return {};
  const std::vector<std::string> names = analysis::free_leading_sizes(model);
  if (names.empty())
    return input_error("RIDGE-WB-0209", "no input of the model has a free leading dimension")
        .hint("leave out the batch, or export the model with a free one")
        .in_file(request.model);
  for (analysis::Bindings& point : request.spec.sizes)
    for (const std::string& name : names) {
      const auto [at, fresh] =
          point.sizes.try_emplace(name, analysis::Binding{request.batch, false});
      if (!fresh && at->second.value != request.batch)
        return usage_error("RIDGE-WB-0210", fmt::format("'{}' is to be {} and, as the batch, {}",
                                                        name, at->second.value, request.batch))
            .hint("state one of both");
    }
  return {};
}

/// The first model's sizes and arrays.
session::MeasureSpec spec_of_others(session::MeasureSpec spec) {
  spec.sizes = {{}};
  spec.inputs.clear();
  return spec;
}

/// Requests to the runtimes, one for each point.
Result<std::vector<PlannedPoint>> planned(std::vector<session::Point> points,
                                          const session::Workbench& bench) {
  std::vector<PlannedPoint> out;
  for (session::Point& point : points) {
    measure::Request measuring = TRY(bench.request(point));
    out.push_back({std::move(point), std::move(measuring)});
  }
  return out;
}

/// The documents of the model and of each other one of a mix.
std::vector<const onnx::Document*> documents_of(const session::Workbench& bench,
                                                const std::vector<session::Workbench>& others) {
  std::vector<const onnx::Document*> out = {&bench.opened.model->document()};
  for (const session::Workbench& other : others) out.push_back(&other.opened.model->document());
  return out;
}

Evaluation without_points(const EvaluationRequest& request, const session::Workbench& bench) {
  return {.model = request.model,
          .graph_hash = graph::structure_hash(*bench.opened.model),
          .host = profile::machine_name(machine::host_json(bench.environment.host)),
          .ridge = std::string(version()),
          .sizes = {},
          .scenario = request.scenario,
          .bound = request.bound,
          .load = request.load,
          .data = {},
          .points = {},
          .lock = {},
          .store_error = {}};
}

/// A store and a lock to repeat are asked what is known before anything is evaluated.
HashData when_hashed(const EvaluationKeeping& keeping) {
  const bool asked = keeping.store != nullptr || keeping.locked != nullptr;
  return asked ? HashData::kBefore : HashData::kWithSamples;
}

}  // namespace

Result<Evaluation> evaluate(const EvaluationRequest& given, const session::Environment& environment,
                            const EvaluationKeeping& keeping) {
  TRY(check_rates(given));
  const std::optional<MlperfSettings> mlperf = TRY(test_settings(given));
  TRY(check_subject(given));
  EvaluationRequest request = given;
  ReadContent content;
  content.files = TRY(read_class_labels(request.data));
  if (mlperf) content.files.insert(mlperf->hashes.begin(), mlperf->hashes.end());
  const std::size_t class_names = TRY(count_class_names(request));
  const session::ProcessorScope scope(environment,
                                      request.spec.pin ? request.spec.threads : std::vector<int>());
  const session::Workbench bench =
      TRY(session::make_workbench(request.model, request.spec, environment));
  TRY(bind_batch(*bench.opened.model, request));
  const session::MeasureSpec other_spec = spec_of_others(request.spec);
  std::vector<session::Workbench> others;
  for (const std::string& model : request.mix)
    others.push_back(TRY(session::make_workbench(model, other_spec, environment)));
  std::vector<session::Point> points = TRY(
      session::with_arrays(session::points_of(request.spec), request.spec, *bench.opened.model));
  Evaluation out = without_points(request, bench);
  DataCache data =
      TRY(DataCache::open(request.data, when_hashed(keeping), hash_watch(environment)));
  content.data = data.sha256();
  content.labels = data.labels_sha256();
  manifest::Lock lock = TRY(lock_of(request, documents_of(bench, others), content, environment));
  const std::vector<PlannedPoint> plan = TRY(planned(std::move(points), bench));
  OutputRecord record(probability_outputs(*bench.opened.model));
  bool warned = false;
  bool all_run = true;  // outputs of stored points are not there to be compared with
  EvaluationRecorder recorder =
      TRY(EvaluationRecorder::make(request, plan, std::move(lock), keeping, environment));
  for (const auto& [point, measuring] : plan) {
    if (environment.stopped()) break;
    const analysis::Resolved resolved = TRY(bench.resolve(point));
    out.sizes = resolved.bindings();
    if (std::optional<EvaluatedPoint> before = TRY(recorder.stored(point, out))) {
      out.points.push_back(std::move(*before));
      all_run = false;
      continue;
    }
    const bool compared = plan.size() > 1 && all_run;
    if (!all_run && !request.data.source.empty())
      environment.notices.status(
          fmt::format("outputs of {} are not compared with those of evaluations that the store has",
                      point.runtime));
    Result<EvaluatedPoint> done =
        evaluate_point({request, bench, point, measuring, resolved, data, others, class_names,
                        compared ? &record : nullptr},
                       mlperf ? &*mlperf : nullptr);
    environment.hide_progress();
    if (!done.ok() && done.error().error_class() == ErrorClass::kInput)
      return std::move(done).error().in_file(request.model);
    EvaluatedPoint evaluated = TRY(std::move(done));
    if (const DataSamples* made = data.made()) {
      if (!warned) warn_of(*made, evaluated, request.data, environment);
      warned = true;
      out.data = evaluated_data(request.data, *made);
    }
    TRY(recorder.keep(out, evaluated, data.sha256()));
    out.points.push_back(std::move(evaluated));
  }
  out.lock = recorder.lock();
  if (out.data && data.made() != nullptr) add_pictures(*data.made(), out);
  return out;
}

}  // namespace ridge::evaluation
