#include "cli/measuring.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "base/progress.h"
#include "cli/interrupt.h"
#include "cli/model_file.h"
#include "cli/runtime_source.h"
#include "cli/sizes.h"
#include "kernels/cpu/features.h"
#include "measure/session.h"
#include "roofline/place.h"

namespace ridge::cli {
namespace {

using profile::Profile;

Result<std::pair<std::string, std::string>> split_pair(const std::string& text,
                                                       std::string_view flag) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return usage_error("RIDGE-CLI-0020", fmt::format("{} '{}' has no name", flag, text))
        .hint(fmt::format("write {} name=value", flag));
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

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

Result<measure::Request> request_of(const MeasuringOptions& options, const machine::Host& host,
                                    int threads, Progress* progress) {
  measure::Request r;
  r.runtime.library = options.runtime_library;
  if (const runtime::KnownRuntime* known = runtime::known_runtime(options.runtime))
    r.runtime.folders = runtime_folders(*known);
  r.runtime.threads = static_cast<std::uint32_t>(threads);
  r.runtime.optimisation =
      runtime::optimisation_named(options.optimization).value_or(runtime::Optimisation::kAll);
  if (options.pin) r.runtime.cpus = processors_for(host, threads);
  r.runtime.interrupted = Interruption::flag();
  for (const std::string& text : options.runtime_options)
    r.runtime.entries.push_back(TRY(split_pair(text, "--runtime-option")));
  for (const std::string& text : options.inputs) r.inputs.insert(TRY(split_pair(text, "--input")));
  r.runtime.plugin = TRY(runtime::find_plugin(options.runtime));
  r.plan.budget = Nanos{static_cast<std::int64_t>(options.budget_s * 1e9)};
  r.processes = options.processes;
  r.weights_as_is = options.weights == "as-is";
  r.seed = options.seed;
  r.processors = static_cast<int>(host.allowed.size());
  // MLAS packs channels by the width of a register (NchwcBlockSize): 16 with AVX-512, else 8.
  r.channel_block = kernels::detect_features(kernels::native_cpuid()).avx512 ? 16 : 8;
  r.progress = progress;
  return r;
}

struct Point {
  analysis::Bindings bindings;
  int threads = 1;
};

struct Points {
  std::vector<Point> points;
  bool sweep = false;
};

Result<Points> points_of(const MeasuringOptions& options) {
  const SizeFlags flags = TRY(parse_sizes(options.binds, options.shapes));
  const std::vector<int> threads = TRY(thread_counts(options.threads));
  Points out;
  for (const int n : threads)
    for (analysis::Bindings& bindings : TRY(sweep_points(flags)))
      out.points.push_back({std::move(bindings), n});
  out.sweep = out.points.size() > 1;
  return out;
}

/// Everything that the points of a sweep share.
struct Workbench {
  const std::string& model;
  const MeasuringOptions& options;
  Console& console;
  machine::Host host;
  OpenedModel opened;
  Progress* progress = nullptr;
};

Result<Profile> profile_point(const Workbench& bench, const Point& point) {
  const analysis::Resolved resolved =
      TRY(analysis::resolve(bench.opened.model, point.bindings, bench.opened.defaults));
  if (bench.progress) bench.progress->hide();
  for (const std::string& note : resolved.notes()) warn(bench.console, bench.model, note);
  const measure::Request request =
      TRY(request_of(bench.options, bench.host, point.threads, bench.progress));
  Result<Profile> p = measure::profile_model(resolved, request);
  if (!p.ok() && p.error().error_class() == ErrorClass::kInput)
    return std::move(p).error().in_file(bench.model);
  if (!p.ok()) return std::move(p).error();
  p->host_json = machine::host_json(bench.host);
  return p;
}

/// Profiles what can be profiled. A point that fails is printed and the rest goes on; the last
/// error comes back where all fail.
Result<std::vector<Profile>> profile_points(const Workbench& bench,
                                            const std::vector<Point>& points) {
  std::vector<Profile> out;
  for (std::size_t i = 0; i < points.size() && !Interruption::requested(); ++i) {
    Result<Profile> p = profile_point(bench, points[i]);
    if (bench.progress) bench.progress->hide();
    const bool last = i + 1 == points.size();
    if (!p.ok() && last && out.empty()) return std::move(p).error();
    if (!p.ok())
      report(bench.console, p.error());
    else
      out.push_back(std::move(*p));
  }
  if (out.empty())
    return environment_error("RIDGE-CLI-0023", "interrupted before anything was measured");
  return out;
}

}  // namespace

Result<std::size_t> count_points(const MeasuringOptions& options) {
  return TRY(points_of(options)).points.size();
}

Result<MeasuredPoints> measure_points(const std::string& model, const MeasuringOptions& options,
                                      Console& console) {
  const Points points = TRY(points_of(options));
  OpenedModel opened = TRY(open_model(model));
  Progress drawn(console.err, steady_clock(), console.columns);
  const Workbench bench{model,
                        options,
                        console,
                        machine::this_host(),
                        std::move(opened),
                        console.err_is_terminal ? &drawn : nullptr};
  MeasuredPoints out;
  out.many = points.sweep;
  out.sweep.profiles = TRY(profile_points(bench, points.points));
  out.whole = out.sweep.profiles.size() == points.points.size() && !Interruption::requested();

  // The roofs come last: what is wrong with the model or the options shows before they are
  // measured.
  std::vector<int> threads;
  for (const Point& point : points.points) threads.push_back(point.threads);
  out.roofs =
      TRY(machine_roofs(bench.host, threads, options.refresh_roofs, bench.progress, console));
  for (Profile& p : out.sweep.profiles) {
    const std::int32_t n = std::atoi(p.subject.options["threads"].c_str());
    for (const profile::Roof& row : out.roofs.rows)
      if (row.threads == n) p.roofs.push_back(row);
    roofline::place(p, out.roofs.at(n));
  }
  return out;
}

void add_measuring_options(CLI::App& app, MeasuringOptions& o) {
  app.add_option("--bind", o.binds,
                 "free sizes by name: batch=8; several values make a sweep: batch=1,2,4")
      ->allow_extra_args(false);
  app.add_option("--shape", o.shapes, "a whole input: input=1x3x224x224; repeatable")
      ->allow_extra_args(false);
  std::vector<std::string> runtimes;
  for (const runtime::KnownRuntime& known : runtime::known_runtimes())
    runtimes.emplace_back(known.name);
  app.add_option("--runtime", o.runtime, "which runtime: ort (ONNX Runtime) or openvino")
      ->check(CLI::IsMember(runtimes));
  app.add_option("--threads", o.threads, "threads of the runtime (1); several make a sweep: 1,2");
  app.add_option("--optimization", o.optimization,
                 "the runtime's level: all, extended, basic or disable")
      ->check(CLI::IsMember({"all", "extended", "basic", "disable"}));
  app.add_option("--weights", o.weights,
                 "weights given as constants: seeded (replaced by seeded numbers) or as-is")
      ->check(CLI::IsMember({"seeded", "as-is"}));
  app.add_option("--input", o.inputs, "an input's elements: name=file.npy; repeatable")
      ->allow_extra_args(false);
  app.add_option("--runtime-library", o.runtime_library, "the runtime's library to use, a path");
  app.add_option("--runtime-option", o.runtime_options,
                 "an option of the runtime: key=value; repeatable")
      ->allow_extra_args(false);
  app.add_flag_callback(
      "--no-pin", [&o] { o.pin = false; }, "let the system place the runtime's threads");
  app.add_option("--processes", o.processes, "how many processes measure, one after the other (3)")
      ->check(CLI::Range(1, 100))
      ->option_text("1..100");
  app.add_option("--budget", o.budget_s,
                 "seconds that each process measures (2); at least ten pairs of runs")
      ->check(CLI::Range(0.0, 3600.0))
      ->option_text("SECONDS");
  app.add_option("--seed", o.seed, "of inputs and seeded weights (1)");
  app.add_flag("--refresh-roofs", o.refresh_roofs, "measure this machine's roofs again");
}

}  // namespace ridge::cli
