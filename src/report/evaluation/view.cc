// SPDX-License-Identifier: Apache-2.0
#include "report/evaluation/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy/metrics.h"
#include "base/numeral.h"
#include "base/text.h"
#include "report/chart/keys.h"
#include "report/chart/svg.h"
#include "scenario/describe.h"

namespace ridge::report {
namespace {

using scenario::Kind;
using scenario::Scenario;

std::string workers_text(const Scenario& s) {
  return s.workers == 1 ? "one run at a time"
                        : fmt::format("up to {} runs at the same time", s.workers);
}

std::string arrivals_text(const Evaluation& e) {
  const Scenario& s = e.scenario;
  const std::string process = fmt::format("{} arrivals, seed {}", name(s.arrivals), s.seed);
  if (searches_peak(e))
    return fmt::format(
        "Queries arrive at the largest rate that keeps the bound, which is searched "
        "({})",
        process);
  return fmt::format("Queries arrive at {} per second ({})", significant(mean_rate(s.arrivals), 4),
                     process);
}

std::string load_text(const Evaluation& e) {
  const Scenario& s = e.scenario;
  switch (s.kind) {
    case Kind::kSingleStream:
      return "One client sends its next query when the one before it is answered";
    case Kind::kMultiStream:
      return fmt::format(
          "One client sends queries of {} samples, the next when the one before it "
          "is answered",
          s.samples_per_query);
    case Kind::kOffline:
      return fmt::format("All samples are asked for at once, with {}", workers_text(s));
    case Kind::kServer:
      return fmt::format("{}, whether or not the ones before are answered, with {}",
                         arrivals_text(e), workers_text(s));
    case Kind::kClosedLoop:
      break;
  }
  return fmt::format("{}, each of which sends its next query when its last one is answered",
                     counted(std::int64_t{s.workers}, "client"));
}

}  // namespace

bool is_share(std::string_view metric) {
  const accuracy::MetricRow* row = accuracy::find_metric(metric);
  return row == nullptr || row->unit == "share";
}

std::string figure_text(const NamedFigure& f, double number) {
  if (is_share(f.metric)) return fmt::format("{:.2f} %", 100 * number);
  const std::string_view unit = accuracy::find_metric(f.metric)->unit;
  return significant(number, 4) + (unit.empty() ? "" : " ") + std::string(unit);
}

std::vector<const NamedFigure*> known_figures(const Accuracy& a) {
  std::vector<const NamedFigure*> out;
  for (const NamedFigure& m : a.metrics)
    if (std::isfinite(m.figure.value)) out.push_back(&m);
  return out;
}

bool searches_peak(const Evaluation& e) {
  return std::ranges::any_of(e.points, [](const EvaluatedPoint& p) { return p.peak.has_value(); });
}

bool has_figures(const EvaluatedPoint& point) { return point.figures.queries > 0; }

bool has_queries(const EvaluatedPoint& point) {
  return has_figures(point) && !point.load.queries.empty() &&
         point.load.ended_ns > point.load.begun_ns;
}

std::string title_of(const EvaluatedPoint& point) {
  const runtime::RuntimeInfo& r = point.runtime;
  return printable(r.version.empty() ? r.name : r.name + " " + r.version);
}

std::string scenario_sentence(const Evaluation& e) {
  if (!e.load) return "No load: every sample runs once, and its answer is judged.";
  const Scenario& s = e.scenario;
  std::string out = load_text(e);
  out += fmt::format(", for at least {} and {}.",
                     short_duration(static_cast<double>(s.min_duration.count)),
                     counted(static_cast<std::int64_t>(s.min_queries), "query"));
  if (e.bound)
    out += fmt::format(" Bound: {} of the latency within {}.",
                       scenario::percentile_name(e.bound->percentile),
                       short_duration(static_cast<double>(e.bound->latency_ns)));
  return out;
}

std::string points_legend(const Evaluation& e) {
  if (e.points.size() < 2) return "";
  std::vector<NamedColor> keys;
  for (std::size_t i = 0; i < e.points.size(); ++i)
    keys.push_back({title_of(e.points[i]), series_color(i)});
  return color_keys(keys);
}

}  // namespace ridge::report
