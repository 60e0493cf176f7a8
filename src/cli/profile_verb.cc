#include "cli/profile_verb.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "base/file.h"
#include "cli/interrupt.h"
#include "cli/run_keeper.h"
#include "export/chrome_trace.h"
#include "export/profile_table.h"
#include "profile/json.h"
#include "report/html.h"

namespace ridge::cli {
namespace {

using profile::Profile;

void write_document(const MeasuredPoints& points, const ProfileOptions& options, Sink& sink) {
  const profile::Sweep& sweep = points.sweep;
  if (options.format == "json")
    return points.many ? profile::write_json(sweep, sink)
                       : profile::write_json(sweep.profiles.front(), sink);
  if (options.format == "trace") return exports::write_chrome_trace(sweep.profiles.front(), sink);
  for (const Profile& p : sweep.profiles) {
    if (options.format == "csv")
      sink.write(exports::profile_csv(p));
    else if (options.format == "md")
      sink.write(exports::profile_markdown(p, options.top));
    else
      sink.write(exports::profile_text(p, options.top) + (points.many ? "\n" : ""));
  }
  if (points.many && options.format == "table") sink.write(exports::sweep_text(sweep));
}

Result<void> write_report(const MeasuredPoints& points, const std::string& path) {
  std::vector<roofline::Roofs> roofs;
  for (const profile::SweepPoint& point : points.sweep.points())
    roofs.push_back(points.roofs.at(static_cast<std::int32_t>(point.threads)));
  return write_file(path, points.many
                              ? report::sweep_page(points.sweep, roofs)
                              : report::profile_page(points.sweep.profiles.front(), roofs.front()));
}

Result<int> run_profile(const ProfileOptions& options, Console& console) {
  if (options.format == "trace" && TRY(count_points(options.measuring)) > 1)
    return usage_error("RIDGE-CLI-0022", "a trace holds one point, and this is a sweep")
        .hint("give one size and one number of threads, or another --format");
  Output output = TRY(Output::open(options.output, console));
  std::optional<RunKeeper> keeper = TRY(RunKeeper::open(options.store, console));
  const Interruption gentle;
  OnPoint keep;
  if (keeper) {
    keeper->look_at(machine::this_host());
    keep = [&](const Profile& p, const std::string& key) -> Result<void> {
      TRY(keeper->keep(p, key));
      return {};
    };
  }
  const MeasuredPoints points =
      TRY(measure_points(options.model, options.measuring, console, keep));
  write_document(points, options, output.sink());
  TRY(output.close());
  if (!options.report.empty()) TRY(write_report(points, options.report));
  if (Interruption::requested()) return kInterrupted;
  return points.whole ? kDone : kCheckFailed;
}

}  // namespace

int profile(const ProfileOptions& options, Console& console) {
  const Result<int> status = run_profile(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_profile(CLI::App& app) {
  auto o = std::make_shared<ProfileOptions>();
  app.add_option("MODEL", o->model, "an ONNX file, or zoo:NAME")->required();
  add_measuring_options(app, o->measuring);
  app.add_option("--level", o->measuring.level,
                 "how deep to record, in runs beside those that are timed: layer, thread (each "
                 "thread's work) or counter (hardware and system events as well)")
      ->check(CLI::IsMember({"layer", "thread", "counter"}));
  app.add_option("--format", o->format, "table, json, csv, md or trace (Chrome trace events)")
      ->check(CLI::IsMember({"table", "json", "csv", "md", "trace"}));
  app.add_option("--top", o->top, "layers in the table, slowest first (15); 0 shows all");
  app.add_option("--output", o->output, "write the document to this file");
  app.add_option("--report", o->report, "write the report, one HTML file, to this path");
  app.add_option("--store", o->store, "keep every point in this run database (ridge runs)");
  return [o](Console& console) { return profile(*o, console); };
}

}  // namespace ridge::cli
