// SPDX-License-Identifier: Apache-2.0
#include "session/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "base/hash/sha256.h"
#include "base/text.h"
#include "base/version.h"
#include "kernels/cpu/features.h"
#include "measure/session.h"
#include "measure/verification.h"
#include "runtime/paths.h"
#include "session/processor_choice.h"
#include "session/resolve_point.h"
#include "session/run_key.h"

namespace ridge::session {
namespace {

/// Estimated duration of verification. A round has two runs of the whole model and of each part; on
/// average a part takes half the time of the whole.
double verifying_ns(const measure::Request& request, std::uint32_t parts,
                    const profile::Profile& p) {
  const double longest =
      std::max(static_cast<double>(request.plan.budget.count) * (parts + 1),
               2 * p.latency.ns.value * request.plan.min_rounds * (1 + 0.5 * parts));
  return request.processes * (longest + static_cast<double>(p.load_ns) * (1 + 0.5 * parts));
}

}  // namespace

Result<analysis::Resolved> Workbench::resolve(const Point& point) const {
  return resolve_point(opened, point.bindings, {model, environment, warned});
}

Result<Measured> Workbench::measure(const analysis::Resolved& resolved, const Point& point,
                                    RoofSource& roofs) const {
  const std::span<const int> threads(&point.threads, spec.pin ? 1 : 0);
  const ProcessorScope scope(environment, threads);
  const measure::Request request = TRY(this->request(point));
  profile::Profile p = TRY(in_file(measure::profile_model(resolved, request)));
  Result<void> verified;
  if (spec.verify > 0 && !environment.stopped()) verified = verify(resolved, point, p);
  if (!verified.ok()) p.verification.reason = verified.error().summary();
  Measured out{finish(std::move(p), roofs), {}};
  if (!verified.ok()) out.verification_error = std::move(verified).error();
  return out;
}

/// Verifies layer times against parts of the model, at up to spec.verify cuts. Reports the
/// estimated duration first.
Result<void> Workbench::verify(const analysis::Resolved& resolved, const Point& point,
                               profile::Profile& p) const {
  measure::Request request = TRY(this->request(point));
  request.runtime.warn = {};  // already reported by the runs of the whole model
  environment.notices.status(fmt::format(
      "verifying layer times at up to {}: {} of {} parts and the whole model in turns, about {}",
      counted(spec.verify, "cut"), counted(spec.processes, "process"), spec.verify,
      duration(verifying_ns(request, spec.verify, p))));
  return measure::verify(resolved, request, spec.verify, p);
}

runtime::Options Workbench::options_at(const Point& point) const {
  runtime::Options out;
  out.threads = static_cast<std::uint32_t>(point.threads);
  out.optimization = spec.optimization;
  if (spec.pin) out.cpus = choose_processors(environment, point.threads);
  out.entries = spec.runtime_options;
  return out;
}

Result<measure::Request> Workbench::request(const Point& point) const {
  measure::Request r;
  r.runtime = options_at(point);
  r.runtime.library = spec.runtime_library;
  const runtime::KnownRuntime* known = runtime::known_runtime(point.runtime);
  if (known != nullptr && environment.library_folders)
    r.runtime.folders = environment.library_folders(*known);
  r.runtime.interrupted = environment.stop;
  r.runtime.plugin = TRY(plugin_of(spec, point.runtime, environment.plugin_folder));
  r.runtime.warn = [this](const std::string& text) {
    environment.hide_progress();
    environment.notices.warn(model, text);
  };
  r.inputs = spec.inputs;
  r.plan.budget = Nanos{static_cast<std::int64_t>(process_s * 1e9)};
  r.plan.threads = spec.level != RecordedLevel::kLayer;
  r.plan.counters = spec.level == RecordedLevel::kCounter;
  r.processes = spec.processes;
  r.weights_as_is = spec.weights == WeightSource::kAsIs;
  r.check_values = spec.check_values;
  r.seed = spec.seed;
  r.processors = static_cast<int>(environment.host.allowed.size());
  // MLAS packs channels by the width of a register (NchwcBlockSize): 16 with AVX-512, else 8.
  r.channel_block = kernels::detect_features(kernels::native_cpuid()).avx512 ? 16 : 8;
  r.progress = environment.progress;
  return r;
}

Result<profile::Profile> Workbench::in_file(Result<profile::Profile> p) const {
  environment.hide_progress();
  if (!p.ok() && p.error().error_class() == ErrorClass::kInput)
    return std::move(p).error().in_file(model);
  return p;
}

Result<std::map<std::string, std::string>> Workbench::options_in_keys(const Point& point) const {
  measure::Request request;
  request.runtime = options_at(point);
  request.runtime.cpus = processors_in_keys(environment.host, request.runtime.cpus);
  auto out = measure::options_of(request);
  // The version of a plug-in that is being written may stay the same from build to build.
  if (const auto own = spec.plugins.find(point.runtime); own != spec.plugins.end())
    out["plugin_sha256"] = TRY(sha256_of_file(own->second));
  return out;
}

Result<RunKey> Workbench::run_key(const analysis::Resolved& resolved, const Point& point) const {
  auto options = TRY(options_in_keys(point));
  RunKey out{.graph = graph::structure_hash(resolved.model()),
             .sizes = {},
             .inputs = {},
             .runtime = point.runtime,
             .version = {},
             .options = std::move(options),
             .weights = spec.weights,
             .files = spec.inputs,
             .host = environment.host.identity(),
             .ridge = std::string(ridge::version())};
  for (const auto& [name, bound] : resolved.bindings()) out.sizes[name] = bound.value;
  for (const graph::ValueId v : resolved.model().main().inputs) {
    auto& shape = out.inputs.emplace_back();
    for (const ops::Dim d : resolved.type(v).shape.span())
      shape.push_back(d.known() ? std::optional(d.value()) : std::nullopt);
  }
  return out;
}

Result<std::string> Workbench::key(const analysis::Resolved& resolved, const Point& point,
                                   std::string_view runtime, std::string_view version) const {
  RunKey out = TRY(run_key(resolved, point));
  out.runtime = runtime;
  out.version = version;
  return text_of(out);
}

Result<std::string> Workbench::request_key(const analysis::Resolved& resolved,
                                           const Point& point) const {
  return point_key(TRY(run_key(resolved, point)));
}

Result<Workbench> make_workbench(const std::string& model, const MeasureSpec& spec,
                                 const Environment& environment) {
  OpenedModel opened = TRY(open_model(model));
  return Workbench{model, spec, environment, std::move(opened),
                   spec.budget.of_process_s(spec.processes * count_points(spec))};
}

}  // namespace ridge::session
