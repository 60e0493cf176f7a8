// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/evaluation.h"

#include <fmt/format.h>

#include "base/version.h"
#include "evaluation/run/opened_request.h"
#include "evaluation/run/pictures.h"
#include "evaluation/run/point.h"
#include "graph/model.h"
#include "profile/summary.h"
#include "session/workbench.h"

namespace ridge::evaluation {
namespace {

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
  const auto opened = TRY(OpenedRequest::open(
      given, environment, {.wanted = keeping.wanted, .data = when_hashed(keeping)}));
  const EvaluationRequest& request = opened->request;
  const session::Workbench& bench = *opened->bench;
  DataCache& data = *opened->data;
  Evaluation out = without_points(request, bench);
  const std::vector<PlannedPoint> plan = TRY(planned(std::move(opened->points), bench));
  OutputRecord record(probability_outputs(*bench.opened.model));
  bool warned = false;
  // Outputs of points that are stored, or run by themselves, are not there to be compared with.
  bool all_run = plan.size() == opened->asked;
  EvaluationRecorder recorder =
      TRY(EvaluationRecorder::make(request, plan, std::move(opened->lock), keeping, environment));
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
          fmt::format("outputs of {} are not compared with those of points that did not run now",
                      point.runtime));
    Result<EvaluatedPoint> done =
        evaluate_point({request, bench, point, measuring, resolved, data, opened->others,
                        opened->class_names, compared ? &record : nullptr},
                       opened->mlperf ? &*opened->mlperf : nullptr);
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
