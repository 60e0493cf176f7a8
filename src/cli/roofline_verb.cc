#include "cli/roofline_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/profile_source.h"
#include "export/table.h"
#include "profile/summary.h"
#include "report/html.h"
#include "roofline/bound.h"

namespace ridge::cli {
namespace {

using profile::ModelPoint;

constexpr std::string_view kNoPoint =
    "some layers' work or bytes are not known, so the model has no point";

struct Points {
  std::vector<ModelPoint> points;
  MachineRoofs roofs;
  bool whole = true;
};

Result<void> add_document(const std::string& path, std::string_view here, Console& console,
                          Points& out) {
  for (const profile::Profile& p : TRY(load_profiles(path))) {
    const auto point = profile::point_of(p);
    if (!point) {
      warn(console, path, kNoPoint);
      continue;
    }
    if (point->machine != here)
      warn(console, path,
           fmt::format("measured on {}, drawn under the roofs of {}",
                       point->machine.empty() ? "an unknown machine" : point->machine, here));
    out.points.push_back(*point);
  }
  return {};
}

Result<void> add_model(const std::string& model, const RooflineOptions& options, Console& console,
                       Points& out) {
  MeasuredPoints measured = TRY(measure_points(model, options.measuring, console));
  out.whole &= measured.whole;
  for (const profile::Profile& p : measured.sweep.profiles) {
    const auto point = profile::point_of(p);
    if (point)
      out.points.push_back(*point);
    else
      warn(console, model, kNoPoint);
  }
  for (profile::Roof& row : measured.roofs.rows) out.roofs.rows.push_back(std::move(row));
  out.roofs.caches = std::move(measured.roofs.caches);
  return {};
}

/// The roofs of the largest thread count among the points.
Result<roofline::Roofs> common_roofs(const Points& points, const machine::Host& host,
                                     const RooflineOptions& options, Console& console) {
  std::int32_t threads = 1;
  for (const ModelPoint& p : points.points) threads = std::max(threads, p.threads);
  const bool measured = std::any_of(points.roofs.rows.begin(), points.roofs.rows.end(),
                                    [&](const auto& r) { return r.threads == threads; });
  if (measured) return points.roofs.at(threads);
  const MachineRoofs own =
      TRY(machine_roofs(host, {threads}, options.measuring.refresh_roofs, nullptr, console));
  return own.at(threads);
}

report::Chart chart_of(const Points& points, const roofline::Roofs& roofs) {
  report::Chart chart{.roofs = roofs, .points = {}};
  for (const ModelPoint& p : points.points) {
    const double share = 1.0 / static_cast<double>(points.points.size());
    chart.points.push_back({p.bytes > 0 ? p.operations / p.bytes : 0,
                            p.latency_ns > 0 ? p.operations / p.latency_ns * 1e9 : 0, share, p.name,
                            p.name, fmt::format("point-{}", chart.points.size())});
  }
  return chart;
}

exports::Table table_of(const Points& points, const roofline::Roofs& roofs) {
  using exports::Align;
  exports::Table t({{"model", Align::kLeft, 60},
                    {"latency", Align::kRight},
                    {"GFLOP/s", Align::kRight},
                    {"GB/s", Align::kRight},
                    {"FLOP/B", Align::kRight},
                    {"of compute roof", Align::kRight}});
  const auto peak = roofs.flop_per_s("float32");
  for (const ModelPoint& p : points.points) {
    const double rate = p.operations / p.latency_ns * 1e9;
    t.add({p.name, duration(p.latency_ns), fmt::format("{:.1f}", rate / 1e9),
           fmt::format("{:.1f}", p.bytes / p.latency_ns),
           fmt::format("{:.2f}", p.operations / p.bytes),
           peak ? fmt::format("{:.1f} %", 100 * rate / *peak) : "?"});
  }
  return t;
}

Result<int> run_roofline(const RooflineOptions& options, Console& console) {
  Output output = TRY(Output::open(options.output, console));
  const Interruption gentle;
  const machine::Host host = machine::this_host();
  const std::string here = profile::machine_name(machine::host_json(host));
  Points points;
  for (const std::string& source : options.sources) {
    if (Interruption::requested()) break;
    if (source.ends_with(".json") || stored_runs(source))
      TRY(add_document(source, here, console, points));
    else
      TRY(add_model(source, options, console, points));
  }
  if (points.points.empty()) return kCheckFailed;
  const roofline::Roofs roofs = TRY(common_roofs(points, host, options, console));
  const report::Chart chart = chart_of(points, roofs);
  const exports::Table table = table_of(points, roofs);
  output.sink().write(options.format == "svg"   ? report::roofline_svg(chart)
                      : options.format == "csv" ? table.csv()
                      : options.format == "md"  ? table.markdown()
                                                : table.text());
  TRY(output.close());
  if (!options.report.empty())
    TRY(write_file(options.report, report::chart_page("Roofline", chart)));
  if (Interruption::requested()) return kInterrupted;
  return points.whole ? kDone : kCheckFailed;
}

}  // namespace

int roofline(const RooflineOptions& options, Console& console) {
  const Result<int> status = run_roofline(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_roofline(CLI::App& app) {
  auto o = std::make_shared<RooflineOptions>();
  app.add_option("MODEL", o->sources,
                 "ONNX files, zoo:NAME, or profiles made before (run.json, runs.db:7)")
      ->required();
  add_measuring_options(app, o->measuring);
  app.add_option("--format", o->format, "table, csv, md or svg")
      ->check(CLI::IsMember({"table", "csv", "md", "svg"}));
  app.add_option("--output", o->output, "write the document to this file");
  app.add_option("--report", o->report, "write the chart as one HTML file");
  return [o](Console& console) { return roofline(*o, console); };
}

}  // namespace ridge::cli
