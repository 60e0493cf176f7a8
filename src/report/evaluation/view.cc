#include "report/evaluation/view.h"

#include <fmt/format.h>

#include <cmath>

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

std::string arrivals_text(const EvaluationView& view) {
  const Scenario& s = view.scenario;
  const std::string process = fmt::format("{} arrivals, seed {}", name(s.arrivals), s.seed);
  if (view.find_peak)
    return fmt::format(
        "Queries arrive at the largest rate that keeps the bound, which is searched "
        "({})",
        process);
  return fmt::format("Queries arrive at {} per second ({})", significant(mean_rate(s.arrivals), 4),
                     process);
}

std::string load_text(const EvaluationView& view) {
  const Scenario& s = view.scenario;
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
                         arrivals_text(view), workers_text(s));
    case Kind::kClosedLoop:
      break;
  }
  return fmt::format("{}, each of which sends its next query when its last one is answered",
                     counted(std::int64_t{s.workers}, "client"));
}

}  // namespace

std::string SampledFigure::text(double number) const {
  if (is_share()) return fmt::format("{:.2f} %", 100 * number);
  return significant(number, 4) + (unit.empty() ? "" : " " + unit);
}

bool has_figures(const EvaluationPoint& point) {
  return point.load != nullptr && point.figures != nullptr && point.figures->queries > 0;
}

bool has_queries(const EvaluationPoint& point) {
  return has_figures(point) && !point.load->queries.empty() &&
         point.load->ended_ns > point.load->begun_ns;
}

std::string title_of(const EvaluationPoint& point) {
  return printable(point.version.empty() ? point.runtime : point.runtime + " " + point.version);
}

std::string scenario_sentence(const EvaluationView& view) {
  if (!view.load) return "No load: every sample runs once, and its answer is judged.";
  const Scenario& s = view.scenario;
  std::string out = load_text(view);
  out += fmt::format(", for at least {} and {}.",
                     short_duration(static_cast<double>(s.min_duration.count)),
                     counted(static_cast<std::int64_t>(s.min_queries), "query"));
  if (view.bound)
    out += fmt::format(" Bound: {} of the latency within {}.",
                       scenario::percentile_name(view.bound->percentile),
                       short_duration(static_cast<double>(view.bound->latency_ns)));
  return out;
}

std::string points_legend(const EvaluationView& view) {
  if (view.points.size() < 2) return "";
  std::vector<NamedColor> keys;
  for (std::size_t i = 0; i < view.points.size(); ++i)
    keys.push_back({title_of(view.points[i]), series_color(i)});
  return color_keys(keys);
}

}  // namespace ridge::report
