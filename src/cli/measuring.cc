#include "cli/measuring.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/duration.h"
#include "cli/interrupt.h"
#include "cli/model_sizes.h"
#include "cli/runtime_source.h"
#include "cli/workbench.h"
#include "measure/session.h"

namespace ridge::cli {
namespace {

using profile::Profile;

/// Measures point after point, the roofs once the first is there: what is wrong with the model or
/// the options shows before they are measured.
class Series {
 public:
  Series(const Workbench& bench, const std::vector<Point>& points, const OnPoint& on_point)
      : bench_(bench), points_(points), on_point_(on_point) {}

  /// A point that fails is printed and the rest goes on; the last error comes back where all fail.
  Result<MeasuredPoints> run() {
    out_.many = points_.size() > 1;
    for (std::size_t i = 0; i < points_.size() && going_on(); ++i) {
      Result<Profile> p = measure(points_[i]);
      const bool last = i + 1 == points_.size();
      if (!p.ok() && last && out_.sweep.profiles.empty()) return std::move(p).error();
      if (!p.ok())
        fail(p.error());
      else
        keep(std::move(*p));
    }
    if (out_.sweep.profiles.empty())
      return environment_error("RIDGE-CLI-0023", "interrupted before anything was measured");
    out_.whole &= out_.sweep.profiles.size() == points_.size() && !Interruption::requested();
    return std::move(out_);
  }

 private:
  bool going_on() const { return !out_.failure && !Interruption::requested(); }

  Result<Profile> measure(const Point& point) {
    const analysis::Resolved resolved = TRY(bench_.resolve(point));
    Profile p = TRY(bench_.measure(resolved, point));
    if (bench_.options.verify > 0 && !Interruption::requested()) verify(resolved, point, p);
    if (on_point_)
      key_ = TRY(bench_.key(resolved, point, p.subject.runtime, p.subject.runtime_version));
    return p;
  }

  /// What was measured counts without it.
  void verify(const analysis::Resolved& resolved, const Point& point, Profile& p) {
    const Result<void> verified = bench_.verify(resolved, point, p);
    if (verified.ok()) return;
    p.verification.reason = verified.error().summary();
    if (!Interruption::requested()) fail(verified.error());
  }

  /// What was measured is kept, with roofs or without.
  void keep(Profile p) {
    if (out_.sweep.profiles.empty()) {
      Result<void> roofs = measure_roofs();
      if (!roofs.ok()) out_.failure = std::move(roofs).error();
    }
    if (!out_.failure) hold_against(out_.roofs, p);
    if (on_point_) on_point_(p, key_);
    out_.sweep.profiles.push_back(std::move(p));
  }

  Result<void> measure_roofs() {
    std::vector<int> threads;
    for (const Point& point : points_) threads.push_back(point.threads);
    out_.roofs = TRY(machine_roofs(bench_.host, threads, bench_.options.refresh_roofs,
                                   bench_.progress, bench_.console));
    return {};
  }

  void fail(const Error& error) {
    report(bench_.console, error);
    out_.whole = false;
  }

