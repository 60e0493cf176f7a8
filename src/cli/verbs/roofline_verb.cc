// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/roofline_verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/point_table.h"
#include "compare/run_labels.h"
#include "export/profile/roofline_json.h"
#include "export/table.h"
#include "profile/summary.h"
#include "report/profile/page.h"
#include "roofline/bound.h"
#include "roofline/point_roof.h"
#include "session/run_source.h"
#include "session/series.h"

namespace ridge::cli {
namespace {

using profile::ModelPoint;

constexpr std::string_view kNotPlotted =
    "the work or bytes of some layers are unknown: the model is not plotted";

struct Points {
  std::vector<ModelPoint> points;
  std::vector<compare::RunFacts> facts;  ///< by point
  session::MachineRoofs roofs;
  std::vector<std::string> notes;  ///< input notes, without duplicates
  bool complete = true;
};

/// Appends its runtime to the name of each point if the points have different runtimes.
void append_runtimes(std::vector<ModelPoint>& points) {
  std::set<std::string> runtimes;
  for (const ModelPoint& p : points) runtimes.insert(p.runtime);
  if (runtimes.size() > 1)
    for (ModelPoint& p : points) p.name += ", " + p.runtime;
}

Result<void> add_document(const std::string& path, std::string_view here, Console& console,
                          Points& out) {
  for (const profile::Profile& p : TRY(session::load_profiles(path))) {
    const auto point = profile::point_of(p);
    if (!point) {
      warn(console, path, kNotPlotted);
      continue;
    }
    if (point->machine != here)
      warn(console, path,
           fmt::format("measured on {}, but plotted under the roofs of {}",
                       point->machine.empty() ? "an unknown machine" : point->machine, here));
    profile::add_input_notes(path, p, out.notes);
    out.points.push_back(*point);
    out.facts.push_back(compare::facts_of(p));
  }
  return {};
}

Result<void> add_model(const std::string& model, const RooflineOptions& options,
                       const session::Environment& environment, Points& out) {
  const session::MeasureSpec spec =
      TRY(spec_of_one_model(options.measuring, model, options.sources));
  session::Series measured = TRY(session::measure_series(model, spec, environment));
  if (measured.roof_error) return std::move(*measured.roof_error);
  out.complete &= measured.complete;
  for (const profile::Profile& p : measured.sweep.profiles) {
    profile::add_input_notes(model, p, out.notes);
    const auto point = profile::point_of(p);
    if (!point) {
      environment.notices.warn(model, kNotPlotted);
      continue;
    }
    out.points.push_back(*point);
    out.facts.push_back(compare::facts_of(p));
  }
  for (machine::Roof& row : measured.roofs.rows) out.roofs.rows.push_back(std::move(row));
  out.roofs.caches = std::move(measured.roofs.caches);
  return {};
}

/// Roofs by thread count; a point is drawn under the roofs of its own thread count.
using RoofsOf = std::map<std::int32_t, roofline::Roofs>;

Result<RoofsOf> roofs_of(const Points& points, const RooflineOptions& options,
                         const session::Environment& environment) {
  RoofsOf out;
  for (const ModelPoint& p : points.points) {
    if (out.contains(p.threads)) continue;
    const bool measured = std::any_of(points.roofs.rows.begin(), points.roofs.rows.end(),
                                      [&](const auto& r) { return r.threads == p.threads; });
    const session::MachineRoofs own =
        measured ? points.roofs
                 : TRY(session::machine_roofs(environment, {p.threads},
                                              options.measuring.refresh_roofs));
    out.emplace(p.threads, own.at(p.threads));
  }
  return out;
}

/// Names beside a line of shared facts: the facts that distinguish each point; the full name of an
/// only point.
std::vector<std::string> point_names(const Points& points) {
  if (points.facts.size() < 2) return {points.points[0].name};
  return compare::distinguishing_labels(points.facts);
}

/// Facts that all points share, on one line; empty for one point, whose name has them.
std::string shared_text(const Points& points) {
  if (points.facts.size() < 2) return "";
  return printable(fmt::format("{}", fmt::join(compare::shared_texts(points.facts), "; ")));
}

/// Full names, for documents without a line of shared facts.
std::vector<std::string> full_names_of(const Points& points) {
  std::vector<std::string> out;
  for (const ModelPoint& p : points.points) out.push_back(p.name);
  return out;
}

/// The bandwidth roofs end at the highest compute roof of the types in which the points run.
void raise_roof(report::Chart& chart, std::string_view type) {
  const double now = chart.roofs.flop_per_s(chart.dtype).value_or(0);
  if (chart.roofs.flop_per_s(type).value_or(0) > now || chart.points.empty())
    chart.dtype = std::string(type);
}

std::vector<report::TitledChart> charts_of(const Points& points, const RoofsOf& roofs,
                                           const std::vector<std::string>& names) {
  std::vector<report::TitledChart> out;
  for (const auto& [threads, of_threads] : roofs) {
    report::Chart chart{.roofs = of_threads, .points = {}, .names = report::PointNames::kBeside};
    const auto drawn = std::ranges::count(points.points, threads, &ModelPoint::threads);
    for (std::size_t i = 0; i < points.points.size(); ++i) {
      const ModelPoint& p = points.points[i];
      if (p.threads != threads) continue;
      raise_roof(chart, roofline::main_type(p));
      chart.points.push_back({p.bytes > 0 ? p.operations / p.bytes : 0,
                              p.latency_ns > 0 ? p.operations / p.latency_ns * 1e9 : 0,
                              1.0 / static_cast<double>(drawn), names[i], names[i],
                              fmt::format("point-{}-{}", threads, chart.points.size())});
    }
    out.push_back({roofs.size() > 1 ? counted(threads, "thread") : "", std::move(chart)});
  }
  return out;
}

/// Table with a row per point; its first column has `title` and `names`.
exports::Table roofline_table(const Points& points, const RoofsOf& roofs, const std::string& title,
                              const std::vector<std::string>& names) {
  using exports::Align;
  exports::Table t({{title, Align::kLeft, 60},
                    {"latency", Align::kRight},
                    {"GFLOP/s", Align::kRight},
                    {"GB/s", Align::kRight},
                    {"FLOP/B", Align::kRight},
                    {"type", Align::kLeft},
                    {"of compute roof", Align::kRight}});
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    const ModelPoint& p = points.points[i];
    const auto peak = roofline::compute_roof(p, roofs.at(p.threads));
    const double rate = p.operations / p.latency_ns * 1e9;
    t.add({names[i], duration(p.latency_ns), fmt::format("{:.1f}", rate / 1e9),
           fmt::format("{:.1f}", p.bytes / p.latency_ns),
           fmt::format("{:.2f}", p.operations / p.bytes), std::string(roofline::main_type(p)),
           peak ? fmt::format("{:.1f} %", 100 * rate / *peak) : "?"});
  }
  return t;
}

/// Tables name points by the facts that differ.
std::string roofline_text(const Points& points, const RoofsOf& roofs, TableForm form) {
  const bool one = points.points.size() < 2;
  const exports::Table table =
      roofline_table(points, roofs, one ? "model" : "point", point_names(points));
  return point_table(shared_text(points), table, points.notes, form);
}

/// CSV names points by their full names.
std::string roofline_csv(const Points& points, const RoofsOf& roofs) {
  return roofline_table(points, roofs, "model", full_names_of(points)).csv();
}

using Charts = std::vector<report::TitledChart>;

std::string roofline_page(const Points& points, const Charts& charts) {
  return report::chart_page("Roofline", shared_text(points), charts, points.notes);
}

constexpr Document<const Points&, const RoofsOf&, const Charts&> kRooflineDocument = {
    .table = [](auto& points, auto& roofs, auto&,
                Sink& s) { s.write(roofline_text(points, roofs, TableForm::kText)); },
    .described =
        [](auto& points, auto& roofs, auto&, auto& out) {
          exports::write_roofline_document(points.points, roofs, points.notes, out);
        },
    .csv = [](auto& points, auto& roofs, auto&, Sink& s) { s.write(roofline_csv(points, roofs)); },
    .md = [](auto& points, auto& roofs, auto&,
             Sink& s) { s.write(roofline_text(points, roofs, TableForm::kMarkdown)); },
    .svg = [](auto&, auto&, auto& charts,
              Sink& s) { s.write(report::roofline_svg(charts[0].chart)); },
    .html = [](auto& points, auto&, auto& charts,
               Sink& s) { s.write(roofline_page(points, charts)); }};

/// Usage error (RIDGE-CLI-0057) if an SVG, which has one chart, needs roofs for several thread
/// counts.
Result<void> check_svg(const Points& points, const RooflineOptions& options) {
  std::set<std::int32_t> threads;
  for (const ModelPoint& p : points.points) threads.insert(p.threads);
  if (options.format != "svg" || threads.size() < 2) return {};
  return usage_error("RIDGE-CLI-0057", "--format svg requires runs with the same thread count")
      .evidence(fmt::format("thread counts of these runs: {}", fmt::join(threads, ", ")))
      .hint("write one SVG per thread count, or use --report, which has a chart for each");
}

Result<int> run_roofline(const RooflineOptions& options, Console& console) {
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  const std::string here = profile::machine_name(machine::host_json(environment->host));
  Points points;
  for (const std::string& source : options.sources) {
    if (Interruption::requested()) break;
    if (session::is_run_source(source))
      TRY(add_document(source, here, console, points));
    else
      TRY(add_model(source, options, *environment, points));
  }
  if (points.points.empty()) return kCheckFailed;
  TRY(check_svg(points, options));
  append_runtimes(points.points);
  const RoofsOf roofs = TRY(roofs_of(points, options, *environment));
  const Charts charts = charts_of(
      points, roofs, options.format == "svg" ? full_names_of(points) : point_names(points));
  kRooflineDocument.write(options.format, points, roofs, charts, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (options.format == "csv" || options.format == "svg")  // CSV and SVG have no place for notes
    for (const std::string& note : points.notes) warn(console, "", note);
  if (!options.report.empty())
    writing.done(Output::write(options.report, roofline_page(points, charts), console));
  if (Interruption::requested()) return kInterrupted;
  return writing.status(points.complete ? kDone : kCheckFailed);
}

}  // namespace

int roofline(const RooflineOptions& options, Console& console) {
  const Result<int> status = run_roofline(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_roofline(Flags& flags) {
  auto o = std::make_shared<RooflineOptions>();
  flags
      .add("MODEL", o->sources,
           "ONNX files, zoo:NAME, or profiles made before (run.json, runs.db:7)")
      .required();
  add_measuring_options(flags, o->measuring);
  add_document_options(flags, o->format, o->output, kRooflineDocument.formats());
  add_report_option(flags, o->report);
  return [o](Console& console) { return roofline(*o, console); };
}

}  // namespace ridge::cli
