// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/profile_verb.h"

#include <memory>

#include "cli/flags/document_options.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "export/formats/chrome_trace.h"
#include "export/profile/table.h"
#include "profile/describe.h"
#include "profile/describe_sweep.h"
#include "report/profile/page.h"
#include "session/run_recorder.h"
#include "session/series.h"

namespace ridge::cli {
namespace {

using profile::Profile;
using session::RunRecorder;
using session::Series;

std::string page_of(const Series& points) {
  std::vector<roofline::Roofs> roofs;
  for (const profile::SweepPoint& point : points.sweep.points())
    roofs.push_back(points.roofs.at(static_cast<std::int32_t>(point.threads)));
  return points.is_sweep ? report::sweep_page(points.sweep, roofs)
                         : report::profile_page(points.sweep.profiles.front(), roofs.front());
}

void write_series_text(const Series& points, std::size_t top, Sink& sink) {
  for (const Profile& p : points.sweep.profiles)
    sink.write(exports::profile_text(p, top) + (points.is_sweep ? "\n" : ""));
  if (points.is_sweep) sink.write(exports::sweep_text(points.sweep));
}

void write_series_document(const Series& points, std::size_t, const record::DocumentSink& out) {
  if (points.is_sweep) return out.write(points.sweep);
  out.write(points.sweep.profiles.front());
}

void write_series_csv(const Series& points, std::size_t, Sink& sink) {
  for (const Profile& p : points.sweep.profiles) sink.write(exports::profile_csv(p));
}

void write_series_markdown(const Series& points, std::size_t top, Sink& sink) {
  for (const Profile& p : points.sweep.profiles) sink.write(exports::profile_markdown(p, top));
  if (points.is_sweep) sink.write("\n" + exports::sweep_markdown(points.sweep));
}

/// Shown with the number of layers in tables.
constexpr Document<const Series&, std::size_t> kSeriesDocument = {
    .table = write_series_text,
    .described = write_series_document,
    .csv = write_series_csv,
    .md = write_series_markdown,
    .trace = [](auto& points, auto,
                Sink& sink) { exports::write_chrome_trace(points.sweep.profiles.front(), sink); },
    .html = [](auto& points, auto, Sink& sink) { sink.write(page_of(points)); }};

/// Writes document, report and store, in this order.
int write_outputs(const Series& points, const ProfileOptions& options, Output& output,
                  std::optional<RunRecorder>& recorder, Console& console) {
  Writing writing(console);
  kSeriesDocument.write(options.format, points, options.top, output.sink());
  writing.done(output.close());
  if (!options.report.empty())
    writing.done(Output::write(options.report, page_of(points), console));
  if (recorder)
    writing.done(
        recorder->finish(points.sweep.profiles, {output.place(), options.format == "json"}));
  if (points.roof_error) writing.failed(*points.roof_error);
  return Interruption::requested() ? kInterrupted
                                   : writing.status(points.complete ? kDone : kCheckFailed);
}

Result<int> run_profile(const ProfileOptions& options, Console& console) {
  const session::MeasureSpec spec = TRY(spec_of(options.measuring));
  const bool is_sweep = session::count_points(spec) > 1;
  if (options.format == "trace" && is_sweep)
    return usage_error("RIDGE-CLI-0022",
                       "--format trace requires a single point, but this is a sweep")
        .hint("give one size, thread count and runtime, or another --format");
  Output output = TRY(Output::open(options.output, console));
  const ConsoleEnvironment environment(console);
  std::optional<RunRecorder> recorder = TRY(RunRecorder::open(options.store, *environment));
  const Interruption interruption;
  session::OnPoint keep;
  if (recorder) {
    recorder->assess_host();
    // Points of a sweep are stored at once, a single point after the document.
    const auto when = is_sweep ? RunRecorder::When::kNow : RunRecorder::When::kAfterDocument;
    keep = [&recorder, when](const Profile& p, const std::string& key) {
      recorder->add(p, key, when);
    };
  }
  const Series points = TRY(session::measure_series(options.model, spec, *environment, keep));
  return write_outputs(points, options, output, recorder, console);
}

}  // namespace

int profile(const ProfileOptions& options, Console& console) {
  const Result<int> status = run_profile(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_profile(Flags& flags) {
  auto o = std::make_shared<ProfileOptions>();
  flags.add("MODEL", o->model, "an ONNX file, or zoo:NAME").required();
  add_measuring_options(flags, o->measuring);
  flags
      .add("--level", o->measuring.level,
           "level of detail, recorded in additional untimed runs: layer, thread (work of each "
           "thread) or counter (also hardware and system events)")
      .one_of({"layer", "thread", "counter"});
  flags
      .add("--verify", o->measuring.verify,
           "verify layer times: cut the model at N places (5) and measure the parts without the "
           "profiler")
      .count(0, 1)
      .without_value("5")
      .range(1, session::kMaxCuts)
      .shown_as("[N]");
  flags.add("--check-values", o->measuring.check_values,
            "decide by values what names do not: run the model and the runtime's optimized graph, "
            "and match tensors that are equal (evidence value); at most 32 runs with 128 MiB of "
            "values each");
  add_document_options(flags, o->format, o->output, kSeriesDocument.formats());
  flags.add("--top", o->top, "layers in the table, slowest first (15); 0 shows all");
  add_report_option(flags, o->report);
  flags.add("--store", o->store, "store every point in this run database (ridge runs)")
      .writes(Writes::kStore);
  return [o](Console& console) { return profile(*o, console); };
}

}  // namespace ridge::cli
