#include "workbench/evaluation_run.h"

#include <algorithm>

#include "base/file.h"
#include "measure/input_specs.h"
#include "measure/material.h"
#include "pipeline/labels.h"
#include "runtime/runtime.h"
#include "workbench/evaluation_load.h"
#include "workbench/evaluation_peak.h"

namespace ridge::workbench {
namespace {

/// Memory for samples.
constexpr std::int64_t kSampleBytes = std::int64_t{256} << 20;

constexpr std::int64_t kMostNameBytes = std::int64_t{16} << 20;

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

Result<void> check_class_names(const std::string& path, std::int64_t classes) {
  if (path.empty()) return {};
  const auto names = TRY_IN(path, pipeline::parse_labels(TRY(read_file(path, kMostNameBytes))));
  return TRY_IN(path, pipeline::check_labels(names.size(), static_cast<std::size_t>(classes))),
         Result<void>();
}

bool has_data(const EvaluationRequest& request) { return !request.data.source.empty(); }

Result<DataSamples> data_of(const PointRequest& of, const measure::Request& own,
                            const attribution::Canonical& copy) {
  if (has_data(of.request)) return load_data(of.request.data, of.resolved, copy);
  DataSamples out;
  out.samples = TRY(samples_of(of.resolved, copy, own, of.request.samples));
  return out;
}

/// The search for the largest rate, which becomes that of the scenario, and the load.
Result<void> add_load(const EvaluationRequest& request, LoadRunner& runner, EvaluatedPoint& out) {
  if (request.find_peak) {
    out.peak = TRY(find_peak(
        runner,
        {.scenario = out.scenario, .bound = *request.bound, .budget_s = request.peak_budget_s}));
    if (out.peak && out.peak->rate <= 0) {
      out.validity = {scenario::State::kInvalid, {"no rate keeps the bound"}};
      return {};
    }
    if (out.peak) out.scenario = at_rate(out.scenario, out.peak->rate);
  }
  out.load = TRY(runner.run(out.scenario));
  out.figures = scenario::figures_of(out.scenario, out.load, request.bound);
  out.validity = scenario::validity_of(out.scenario, out.load, out.figures, request.bound);
  return {};
}

}  // namespace

Result<EvaluatedPoint> evaluate_point(const PointRequest& of) {
  measure::Request own = TRY(of.bench.request(of.point));
  // Lanes run wherever there is room; pinned, all of them would be on one processor.
  own.runtime.cpus.clear();
  own.weights_as_is = own.weights_as_is || has_data(of.request);
  const measure::Material material =
      TRY(measure::prepare(of.resolved, own, attribution::CanonicalOptions::Sizes::kStatic));
  const DataSamples data = TRY(data_of(of, own, material.copy));
  measure::Started started = TRY(measure::start(own.runtime, material));
  TRY(started.runtime.set_samples(started.session, data.samples));
  EvaluatedPoint out;
  out.runtime = started.runtime.info();
  for (const WantedRuntime& wanted : of.request.wanted)
    if (wanted.name == of.point.runtime) TRY(check_version(wanted, out.runtime));
  out.runtime_name = of.point.runtime;
  out.threads = of.point.threads;
  out.samples = static_cast<std::uint32_t>(data.samples.sets.size());
  out.scenario = of.request.scenario;
  if (has_data(of.request)) out.accuracy = TRY(judge(started.runtime, started.session, data));
  if (out.accuracy) TRY(check_class_names(of.request.class_names, out.accuracy->classes));
  if (!of.request.load) return out;
  LoadRunner runner(started, of.bench.environment, of.point.runtime);
  TRY(add_load(of.request, runner, out));
  return out;
}

}  // namespace ridge::workbench