  const Workbench& bench_;
  const std::vector<Point>& points_;
  const OnPoint& on_point_;
  std::string key_;  ///< of the point measured last
  MeasuredPoints out_;
};

}  // namespace

Result<MeasuringOptions> of_one_model(const MeasuringOptions& options, const std::string& model,
                                      const std::vector<std::string>& models) {
  TRY(check_model_names(models, options.binds, options.shapes));
  MeasuringOptions out = options;
  out.binds = binds_of(model, models, options.binds);
  out.shapes = shapes_of(model, models, options.shapes);
  return out;
}

Result<void> check_own_options(const MeasuringOptions& options) {
  if (options.runtimes.size() > 1 &&
      (!options.runtime_library.empty() || !options.runtime_options.empty()))
    return usage_error("RIDGE-CLI-0051",
                       "--runtime-library and --runtime-option are for one runtime")
        .hint("measure each runtime with its own");
  return {};
}

Result<MeasuringOptions> timed(const MeasuringOptions& options, std::size_t measurements) {
  MeasuringOptions out = options;
  if (!options.budget.empty())
    out.budget_s =
        TRY(parse_time_budget(options.budget)).of_process_s(options.processes * measurements);
  return out;
}

Result<std::size_t> count_points(const MeasuringOptions& options) {
  return TRY(points_of(options)).size();
}

Result<MeasuredPoints> measure_points(const std::string& model, const MeasuringOptions& options,
                                      Console& console, const OnPoint& on_point) {
  TRY(check_own_options(options));
  std::vector<Point> points = TRY(points_of(options));
  const MeasuringOptions in_time = TRY(timed(options, points.size()));
  const SingleWorkbench bench(model, in_time, console, TRY(open_model(model)));
  points = TRY(with_arrays(std::move(points), options, *(*bench).opened.model));
  return Series(*bench, points, on_point).run();
}

namespace {

void add_runtime(CLI::App& app, MeasuringOptions& o, Asked asked) {
  if (asked == Asked::kPoint)
    take_runtime_names(
        app.add_option("--runtime", o.runtimes, "which runtime: ort (ONNX Runtime) or openvino")
            ->expected(1));
  else
    take_runtime_names(
        app.add_option("--runtime,--runtimes", o.runtimes,
                       asked == Asked::kColumns
                           ? "runtimes to measure the model in, in turns: ort,openvino"
                           : "which runtimes: ort (ONNX Runtime), openvino, or ort,openvino")
            ->delimiter(',')
            ->allow_extra_args(false));
}

void add_runtime_option(CLI::App& app, MeasuringOptions& o) {
  app.add_option("--runtime-option", o.runtime_options,
                 "an option of the runtime: key=value; repeatable")
      ->allow_extra_args(false);
}

}  // namespace

void add_measuring_options(CLI::App& app, MeasuringOptions& o, Asked asked) {
  const bool matrix = asked == Asked::kMatrix;
  app.add_option("--bind", o.binds,
                 matrix ? "free sizes by name: batch=8, several as batch=1,2,4; of one of several "
                          "models: MODEL:batch=8"
                        : "free sizes by name: batch=8; several values make a sweep: batch=1,2,4")
      ->allow_extra_args(false);
  app.add_option("--shape", o.shapes, "a whole input: input=1x3x224x224; repeatable")
      ->allow_extra_args(false);
  add_runtime(app, o, asked);
  app.add_option("--threads", o.threads, "threads of the runtime (1); several make a sweep: 1,2");
  app.add_option("--optimization", o.optimization,
                 "the runtime's level: all, extended, basic or disable")
      ->check(CLI::IsMember({"all", "extended", "basic", "disable"}));
  app.add_option("--weights", o.weights,
                 "weights given as constants: seeded (replaced by seeded numbers) or as-is")
      ->check(CLI::IsMember({"seeded", "as-is"}));
  app.add_option("--input", o.inputs,
                 "an input's elements, and its sizes: name=FILE, a .npy or .pb; repeatable")
      ->allow_extra_args(false);
  if (!matrix)
    app.add_option("--runtime-library", o.runtime_library, "the runtime's library to use, a path");
  add_runtime_option(app, o);
  app.add_flag_callback(
      "--no-pin", [&o] { o.pin = false; }, "let the system place the runtime's threads");
  app.add_option("--processes", o.processes,
                 fmt::format("how many processes measure, one after the other ({})", o.processes))
      ->check(CLI::Range(1, 100))
      ->option_text("1..100");
  if (!matrix)
    app.add_option("--budget", o.budget,
                   fmt::format("time to measure, of all processes together: 30s, 5m ({:g} s each); "
                               "at least ten pairs of runs",
                               o.budget_s))
        ->option_text("DURATION");
  app.add_option("--seed", o.seed, "of inputs and seeded weights (1)");
  if (asked != Asked::kColumns)
    app.add_flag("--refresh-roofs", o.refresh_roofs, "measure this machine's roofs again");
}

}  // namespace ridge::cli
