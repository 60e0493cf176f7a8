#include "workbench/evaluation.h"

#include "base/version.h"
#include "graph/model.h"
#include "profile/summary.h"
#include "workbench/evaluation_run.h"
#include "workbench/workbench.h"

namespace ridge::workbench {
namespace {

Result<void> check(const EvaluationRequest& request) {
  if (request.load && !request.find_peak) TRY(scenario::check(request.scenario));
  if (request.find_peak && (!request.bound || request.scenario.kind != scenario::Kind::kServer))
    return usage_error("RIDGE-WB-0115", "the largest rate is that of a server within a bound")
        .hint("--scenario server --find-peak --bound p99=15ms");
  if (!request.load && request.data.source.empty())
    return usage_error("RIDGE-WB-0116", "accuracy needs data")
        .hint("name a folder or a .npy, and its labels: --data images.npy --labels labels.txt");
  if (request.mix.size() != request.scenario.mix.size())
    return bug("not a share for each model of the mix", "evaluate");
  TRY(workbench::check(request.spec));
  if (request.spec.threads.size() != 1 || request.spec.sizes.size() != 1)
    return usage_error("RIDGE-WB-0110", "an evaluation is of one thread count and one set of sizes")
        .hint("run it once for each");
  return {};
}

/// Sizes and arrays are those of the first model.
MeasureSpec spec_of_others(MeasureSpec spec) {
  spec.sizes = {{}};
  spec.inputs.clear();
  return spec;
}

}  // namespace

Result<Evaluation> evaluate(const EvaluationRequest& request, const Environment& environment) {
  TRY(check(request));
  const Workbench bench = TRY(make_workbench(request.model, request.spec, environment));
  const MeasureSpec other_spec = spec_of_others(request.spec);
  std::vector<Workbench> others;
  for (const std::string& model : request.mix)
    others.push_back(TRY(make_workbench(model, other_spec, environment)));
  const std::vector<Point> points =
      TRY(with_arrays(points_of(request.spec), request.spec, *bench.opened.model));
  Evaluation out{.model = request.model,
                 .graph_hash = graph::structure_hash(*bench.opened.model),
                 .host = profile::machine_name(machine::host_json(environment.host)),
                 .ridge = std::string(version()),
                 .sizes = {},
                 .scenario = request.scenario,
                 .bound = request.bound,
                 .load = request.load,
                 .points = {}};
  for (const Point& point : points) {
    if (environment.stopped()) break;
    const analysis::Resolved resolved = TRY(bench.resolve(point));
    out.sizes = resolved.bindings();
    Result<EvaluatedPoint> done = evaluate_point({request, bench, point, resolved, others});
    environment.hide_progress();
    if (!done.ok() && done.error().error_class() == ErrorClass::kInput)
      return std::move(done).error().in_file(request.model);
    out.points.push_back(TRY(std::move(done)));
  }
  return out;
}

}  // namespace ridge::workbench
