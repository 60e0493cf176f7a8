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
#include "scenario/early_stopping.h"
#include "workbench/workbench.h"

namespace ridge::workbench {
namespace {

using scenario::Kind;
using scenario::Scenario;

/// Load before a search for the largest rate: one query after the other.
constexpr Nanos kTrial{1'000'000'000};
constexpr std::uint64_t kTrialQueries = 10;
/// Share of the rate of queries one after the other with which a search begins.
constexpr double kFirstLoad = 0.5;
/// Most queries of a probe, in units of the first number.
constexpr std::int64_t kProlonged = 16;
/// Longest probes that the budget has room for.
constexpr double kProbesInBudget = 8;

/// Memory for samples.
constexpr std::int64_t kSampleBytes = std::int64_t{256} << 20;

Result<void> check(const EvaluationRequest& request) {
  if (request.load && !request.find_peak) TRY(scenario::check(request.scenario));
  if (request.find_peak && (!request.bound || request.scenario.kind != Kind::kServer))
    return usage_error("RIDGE-WB-0115", "the largest rate is that of a server within a bound")
        .hint("--scenario server --find-peak --bound p99=15ms");
  if (!request.load && request.data.source.empty())
    return usage_error("RIDGE-WB-0116", "accuracy needs data")
        .hint("name a folder or a .npy, and its labels: --data images.npy --labels labels.txt");
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
    own.weights_as_is = own.weights_as_is || has_data();
    const measure::Material material =
        TRY(measure::prepare(resolved, own, attribution::CanonicalOptions::Sizes::kStatic));
    DataSamples data;
    if (has_data())
      data = TRY(load_data(request_.data, resolved, material.copy));
    else
      data.samples = TRY(samples_of(resolved, material.copy, own, request_.samples));
    measure::Started started = TRY(measure::start(own.runtime, material));
    TRY(started.runtime.set_samples(started.session, data.samples));
    EvaluatedPoint out{.runtime = started.runtime.info(),
                       .runtime_name = point_.runtime,
                       .threads = point_.threads,
                       .samples = static_cast<std::uint32_t>(data.samples.sets.size()),
                       .scenario = request_.scenario,
                       .peak = {},
                       .accuracy = {},
                       .load = {},
                       .figures = {},
                       .validity = {}};
    if (has_data()) out.accuracy = TRY(judge(started.runtime, started.session, data));
    if (request_.find_peak) TRY(find_peak(started, out));
    if (out.peak && out.peak->rate <= 0)
      out.validity = {scenario::State::kInvalid, {"no rate keeps the bound"}};
    else if (request_.load)
      TRY(add_load(started, out));
    return out;
  }

 private:
  bool has_data() const { return !request_.data.source.empty(); }

  Result<void> add_load(measure::Started& started, EvaluatedPoint& out) {
    out.load = TRY(generate(started, out.scenario));
    out.figures = scenario::figures_of(out.scenario, out.load, request_.bound);
    out.validity = scenario::validity_of(out.scenario, out.load, out.figures, request_.bound);
    return {};
  }

  /// Sets the rate of the scenario to the largest that keeps the bound.
  Result<void> find_peak(measure::Started& started, EvaluatedPoint& out) {
    Scenario alone = out.scenario;
    alone.kind = Kind::kSingleStream;
    alone.lanes = 1;
    alone.least_duration = kTrial;
    alone.most_duration = Scenario().most_duration;
    alone.least_queries = kTrialQueries;
    const scenario::Load trial = TRY(generate(started, alone));
    if (!trial.failure.empty() || trial.queries.empty()) return {};
    const scenario::Figures known = scenario::figures_of(alone, trial, {});
    const scenario::StoppingRule rule{.percentile = request_.bound->percentile};
    const std::int64_t queries = scenario::min_queries(1, rule);
    const double first_rate = kFirstLoad * out.scenario.lanes * 1e9 / known.mean_ns;
    // A short search needs many probes more than long ones.
    const auto in_budget = static_cast<std::int64_t>(
        std::min(1e9, first_rate * request_.peak_budget_s / kProbesInBudget));
    scenario::PeakSearch search = TRY(scenario::PeakSearch::make(
        {.first_rate = first_rate,
         .share = request_.bound->percentile,
         .queries = queries,
         .most_queries = std::clamp(in_budget, queries, kProlonged * queries),
         .budget_s = request_.peak_budget_s}));
    while (const std::optional<scenario::Probe> probe = search.next()) {
      if (bench_.environment.stopped()) break;
      search.report(TRY(this->probe(started, out.scenario, *probe)));
    }
    out.peak = search.result();
    if (out.peak->rate > 0) out.scenario = at_rate(out.scenario, out.peak->rate);
    return {};
  }

  static Scenario at_rate(Scenario scenario, double rate) {
    std::visit(
        [&](auto& process) {
          if constexpr (requires { process.rate; }) process.rate = rate;
        },
        scenario.arrivals);
    return scenario;
  }

  Result<scenario::ProbeResult> probe(measure::Started& started, const Scenario& asked,
                                      const scenario::Probe& probe) {
    Scenario s = at_rate(asked, probe.rate);
    if (!probe.prolonged) probed_.clear();
    s.least_queries =
        static_cast<std::uint64_t>(std::max<std::int64_t>(1, probe.queries - std::ssize(probed_)));
    s.least_duration = Nanos{0};
    s.most_duration = Scenario().most_duration;
    s.seed = asked.seed + ++probes_;
    const scenario::Load load = TRY(generate(started, s));
    for (const scenario::Query& q : load.queries) probed_.push_back(q.latency_ns());
    const double seconds = static_cast<double>(load.ended_ns - load.begun_ns) * 1e-9;
    return scenario::probe_result(scenario::Latencies(probed_), request_.bound->percentile,
                                  request_.bound->latency_ns, seconds);
  }

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
  std::vector<std::int64_t> probed_;  // latencies of the last probe
  std::uint64_t probes_ = 0;
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
                 .load = request.load,
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
