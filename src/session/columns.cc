// SPDX-License-Identifier: Apache-2.0
#include "session/columns.h"

#include <deque>
#include <utility>

#include "measure/known_sizes.h"
#include "measure/session.h"
#include "session/processor_choice.h"
#include "session/workbench.h"

namespace ridge::session {
namespace {

using profile::Profile;

/// A model, and its points with the sizes that they resolve to.
struct ModelColumns {
  Workbench bench;
  std::vector<Point> points;
  std::vector<analysis::Resolved> resolved;  ///< by point of one runtime; all runtimes share them

  const analysis::Resolved& resolved_at(std::size_t point) const {
    return resolved[point % resolved.size()];
  }
};

Result<ModelColumns> columns_of_model(const std::string& model, std::size_t models,
                                      const MeasureSpec& spec, const Environment& environment,
                                      const Profile* like) {
  ModelColumns out{.bench = TRY(make_workbench(model, spec, environment))};
  out.bench.process_s = spec.budget.of_process_s(models * spec.processes * count_points(spec));
  const graph::Model& graph = *out.bench.opened.model;
  out.points = TRY(with_arrays(points_of(spec), spec, graph));
  for (Point& point : out.points) {
    if (like) point.bindings = measure::with_run(graph, std::move(point.bindings), *like);
    if (point.runtime == out.points[0].runtime)
      out.resolved.push_back(TRY(out.bench.resolve(point)));
  }
  return out;
}

/// Collects the measured columns and reports the failed ones. Fewer than `needed` columns are an
/// error: the last failure, which is not reported.
Result<MeasuredColumns> gather(const std::deque<ModelColumns>& benches,
                               std::vector<Result<Profile>> measured, std::size_t needed,
                               const Environment& environment) {
  MeasuredColumns out;
  std::vector<Error> failures;
  auto next = measured.begin();
  for (std::size_t m = 0; m < benches.size(); ++m)
    for (const Point& point : benches[m].points) {
      Result<Profile> p = benches[m].bench.in_file(std::move(*next++));
      if (p.ok())
        out.columns.push_back({m, point.runtime, finish_without_roofs(std::move(*p), environment)});
      else
        failures.push_back(std::move(p).error());
    }
  out.complete = failures.empty();
  const bool enough = out.complete || out.columns.size() >= needed;
  const std::size_t reported = failures.size() - (enough ? 0 : 1);
  for (std::size_t i = 0; i < reported; ++i) environment.notices.failed(failures[i]);
  if (!enough) return std::move(failures.back());
  return out;
}

}  // namespace

Result<MeasuredColumns> measure_columns(std::span<const std::string> models,
                                        const MeasureSpec& spec, measure::Turns turns,
                                        const Environment& environment, const Profile* like) {
  std::deque<ModelColumns> benches;
  for (const std::string& model : models)
    benches.push_back(TRY(columns_of_model(model, models.size(), spec, environment, like)));
  const ProcessorScope scope(environment, spec.pin ? spec.threads : std::vector<int>());
  std::vector<measure::Column> columns;
  for (const ModelColumns& b : benches)
    for (std::size_t i = 0; i < b.points.size(); ++i) {
      columns.push_back({&b.resolved_at(i), TRY(b.bench.request(b.points[i]))});
      columns.back().request.label =
          models.size() > 1 ? b.bench.model + ", " + b.points[i].runtime : b.points[i].runtime;
    }
  // With an earlier run, one column is a comparison.
  const std::size_t needed = like != nullptr ? 1 : 2;
  return gather(benches, measure::profile_in_turns(columns, turns), needed, environment);
}

}  // namespace ridge::session
