#include "cli/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/json_writer.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/interrupt.h"
#include "cli/name_value.h"
#include "cli/runtime_source.h"
#include "cli/sizes.h"
#include "kernels/cpu/features.h"
#include "measure/known_sizes.h"
#include "measure/session.h"
#include "measure/verification.h"
#include "profile/summary.h"
#include "roofline/place.h"

namespace ridge::cli {
namespace {

Result<std::vector<int>> thread_counts(const std::string& text) {
  std::vector<int> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    char* last = nullptr;
    const std::string item = text.substr(at, end - at);
    const long n = std::strtol(item.c_str(), &last, 10);
    if (item.empty() || *last != '\0' || n < 1 || n > 4096)
      return usage_error("RIDGE-CLI-0021",
                         fmt::format("--threads '{}': '{}' is no number of threads", text, item))
          .hint("write --threads 2, or --threads 1,2 for a sweep");
    out.push_back(static_cast<int>(n));
    at = end + 1;
  }
  return out;
}

/// A processor per thread, each on a core of its own as long as there are cores; empty where there
/// are too few.
std::vector<std::uint32_t> processors_for(const machine::Host& host, int threads) {
  std::vector<std::uint32_t> first, second;
  std::vector<int> cores;
  for (const machine::Cpu& cpu : host.allowed) {
    const bool taken = std::find(cores.begin(), cores.end(), cpu.core) != cores.end();
    if (!taken) cores.push_back(cpu.core);
    (taken ? second : first).push_back(static_cast<std::uint32_t>(cpu.id));
  }
  first.insert(first.end(), second.begin(), second.end());
  if (first.size() < static_cast<std::size_t>(threads)) return {};
  first.resize(static_cast<std::size_t>(threads));
  return first;
}

/// Input name to file.
Result<std::map<std::string, std::string>> input_files(const MeasuringOptions& options) {
  std::map<std::string, std::string> out;
  for (const std::string& text : options.inputs) out.insert(TRY(name_and_value(text, "--input")));
  return out;
}

Result<measure::Request> request_of(const MeasuringOptions& options, const machine::Host& host,
                                    const std::string& runtime, int threads, Progress* progress) {
  measure::Request r;
  r.runtime.library = options.runtime_library;
  if (const runtime::KnownRuntime* known = runtime::known_runtime(runtime))
    r.runtime.folders = runtime_folders(*known);
  r.runtime.threads = static_cast<std::uint32_t>(threads);
  r.runtime.optimisation =
      runtime::optimisation_named(options.optimization).value_or(runtime::Optimisation::kAll);
  if (options.pin) r.runtime.cpus = processors_for(host, threads);
  r.runtime.interrupted = Interruption::flag();
  for (const std::string& text : options.runtime_options)
    r.runtime.entries.push_back(TRY(name_and_value(text, "--runtime-option")));
  r.inputs = TRY(input_files(options));
  r.runtime.plugin = TRY(runtime::find_plugin(runtime));
  r.plan.budget = Nanos{static_cast<std::int64_t>(options.budget_s * 1e9)};
  r.plan.threads = options.level != "layer";
  r.plan.counters = options.level == "counter";
  r.processes = options.processes;
  r.weights_as_is = options.weights == "as-is";
  r.seed = options.seed;
  r.processors = static_cast<int>(host.allowed.size());
  // MLAS packs channels by the width of a register (NchwcBlockSize): 16 with AVX-512, else 8.
  r.channel_block = kernels::detect_features(kernels::native_cpuid()).avx512 ? 16 : 8;
  r.progress = progress;
  return r;
}

}  // namespace

Result<std::vector<Point>> points_of(const MeasuringOptions& options) {
  const SizeFlags flags = TRY(parse_sizes(options.binds, options.shapes));
  const std::vector<int> threads = TRY(thread_counts(options.threads));
  std::vector<Point> out;
  for (const std::string& runtime : options.runtimes)
    for (const int n : threads)
      for (analysis::Bindings& bindings : TRY(sweep_points(flags)))
        out.push_back({std::move(bindings), n, runtime});
  return out;
}

