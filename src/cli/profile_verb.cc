#include "cli/profile_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>

#include "base/file.h"
#include "base/progress.h"
#include "cli/cache_folder.h"
#include "cli/interrupt.h"
#include "cli/model_file.h"
#include "cli/roof_source.h"
#include "cli/sizes.h"
#include "export/chrome_trace.h"
#include "export/profile_table.h"
#include "measure/session.h"
#include "profile/json.h"
#include "profile/sweep.h"
#include "report/html.h"
#include "roofline/place.h"

namespace ridge::cli {
namespace {

using profile::Profile;

Result<std::pair<std::string, std::string>> split_pair(const std::string& text, std::string_view flag) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return usage_error("RIDGE-CLI-0020", fmt::format("{} '{}' has no name", flag, text)).hint(fmt::format("write {} name=value", flag));
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
      return usage_error("RIDGE-CLI-0021", fmt::format("--threads '{}': '{}' is no number of threads", text, item)).hint("write --threads 2, or --threads 1,2 for a sweep");
    out.push_back(static_cast<int>(n));
    at = end + 1;
  }
  return out;
}

/// A processor per thread, each on a core of its own as long as there are cores; empty where there are too few.
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

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Result<measure::Request> request_of(const ProfileOptions& options, const machine::Host& host, int threads, Progress* progress) {
  measure::Request r;
  r.runtime.library = options.runtime_library;
  r.runtime.folders = runtime::library_folders(environment("ONNXRUNTIME_ROOT"), user_cache());
  r.runtime.threads = static_cast<std::uint32_t>(threads);
  r.runtime.optimisation = runtime::optimisation_named(options.optimization).value_or(runtime::Optimisation::kAll);
  if (options.pin) r.runtime.cpus = processors_for(host, threads);
  r.runtime.interrupted = Interruption::flag();
  for (const std::string& text : options.runtime_options) r.runtime.entries.push_back(TRY(split_pair(text, "--runtime-option")));
  for (const std::string& text : options.inputs) r.inputs.insert(TRY(split_pair(text, "--input")));
  r.runtime.plugin = TRY(runtime::find_plugin(options.runtime));
  r.plan.budget = Nanos{static_cast<std::int64_t>(options.budget_s * 1e9)};
  r.processes = options.processes;
  r.weights_as_is = options.weights == "as-is";
  r.seed = options.seed;
  r.processors = static_cast<int>(host.allowed.size());
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

Result<Points> points_of(const ProfileOptions& options) {
  const SizeFlags flags = TRY(parse_sizes(options.binds, options.shapes));
  const std::vector<int> threads = TRY(thread_counts(options.threads));
  Points out;
  for (const int n : threads)
    for (analysis::Bindings& bindings : TRY(sweep_points(flags))) out.points.push_back({std::move(bindings), n});
  out.sweep = out.points.size() > 1;
  return out;
}

/// Everything that the points of a sweep share.
struct Workbench {
  const ProfileOptions& options;
  Console& console;
  machine::Host host;
  OpenedModel opened;
  MachineRoofs roofs;
  Progress* progress = nullptr;
};

Result<Profile> profile_point(const Workbench& bench, const Point& point) {
  const analysis::Resolved resolved = TRY(analysis::resolve(bench.opened.model, point.bindings, bench.opened.defaults));
  if (bench.progress) bench.progress->hide();
  for (const std::string& note : resolved.notes()) warn(bench.console, bench.options.model, note);
  const measure::Request request = TRY(request_of(bench.options, bench.host, point.threads, bench.progress));
  Profile p = TRY(measure::profile_model(resolved, request));
  p.host_json = machine::host_json(bench.host);
  for (const profile::Roof& row : bench.roofs.rows)
    if (row.threads == point.threads) p.roofs.push_back(row);
  roofline::place(p, bench.roofs.at(point.threads));
  return p;
}

void write_document(const profile::Sweep& sweep, bool is_sweep, const ProfileOptions& options, Sink& sink) {
  const Profile& first = sweep.profiles.front();
  if (options.format == "json") return is_sweep ? profile::write_json(sweep, sink) : profile::write_json(first, sink);
  for (const Profile& p : sweep.profiles) {
    if (options.format == "csv") sink.write(exports::profile_csv(p));
    else if (options.format == "md") sink.write(exports::profile_markdown(p, options.top));
    else if (options.format == "trace") exports::write_chrome_trace(p, sink);
    else sink.write(exports::profile_text(p, options.top) + (is_sweep ? "\n" : ""));
  }
  if (is_sweep && options.format == "table") sink.write(exports::sweep_text(sweep));
}

Result<void> write_report(const profile::Sweep& sweep, bool is_sweep, const Workbench& bench) {
  std::vector<roofline::Roofs> roofs;
  for (const profile::SweepPoint& point : sweep.points()) roofs.push_back(bench.roofs.at(static_cast<std::int32_t>(point.threads)));
  return write_file(bench.options.report, is_sweep ? report::sweep_page(sweep, roofs) : report::profile_page(sweep.profiles.front(), roofs.front()));
}

Result<int> run_profile(const ProfileOptions& options, Console& console) {
  const Points points = TRY(points_of(options));
  if (points.sweep && options.format == "trace")
    return usage_error("RIDGE-CLI-0022", "a trace holds one point, and this is a sweep").hint("give one size and one number of threads, or another --format");
  OpenedModel opened = TRY(open_model(options.model));
  Output output = TRY(Output::open(options.output, console));
  const Interruption gentle;
  Progress drawn(console.err, steady_clock(), console.columns);
  Workbench bench{options, console, machine::this_host(), std::move(opened), {}, console.err_is_terminal ? &drawn : nullptr};
  std::vector<int> threads;
  for (const Point& point : points.points) threads.push_back(point.threads);
  bench.roofs = TRY(machine_roofs(bench.host, threads, options.refresh_roofs, bench.progress, console));

  profile::Sweep sweep;
  for (const Point& point : points.points) {
    if (Interruption::requested()) break;
    Result<Profile> p = profile_point(bench, point);
    drawn.hide();
    if (!p.ok() && sweep.profiles.empty()) return std::move(p).error();
    if (!p.ok()) report(console, p.error());
    else sweep.profiles.push_back(std::move(*p));
  }
  if (sweep.profiles.empty()) return kInterrupted;
  write_document(sweep, points.sweep, options, output.sink());
  TRY(output.close());
  if (!options.report.empty()) TRY(write_report(sweep, points.sweep, bench));
  if (Interruption::requested()) return kInterrupted;
  return sweep.profiles.size() < points.points.size() ? kCheckFailed : kDone;
}

}  // namespace

