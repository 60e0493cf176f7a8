#include "cli/measured_columns.h"

#include "cli/workbench.h"
#include "measure/known_sizes.h"
#include "measure/session.h"

namespace ridge::cli {
namespace {

using profile::Profile;

/// What could not be measured is printed; its last error comes back where nothing could.
Result<MeasuredColumns> gather(const std::vector<std::string>& names,
                               std::vector<Result<Profile>> measured, const Workbench& bench) {
  MeasuredColumns out;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    Result<Profile> p = bench.completed(std::move(measured[i]));
    if (p.ok()) {
      out.columns.push_back({names[i], std::move(*p)});
      continue;
    }
    if (i + 1 == measured.size() && out.columns.empty()) return std::move(p).error();
    report(bench.console, p.error());
    out.whole = false;
  }
  return out;
}

}  // namespace

Result<MeasuredColumns> measure_columns(const std::string& model, const MeasuringOptions& options,
                                        measure::Turns turns, Console& console,
                                        const Profile* like) {
  std::vector<Point> points = TRY(points_of(options));
  const MeasuringOptions in_time = TRY(timed(options, points.size()));
  const SingleWorkbench single(model, in_time, console, TRY(open_model(model)));
  const Workbench& bench = *single;
  const graph::Model& graph = *bench.opened.model;
  points = TRY(with_arrays(std::move(points), options, graph));
  for (Point& point : points)
    if (like) point.bindings = measure::with_run(graph, std::move(point.bindings), *like);
  std::vector<analysis::Resolved> resolved;  // by point of the first runtime, as of every other
  for (const Point& point : points)
    if (point.runtime == points[0].runtime) resolved.push_back(TRY(bench.resolve(point)));
  std::vector<measure::Column> columns;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    columns.push_back(
        {&resolved[i % resolved.size()], TRY(bench.request(point.runtime, point.threads))});
    columns.back().request.label = point.runtime;
    names.push_back(point.runtime);
  }
  return gather(names, measure::profile_in_turns(columns, turns), bench);
}

}  // namespace ridge::cli
