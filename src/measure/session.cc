#include "measure/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "attribution/attribution.h"
#include "attribution/canonical.h"
#include "attribution/names.h"
#include "attribution/optimised.h"
#include "base/text.h"
#include "base/version.h"
#include "measure/calibrate.h"
#include "measure/collect.h"
#include "measure/estimate.h"
#include "measure/input_specs.h"
#include "measure/join.h"
#include "measure/levels.h"
#include "measure/recorded.h"
#include "measure/runtime_layers.h"
#include "profile/rows.h"

namespace ridge::measure {
namespace {

using analysis::Resolved;
using attribution::Canonical;
using runtime::Runtime;

bool interrupted(const Request& request) {
  return request.runtime.interrupted && request.runtime.interrupted->load();
}

void show(const Request& request, std::string_view what, std::int64_t done = 0,
          std::int64_t total = 0) {
  if (!request.progress) return;
  const std::string_view colon = request.label.empty() ? "" : ": ";
  request.progress->show(fmt::format("{}{}{}", request.label, colon, what), done, total);
}

Result<std::vector<runtime::Weight>> weights_of(const Canonical& copy) {
  std::vector<runtime::Weight> out;
  onnx::WeightLocator locator(*copy.original);
  for (const attribution::WeightSource& source : copy.weights)
    out.push_back(TRY(runtime::weight_of(locator, source.name, *source.tensor)));
  return out;
}

/// What every process gets.
struct Material {
  Canonical copy;
  std::vector<runtime::Weight> weights;
  runtime::Inputs inputs;
};

using Sizes = attribution::CanonicalOptions::Sizes;

Result<Material> prepare(const Resolved& resolved, const Request& request, Sizes sizes) {
  attribution::CanonicalOptions options{.sizes = sizes, .seed = request.seed};
  if (request.weights_as_is) options.constants = attribution::CanonicalOptions::Constants::kAsIs;
  Material m;
  m.copy = TRY(attribution::canonicalise(resolved, options));
  m.weights = TRY(weights_of(m.copy));
  m.inputs =
      TRY(runtime::Inputs::make(TRY(input_specs(resolved, m.copy, request.inputs, request.seed))));
  return m;
}

struct FirstProcess {
  runtime::RuntimeInfo info;
  runtime::RuntimeGraph graph;