Result<std::vector<Point>> with_arrays(std::vector<Point> points, const MeasuringOptions& options,
                                       const graph::Model& model) {
  const auto files = TRY(input_files(options));
  for (Point& point : points)
    point.bindings = TRY(measure::with_arrays(model, std::move(point.bindings), files));
  return points;
}

Result<analysis::Resolved> Workbench::resolve(const Point& point) const {
  Result<analysis::Resolved> resolved =
      analysis::resolve(opened.model, point.bindings, opened.defaults);
  if (progress) progress->hide();
  if (resolved.ok())
    for (const std::string& note : resolved->notes())
      if (said.insert(note).second) warn(console, model, note);
  return resolved;
}

Result<profile::Profile> Workbench::measure(const analysis::Resolved& resolved,
                                            const Point& point) const {
  const measure::Request request = TRY(this->request(point.runtime, point.threads));
  return completed(measure::profile_model(resolved, request));
}

namespace {

/// How long parts and whole model take in turns: a round has two runs of each, and the parts are
/// half as long as the whole on average.
double verifying_ns(const measure::Request& request, std::uint32_t parts,
                    const profile::Profile& p) {
  const double longest =
      std::max(static_cast<double>(request.plan.budget.count) * (parts + 1),
               2 * p.latency.ns.median * request.plan.min_rounds * (1 + 0.5 * parts));
  return request.processes * (longest + static_cast<double>(p.load_ns) * (1 + 0.5 * parts));
}

}  // namespace

Result<void> Workbench::verify(const analysis::Resolved& resolved, const Point& point,
                               profile::Profile& p) const {
  const measure::Request request =
      TRY(request_of(options, host, point.runtime, point.threads, progress));
  console.err.write(fmt::format(
      "verifying layer times at up to {}: {} of {} parts and the whole model in turns, about {}\n",
      counted(options.verify, "cut"), counted(options.processes, "process"), options.verify,
      duration(verifying_ns(request, options.verify, p))));
  return measure::verify(resolved, request, options.verify, p);
}

Result<measure::Request> Workbench::request(const std::string& runtime, int threads) const {
  measure::Request out = TRY(request_of(options, host, runtime, threads, progress));
  out.runtime.warn = [this](const std::string& text) {
    if (progress) progress->hide();
    warn(console, model, text);
  };
  return out;
}

Result<profile::Profile> Workbench::completed(Result<profile::Profile> p) const {
  if (progress) progress->hide();
  if (!p.ok() && p.error().error_class() == ErrorClass::kInput)
    return std::move(p).error().in_file(model);
  if (!p.ok()) return std::move(p).error();
  p->host_json = machine::host_json(host);
  return p;
}

Result<std::string> Workbench::key(const analysis::Resolved& resolved, const Point& point,
                                   std::string_view runtime, std::string_view version) const {
  const measure::Request request =
      TRY(request_of(options, host, point.runtime, point.threads, nullptr));
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object().key("graph").value(graph::structure_hash(resolved.model()));
  json.key("sizes").begin_object();
  for (const auto& [name, bound] : resolved.bindings()) json.name(name).value(bound.value);
  json.end_object().key("inputs").begin_array();
  for (const graph::ValueId v : resolved.model().main().inputs) {
    json.begin_array();
    for (const ops::Dim d : resolved.type(v).shape.span())
      json.value(d.known() ? std::optional(d.value()) : std::nullopt);
    json.end_array();
  }
  json.end_array().key("runtime").value(runtime).key("version").value(version);
  json.key("options").begin_object();
  for (const auto& [name, value] : measure::options_of(request)) json.name(name).value(value);
  json.end_object().key("weights").value(options.weights).key("files").begin_object();
  for (const auto& [name, file] : request.inputs) json.name(name).value(file);
  json.end_object().key("host").value(profile::machine_name(machine::host_json(host)));
  json.key("ridge").value(ridge::version()).end_object();
  return sink.text();
}

void hold_against(const MachineRoofs& roofs, profile::Profile& p) {
  const std::int32_t n = std::atoi(p.subject.options["threads"].c_str());
  for (const profile::Roof& row : roofs.rows)
    if (row.threads == n) p.roofs.push_back(row);
  roofline::place(p, roofs.at(n));
}

}  // namespace ridge::cli
