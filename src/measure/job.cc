// SPDX-License-Identifier: Apache-2.0
#include "measure/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attribution/attributor.h"
#include "attribution/names.h"
#include "attribution/optimized.h"
#include "base/text.h"
#include "base/version.h"
#include "measure/calibrate.h"
#include "measure/estimate.h"
#include "measure/event_check.h"
#include "measure/join.h"
#include "measure/levels.h"
#include "measure/recorded.h"
#include "measure/runtime_layers.h"
#include "measure/self_check.h"
#include "measure/unmeasured.h"
#include "measure/value_check.h"
#include "profile/options.h"
#include "profile/rows.h"

namespace ridge::measure {
namespace {

using analysis::Resolved;
using attribution::Canonical;
using runtime::Runtime;

bool usable(const runtime::Measurement& m) { return !m.profiled.empty(); }

/// At the highest optimization level some models' kernels are renamed and their tensors permuted. A
/// dump of the next lower level keeps the names needed to trace nodes.
Result<std::optional<attribution::OptimizedGraph>> reference_graph(
    const Material& material, const attribution::OptimizedGraph& optimized,
    const Request& request) {
  if (!attribution::needs_reference(material.copy, optimized))
    return std::optional<attribution::OptimizedGraph>();
  runtime::Options options = request.runtime;
  options.optimization = runtime::Optimization::kExtended;
  Runtime runtime = TRY(Runtime::spawn(options));
  const runtime::Loaded loaded = TRY(runtime.load({.model = material.copy.bytes,
                                                   .weights = material.weights,
                                                   .dump = runtime::Dump::kStructure}));
  return std::optional(TRY(attribution::read_optimized(loaded.graph.model)));
}

std::vector<bool> executed(const attribution::Attribution& attribution,
                           const std::vector<graph::NodeId>& kernels) {
  std::vector<bool> out(attribution.kernels.size(), false);
  for (const graph::NodeId k : kernels)
    if (k != graph::kNone) out[k] = true;
  return out;
}

}  // namespace

void Job::show(std::string_view what, std::int64_t done, std::int64_t total) const {
  if (!request_->progress) return;
  const std::string_view colon = request_->label.empty() ? "" : ": ";
  request_->progress->show(fmt::format("{}{}{}", request_->label, colon, what), done, total);
}

bool Job::interrupted() const {
  return request_->runtime.interrupted && request_->runtime.interrupted->load();
}

Host Job::host() const {
  return {.processors = request_->processors,
          .threads = static_cast<int>(request_->runtime.threads)};
}

Result<Job> Job::begin(const Resolved& resolved, const Request& request) {
  Job job(resolved, request, TRY(prepare(resolved, request, Sizes::kStatic)), {});
  job.notes_ = job.material_.inputs.notes;
  job.show("calibrating the profiler");
  job.cost_ = TRY(calibrate(request.runtime));
  return job;
}

Result<Job::Started> Job::load(std::uint32_t number) {
  Runtime runtime = TRY(Runtime::spawn(request_->runtime));
  show(fmt::format("process {} of {}: loading the model", number, request_->processes));
  const bool first = !first_.is_known();
  runtime::Loaded loaded =
      TRY(runtime.load({.model = material_.copy.bytes,
                        .weights = material_.weights,
                        .dump = first ? runtime::Dump::kStructure : runtime::Dump::kNothing}));
  if (!loaded.refused_files.empty())
    note_once(fmt::format(
        "the runtime takes no weights from files here, so it was given copies of them: loading "
        "takes longer, and their memory a second time ({})",
        loaded.refused_files));
  if (first) first_ = {runtime.info(), std::move(loaded.graph)};
  TRY(runtime.set_inputs(loaded.session, material_.inputs));
  // The first process also writes the dump, which makes its load longer. Its load time counts only
  // if there is no other.
  const bool alone = request_->processes == 1;
  return Started{std::move(runtime), loaded.session, first && !alone ? 0 : loaded.load.count};
}

void Job::note_once(std::string note) {
  if (std::ranges::find(notes_, note) == notes_.end()) notes_.push_back(std::move(note));
}

/// Some models are refused by the runtime's own shape inference once all sizes are written into
/// them; these are loaded again with free sizes.
Result<Job::Started> Job::start(std::uint32_t number) {
  Result<Started> started = load(number);
  if (started.ok()) return started;
  const bool refused = started.error().error_class() == ErrorClass::kInput &&
                       sizes_ == Sizes::kStatic && !any_measured_;
  if (!refused || resolved_->bindings().empty()) return started;
  sizes_ = Sizes::kAsDeclared;
  material_ = TRY(prepare(*resolved_, *request_, sizes_));
  Result<Started> again = load(number);
  if (!again.ok()) return started;
  notes_.emplace_back(
      "the runtime refuses this model with the sizes written into it, so it ran with free ones: "
      "shape arithmetic is part of the run");
  return again;
}

Result<void> Job::take(std::uint32_t number, std::int64_t load_ns,
                       Result<runtime::Measurement> measured) {
  const graph::Model& model = resolved_->model();
  const bool last = number == request_->processes && !any_measured_;
  if (!measured.ok()) {
    const ErrorClass cls = measured.error().error_class();
    // A fault of the model or of the request would come again in each process; one of the
    // environment may have been this process's alone, so the others go on.
    if (last || cls == ErrorClass::kInput || cls == ErrorClass::kUsage)
      return attribution::with_original_names(measured.error(), model);
    notes_.push_back(
        fmt::format("process {} gave nothing: {}", number, measured.error().summary()));
    measured_.emplace_back();
    return {};
  }
  if (measured->failure)
    notes_.push_back(
        fmt::format("process {} ended early: {}", number, measured->failure->summary()));
  const bool of_use = usable(*measured);
  if (!of_use && measured->failure && last)
    return attribution::with_original_names(*measured->failure, model);
  any_measured_ |= of_use;
  if (of_use)
    measured_.push_back({load_ns, std::move(*measured)});
  else
    measured_.emplace_back();
  return {};
}

const std::vector<ProcessRuns>& Job::collect() {
  collected_ = measure::collect(measured_);
  for (std::string& note : event_notes(measured_)) collected_.notes.push_back(std::move(note));
  cost_.resolution_ns = cost_.cheapest_kernel_ns + static_cast<double>(duration_step_ns(measured_));
  return collected_.processes;
}

profile::Subject Job::subject() const {
  profile::Subject s = profile::subject_of(*resolved_);
  const Canonical& copy = material_.copy;
  const bool seeded =
      std::any_of(copy.seeded.begin(), copy.seeded.end(), [](bool b) { return b; }) ||
      std::any_of(copy.weights.begin(), copy.weights.end(),
                  [](const auto& w) { return w.tensor->storage == onnx::Storage::kSeeded; });
  s.weights = seeded ? "seeded" : request_->weights_as_is ? "as-is" : "file";
  s.runtime = first_.info.name;
  s.runtime_version = first_.info.version;
  s.runtime_library = first_.info.library;
  profile::set_options(s, options_of(*request_));
  s.ridge_version = version();
  return s;
}

std::vector<std::string> Job::notes(bool busy) {
  if (interrupted()) notes_.emplace_back("interrupted: fewer runs than asked for");
  for (std::string& note : notes_)
    note = attribution::with_original_names(note, resolved_->model());
  notes_.insert(notes_.end(), collected_.notes.begin(), collected_.notes.end());
  if (!first_.info.notes.empty()) notes_.push_back(first_.info.notes);
  if (busy)
    notes_.emplace_back(
        "other processes used the processors during runs that had to be kept; close them, or run "
        "longer with --budget");
  return std::move(notes_);
}

/// Attributes again with what a check run shows. A check that fails leaves a note.
Result<void> Job::apply_values(const attribution::OptimizedGraph& optimized,
                               const attribution::OptimizedGraph* reference,
                               attribution::Attribution& attribution) {
  show("checking values");
  Result<ValueCheck> check =
      check_values({*resolved_, *request_, material_, optimized, attribution});
  if (!check.ok()) {
    notes_.push_back("values were not checked: " + check.error().summary());
    return {};
  }
  attribution::CheckedAttribution by_value =
      TRY(attribution::attribute(*resolved_, material_.copy, optimized, reference, check->trials));
  for (std::string& note : value_notes(*check, attribution, by_value, *resolved_))
    notes_.push_back(std::move(note));
  attribution = std::move(by_value.attribution);
  return {};
}

Result<profile::Profile> Job::finish(const std::vector<Kept>& kept) {
  if (!any_measured_)
    return environment_error("RIDGE-MEAS-0003",
                             "nothing was measured: no process finished a pair of runs")
        .hint("measure longer with --budget, or see the notes above");
  show("attributing layers to nodes");
  attribution::OptimizedGraph optimized = TRY(optimized_of(first_.graph, first_.info));
  optimized.block = request_->channel_block;
  const std::vector<attribution::KernelEvent> events = events_of(collected_);
  attribution::size_tensors(optimized, events);
  const std::vector<graph::NodeId> kernels = kernels_of(collected_, optimized);
  const auto reference = TRY(reference_graph(material_, optimized, *request_));
  attribution::Attribution attribution = TRY(attribution::attribute(
      *resolved_, material_.copy, optimized, reference ? &*reference : nullptr));
  if (request_->check_values)
    TRY(apply_values(optimized, reference ? &*reference : nullptr, attribution));
  const std::vector<bool> ran = executed(attribution, kernels);
  if (auto note = missing_note(attribution, ran, *resolved_)) notes_.push_back(std::move(*note));
  attribution::drop_unexecuted(attribution, ran);
  if (!optimized.listed.empty())
    attribution::drop_views(attribution, *resolved_, timed(collected_, kernels, optimized));
  const Estimates estimates =
      estimate(collected_.processes, kept, collected_.kernels.size(), cost_);

  profile::Profile p;
  p.subject = subject();
  p.batch = profile::batch_of(*resolved_);
  const std::vector<std::uint32_t> layers =
      join({*resolved_, optimized, attribution, kernels, collected_, estimates,
            request_->inputs.empty() ? analysis::TakePart::kAll : analysis::TakePart::kUnknown},
           p);
  summarize_threads(measured_, request_->runtime.threads, p.levels);
  record(measured_, {collected_, layers, p.layers}, request_->recorded_runs, p.timeline);
  if (unmeasured(p))
    leave_times_unknown(p);
  else if (p.latency.ns.value > 0)
    p.items_per_s = static_cast<double>(p.batch) / p.latency.ns.value * 1e9;
  for (std::string& note : notes(estimates.busy)) p.notes.push_back(std::move(note));
  if (auto note = unplaced_note(attribution, *resolved_)) p.notes.push_back(std::move(*note));
  if (!p.latency.ns.interval && !unmeasured(p))
    p.notes.emplace_back(
        "fewer than six runs of the model count, too few for 95 % intervals; measure longer with "
        "--budget, or with more --processes");
  if (auto note = drift_note(estimates.pairs)) p.notes.push_back(std::move(*note));
  for (std::string& note : self_check_notes(p)) p.notes.push_back(std::move(note));
  if (request_->progress) request_->progress->hide();
  return p;
}

}  // namespace ridge::measure