int profile(const ProfileOptions& options, Console& console) {
  const Result<int> status = run_profile(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_profile(CLI::App& app) {
  auto o = std::make_shared<ProfileOptions>();
  app.add_option("MODEL", o->model, "an ONNX file, or zoo:NAME")->required();
  app.add_option("--bind", o->binds, "free sizes by name: batch=8; several values make a sweep: batch=1,2,4")->expected(1);
  app.add_option("--shape", o->shapes, "a whole input: input=1x3x224x224; repeatable")->expected(1);
  app.add_option("--runtime", o->runtime, "which runtime: ort")->check(CLI::IsMember({"ort"}));
  app.add_option("--threads", o->threads, "threads of the runtime (1); several make a sweep: 1,2");
  app.add_option("--optimization", o->optimization, "the runtime's level: all, extended, basic or disable")->check(CLI::IsMember({"all", "extended", "basic", "disable"}));
  app.add_option("--weights", o->weights, "weights given as constants: seeded (replaced by seeded numbers) or as-is")->check(CLI::IsMember({"seeded", "as-is"}));
  app.add_option("--input", o->inputs, "an input's elements: name=file.npy; repeatable")->expected(1);
  app.add_option("--runtime-library", o->runtime_library, "the runtime's library to use, a path");
  app.add_option("--runtime-option", o->runtime_options, "an option of the runtime: key=value; repeatable")->expected(1);
  app.add_flag("!--no-pin", o->pin, "let the system place the runtime's threads");
  app.add_option("--processes", o->processes, "how many processes measure, one after the other (3)")->check(CLI::Range(1, 100));
  app.add_option("--budget", o->budget_s, "seconds that each process measures (2); at least ten pairs of runs")->check(CLI::Range(0.0, 3600.0));
  app.add_option("--seed", o->seed, "of inputs and seeded weights (1)");
  app.add_flag("--refresh-roofs", o->refresh_roofs, "measure this machine's roofs again");
  app.add_option("--format", o->format, "table, json, csv, md or trace (Chrome trace events)")->check(CLI::IsMember({"table", "json", "csv", "md", "trace"}));
  app.add_option("--top", o->top, "layers in the table, slowest first (15); 0 shows all");
  app.add_option("--output", o->output, "write the document to this file");
  app.add_option("--report", o->report, "write the report, one HTML file, to this path");
  return [o](Console& console) { return profile(*o, console); };
}

}  // namespace ridge::cli