  bool is_known() const { return !graph.model.empty() || !graph.layers.empty(); }
};

Result<ProcessMeasurement> measure_once(const Material& material, const Request& request,
                                        std::uint32_t number, FirstProcess* first) {
  Runtime runtime = TRY(Runtime::spawn(request.runtime));
  show(request, fmt::format("process {} of {}: loading the model", number, request.processes));
  const auto dump = first ? runtime::Dump::kStructure : runtime::Dump::kNothing;
  runtime::Loaded loaded =
      TRY(runtime.load({.model = material.copy.bytes, .weights = material.weights, .dump = dump}));
  if (first) *first = {runtime.info(), std::move(loaded.graph)};
  TRY(runtime.set_inputs(loaded.session, material.inputs));
  const auto progress = [&](const runtime::Progress& p) {
    show(request, fmt::format("process {} of {}: measuring", number, request.processes),
         p.rounds_done, p.min_rounds);
  };
  const bool alone = request.processes == 1;
  return ProcessMeasurement{first && !alone ? 0 : loaded.load.count,
                            TRY(runtime.measure(loaded.session, request.plan, progress))};
}

struct Processes {
  std::vector<ProcessMeasurement> measured;
  FirstProcess first;
  std::vector<std::string> notes;
};

bool usable(const ProcessMeasurement& p) { return !p.measurement.profiled.empty(); }

/// One model in one runtime, while it is measured process by process.
struct Job {
  const Resolved* resolved;
  const Request* request;
  Material material;
  EventCost cost;
  Processes processes;
  Sizes sizes = Sizes::kStatic;
};

Result<Job> begin(const Resolved& resolved, const Request& request) {
  Material material = TRY(prepare(resolved, request, Sizes::kStatic));
  show(request, "calibrating the profiler");
  const EventCost cost = TRY(calibrate(request.runtime));
  return Job{&resolved, &request, std::move(material), cost, {}};
}

/// A process that fails is noted and the rest goes on; an error where no other can do better.
Result<void> add_process(Job& job, std::uint32_t number) {
  Processes& out = job.processes;
  const bool last = number == job.request->processes && out.measured.empty();
  const bool is_first = !out.first.is_known();
  Result<ProcessMeasurement> one =
      measure_once(job.material, *job.request, number, is_first ? &out.first : nullptr);
  if (!one.ok()) {
    const ErrorClass cls = one.error().error_class();
    if (last || cls == ErrorClass::kInput || cls == ErrorClass::kUsage)
      return std::move(one).error();
    out.notes.push_back(fmt::format("process {} gave nothing: {}", number, one.error().summary()));
    return {};
  }
  if (one->measurement.failure)
    out.notes.push_back(
        fmt::format("process {} ended early: {}", number, one->measurement.failure->summary()));
  if (usable(*one))
    out.measured.push_back(std::move(*one));
  else if (one->measurement.failure && last)
    return std::move(*one->measurement.failure);
  return {};
}

/// The same error in the user's own names.
Error translated(const Error& e, const graph::Model& model) {
  const auto text = [&](const std::string& t) {
    return attribution::with_original_names(t, model);
  };
  return Error(e.error_class(), e.code(), text(e.message()))
      .in(e.where())
      .in_file(e.file())
      .evidence(text(e.evidence()))
      .hint(e.hint());
}

/// A runtime's own shape inference refuses some models once every size is written into them; these
/// run with free sizes.
Result<void> measure_process(Job& job, std::uint32_t number) {
  const graph::Model& model = job.resolved->model();
  Result<void> done = add_process(job, number);
  if (done.ok()) return {};
  const bool refused = done.error().error_class() == ErrorClass::kInput &&
                       job.sizes == Sizes::kStatic && job.processes.measured.empty();
  if (!refused || job.resolved->bindings().empty()) return translated(done.error(), model);
  job.sizes = Sizes::kAsDeclared;
  job.material = TRY(prepare(*job.resolved, *job.request, job.sizes));
  if (!add_process(job, number).ok()) return translated(done.error(), model);
  job.processes.notes.emplace_back(
      "the runtime refuses this model with the sizes written into it, so it ran with free ones: "
      "shape arithmetic is part of the run");
  return {};
}

/// At the highest level some models' kernels are renamed and their tensors permuted; a dump of the
/// level below keeps the names that tell what became of what.
Result<std::optional<attribution::OptimisedGraph>> reference_graph(
    const Material& material, const attribution::OptimisedGraph& optimised,
    const Request& request) {
  if (!attribution::needs_reference(material.copy, optimised))
    return std::optional<attribution::OptimisedGraph>();
  runtime::Options options = request.runtime;
  options.optimisation = runtime::Optimisation::kExtended;
  Runtime runtime = TRY(Runtime::spawn(options));
  const runtime::Loaded loaded = TRY(runtime.load({.model = material.copy.bytes,
                                                   .weights = material.weights,
                                                   .dump = runtime::Dump::kStructure}));
  return std::optional(TRY(attribution::read_optimised(loaded.graph.model)));
}

profile::Subject subject_of(const Resolved& resolved, const Material& material,
                            const Request& request, const runtime::RuntimeInfo& info) {
  profile::Subject s = profile::subject_of(resolved);
  const bool seeded =
      std::any_of(material.copy.seeded.begin(), material.copy.seeded.end(),
                  [](bool b) { return b; }) ||
      std::any_of(material.copy.weights.begin(), material.copy.weights.end(),
                  [](const auto& w) { return w.tensor->storage == onnx::Storage::kSeeded; });
  s.weights = seeded ? "seeded" : request.weights_as_is ? "as-is" : "file";
  s.runtime = info.name;
  s.runtime_version = info.version;
  s.runtime_library = info.library;
  s.options = options_of(request);
  s.ridge_version = version();
  return s;
}

std::vector<bool> executed(const attribution::Attribution& attribution,
                           const std::vector<graph::NodeId>& kernels) {
  std::vector<bool> out(attribution.kernels.size(), false);
  for (const graph::NodeId k : kernels)
    if (k != graph::kNone) out[k] = true;
  return out;
}

/// Measured processes to the joined tables.
Result<profile::Profile> finish(Job& job) {
  const Resolved& resolved = *job.resolved;
  const Request& request = *job.request;
  const Material& material = job.material;
  Processes& processes = job.processes;
  if (processes.measured.empty())
    return environment_error("RIDGE-MEAS-0003",
                             "nothing was measured: no process finished a pair of runs")
        .hint("let it run longer, or look at the notes above");
  if (interrupted(request)) processes.notes.emplace_back("interrupted: fewer runs than asked for");
  for (std::string& note : processes.notes)
    note = attribution::with_original_names(note, resolved.model());
  show(request, "attributing layers to nodes");
  const Collected collected = collect(processes.measured);
  attribution::OptimisedGraph optimised = TRY(optimised_of(processes.first.graph));
  optimised.block = request.channel_block;
  const std::vector<attribution::KernelEvent> events = events_of(collected);
  attribution::size_tensors(optimised, events);
  const std::vector<graph::NodeId> kernels = kernels_of(collected, optimised);
  const auto reference = TRY(reference_graph(material, optimised, request));
  attribution::Attribution attribution = TRY(attribution::attribute(
      resolved, material.copy, optimised, reference ? &*reference : nullptr));
  const Host host{.processors = request.processors,
                  .threads = static_cast<int>(request.runtime.threads)};
  attribution::drop_unexecuted(attribution, executed(attribution, kernels));
  if (!optimised.listed.empty())
    attribution::drop_views(attribution, resolved, timed(collected, kernels, optimised));
  const Estimates estimates =
      estimate(collected.processes, collected.kernels.size(), job.cost, host);

  profile::Profile p;
  p.subject = subject_of(resolved, material, request, processes.first.info);
  p.batch = profile::batch_of(resolved);
  const std::vector<std::uint32_t> layers =
      join({resolved, optimised, attribution, kernels, collected, estimates, job.cost}, p);
  tell_work(processes.measured, request.runtime.threads, p.levels);
  record(processes.measured, {collected, layers, p.layers}, request.recorded_runs, p.timeline);
  if (p.latency.ns.median > 0)
    p.items_per_s = static_cast<double>(p.batch) / p.latency.ns.median * 1e9;
  p.notes = std::move(processes.notes);
  p.notes.insert(p.notes.end(), collected.notes.begin(), collected.notes.end());
  if (!processes.first.info.notes.empty()) p.notes.push_back(processes.first.info.notes);
  if (estimates.busy)
    p.notes.emplace_back(
        "other processes used the processors during runs that had to be kept; close them, or run "
        "longer with --budget");
  if (!attribution.unplaced.empty())
    p.notes.push_back(fmt::format("{} could not be attributed to a layer",
                                  counted(std::ssize(attribution.unplaced), "node")));
  if (request.progress) request.progress->hide();
  return p;
}

}  // namespace

std::map<std::string, std::string> options_of(const Request& request) {
  const runtime::Options& o = request.runtime;
  std::map<std::string, std::string> out;
  out["threads"] = std::to_string(o.threads);
  out["optimization"] = runtime::name(o.optimisation);
  out["pinned"] = o.cpus.empty() ? "no" : fmt::format("{}", fmt::join(o.cpus, ","));
  for (const auto& [key, value] : o.entries) out[key] = value;
  return out;
}

Result<profile::Profile> profile_model(const Resolved& resolved, const Request& request) {
  Job job = TRY(begin(resolved, request));
  for (std::uint32_t n = 1; n <= request.processes && !interrupted(request); ++n)
    TRY(measure_process(job, n));
  return finish(job);
}

std::vector<Result<profile::Profile>> profile_in_turns(std::span<const Turn> turns) {
  std::vector<Result<Job>> jobs;
  std::uint32_t rounds = 0;
  for (const Turn& turn : turns) {
    jobs.push_back(begin(*turn.resolved, turn.request));
    rounds = std::max(rounds, turn.request.processes);
  }
  for (std::uint32_t n = 1; n <= rounds; ++n)
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      Result<Job>& job = jobs[n % 2 == 1 ? i : jobs.size() - 1 - i];
      if (!job.ok() || n > job->request->processes || interrupted(*job->request)) continue;
      Result<void> done = measure_process(*job, n);
      if (!done.ok()) job = std::move(done).error();
    }
  std::vector<Result<profile::Profile>> out;
  for (Result<Job>& job : jobs)
    if (job.ok())
      out.push_back(finish(*job));
    else
      out.emplace_back(std::move(job).error());
  return out;
}

}  // namespace ridge::measure
