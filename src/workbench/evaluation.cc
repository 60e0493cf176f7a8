#include "workbench/evaluation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "graph/model.h"
#include "measure/input_specs.h"
#include "measure/material.h"
#include "profile/summary.h"
#include "runtime/query_log.h"
#include "runtime/runtime.h"
#include "workbench/workbench.h"

namespace ridge::workbench {
namespace {

using scenario::Kind;
using scenario::Scenario;

/// Memory for samples.
constexpr std::int64_t kSampleBytes = std::int64_t{256} << 20;

Result<void> check(const EvaluationRequest& request) {
  TRY(scenario::check(request.scenario));
  TRY(workbench::check(request.spec));
  if (request.spec.threads.size() != 1 || request.spec.sizes.size() != 1)
    return usage_error("RIDGE-WB-0110", "an evaluation is of one thread count and one set of sizes")
        .hint("run it once for each");
  return {};
}

/// As many samples as fit into memory: at least one, at most `most`.
Result<runtime::Samples> samples_of(const analysis::Resolved& resolved,
                                    const attribution::Canonical& copy,
                                    const measure::Request& request, std::uint32_t most) {
  const auto of = [&](std::uint32_t count) {
    return measure::samples_of(resolved, copy, request.inputs, request.seed, count);
  };
  runtime::Samples one = TRY(of(1));
  const auto bytes = static_cast<std::int64_t>(one.memory.bytes().size());
  const std::int64_t fit = bytes > 0 ? kSampleBytes / bytes : most;
  const auto count = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(fit, 1, std::max<std::uint32_t>(1, most)));
  if (count == 1) return one;
  return of(count);
}

scenario::Load load_of(const runtime::LoadResult& result, const runtime::QueryLog& log) {
  scenario::Load load{.queries = log.queries(),
                      .begun_ns = result.begun_ns,
                      .ended_ns = result.ended_ns,
                      .abandoned = result.abandoned,
                      .canceled = result.canceled,
                      .failure = {}};
  if (result.failure) load.failure = result.failure->summary();
  if (result.log_full) load.failure = "it has more queries than its record has room for";
  // The process ended before it said when the load did.
  if (load.begun_ns == 0 && !load.queries.empty()) {
    load.begun_ns = load.queries.front().scheduled_ns;
    for (const scenario::Query& q : load.queries)
      load.ended_ns = std::max(load.ended_ns, q.done_ns);
  }
  return load;
}

class Evaluator {
 public:
  Evaluator(const EvaluationRequest& request, const Workbench& bench, Point point)
      : request_(request), bench_(bench), point_(std::move(point)) {}

  Result<EvaluatedPoint> run(const analysis::Resolved& resolved) {
    measure::Request own = TRY(bench_.request(point_));
    // Lanes run wherever there is room; pinned, all of them would be on one processor.
    own.runtime.cpus.clear();
    const measure::Material material =
        TRY(measure::prepare(resolved, own, attribution::CanonicalOptions::Sizes::kStatic));
    const runtime::Samples samples =
        TRY(samples_of(resolved, material.copy, own, request_.samples));
    measure::Started started = TRY(measure::start(own.runtime, material));
    TRY(started.runtime.set_samples(started.session, samples));
    EvaluatedPoint out{.runtime = started.runtime.info(),
                       .runtime_name = point_.runtime,
                       .threads = point_.threads,
                       .samples = static_cast<std::uint32_t>(samples.sets.size()),
                       .load = {},
                       .figures = {},
                       .validity = {}};
    out.load = TRY(generate(started, request_.scenario));
    out.figures = scenario::figures_of(request_.scenario, out.load, request_.bound);
    out.validity = scenario::validity_of(request_.scenario, out.load, out.figures, request_.bound);
    return out;
  }

 private:
  Result<scenario::Load> generate(measure::Started& started, const Scenario& scenario) {
    const std::uint64_t room = scenario.most_queries;
    const runtime::QueryLog log = TRY(runtime::QueryLog::make(room, scenario.lanes));
    Progress* const progress = bench_.environment.progress;
    const std::string what = fmt::format("{} in {}", name(scenario.kind), point_.runtime);
    const runtime::LoadResult result =
        TRY(started.runtime.generate(started.session, scenario, log, [&](std::uint64_t done) {
          if (progress != nullptr)
            progress->show(
                fmt::format("{}: {}", what, counted(static_cast<std::int64_t>(done), "query")), 0,
                0);
        }));
    bench_.environment.hide_progress();
    return load_of(result, log);
  }

  const EvaluationRequest& request_;
  const Workbench& bench_;
  Point point_;
};

}  // namespace

Result<Evaluation> evaluate(const EvaluationRequest& request, const Environment& environment) {
  TRY(check(request));
  const Workbench bench = TRY(make_workbench(request.model, request.spec, environment));
  const std::vector<Point> points =
      TRY(with_arrays(points_of(request.spec), request.spec, *bench.opened.model));
  Evaluation out{.model = request.model,
                 .graph_hash = graph::structure_hash(*bench.opened.model),
                 .host = profile::machine_name(machine::host_json(environment.host)),
                 .ridge = std::string(version()),
                 .sizes = {},
                 .scenario = request.scenario,
                 .bound = request.bound,
                 .points = {}};
  for (const Point& point : points) {
    if (environment.stopped()) break;
    const analysis::Resolved resolved = TRY(bench.resolve(point));
    out.sizes = resolved.bindings();
    Result<EvaluatedPoint> done = Evaluator(request, bench, point).run(resolved);
    environment.hide_progress();
    if (!done.ok() && done.error().error_class() == ErrorClass::kInput)
      return std::move(done).error().in_file(request.model);
    out.points.push_back(TRY(std::move(done)));
  }
  return out;
}

}  // namespace ridge::workbench
