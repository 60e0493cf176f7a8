// SPDX-License-Identifier: Apache-2.0
#include "session/columns.h"

#include "measure/known_sizes.h"
#include "measure/session.h"
#include "session/processor_choice.h"
#include "session/workbench.h"

namespace ridge::session {
namespace {

using profile::Profile;

/// Collects the measured columns and reports the failed ones; returns the last error if all failed.
Result<MeasuredColumns> gather(const std::vector<Point>& points,
                               std::vector<Result<Profile>> measured, const Workbench& bench) {
  MeasuredColumns out;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    Result<Profile> p = bench.in_file(std::move(measured[i]));
    if (p.ok()) {
      out.columns.push_back(
          {points[i].runtime, finish_without_roofs(std::move(*p), bench.environment)});
      continue;
    }
    if (i + 1 == measured.size() && out.columns.empty()) return std::move(p).error();
    bench.environment.notices.failed(p.error());
    out.complete = false;
  }
  return out;
}

}  // namespace

Result<MeasuredColumns> measure_columns(const std::string& model, const MeasureSpec& spec,
                                        measure::Turns turns, const Environment& environment,
                                        const Profile* like) {
  const Workbench bench = TRY(make_workbench(model, spec, environment));
  const graph::Model& graph = *bench.opened.model;
  std::vector<Point> points = TRY(with_arrays(points_of(spec), spec, graph));
  for (Point& point : points)
    if (like) point.bindings = measure::with_run(graph, std::move(point.bindings), *like);
  std::vector<analysis::Resolved> resolved;  // points of one runtime; all have the same
  for (const Point& point : points)
    if (point.runtime == points[0].runtime) resolved.push_back(TRY(bench.resolve(point)));
  const ProcessorScope scope(environment, spec.pin ? spec.threads : std::vector<int>());
  std::vector<measure::Column> columns;
  for (std::size_t i = 0; i < points.size(); ++i) {
    columns.push_back({&resolved[i % resolved.size()], TRY(bench.request(points[i]))});
    columns.back().request.label = points[i].runtime;
  }
  return gather(points, measure::profile_in_turns(columns, turns), bench);
}

}  // namespace ridge::session
