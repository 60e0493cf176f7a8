#include <fmt/format.h>

#include <algorithm>

#include "base/numeral.h"
#include "base/text.h"
#include "report/evaluation/sections.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

using scenario::Percentile;
using scenario::State;

constexpr std::size_t kMaxReasons = 20;

/// Class of a verdict's color.
std::string_view state_css(State state) {
  if (state == State::kValid) return "faster";
  return state == State::kInvalid ? "slower" : "same";
}

std::string interval_text(const std::optional<stats::Interval>& interval, auto text) {
  if (!interval) return "";
  return fmt::format(" ({} to {})", text(interval->lo), text(interval->hi));
}

/// "p99 18.2 ms (17.9 to 18.6 ms)": the percentile of the bound, else the median.
std::string latency_text(const EvaluationView& view, const EvaluationPoint& p) {
  const double share = view.bound ? view.bound->percentile : 0.5;
  for (const Percentile& percentile : p.figures->latency)
    if (percentile.share == share)
      return fmt::format(
          "{} of the latency {}{}", scenario::percentile_name(share), duration(percentile.value_ns),
          interval_text(percentile.interval, [](double ns) { return duration(ns); }));
  return "";
}

std::string load_summary(const EvaluationView& view, const EvaluationPoint& p) {
  const scenario::Figures& f = *p.figures;
  std::string out =
      fmt::format("{} in {:.1f} s, {} queries/s{}, {}", counted(f.queries, "query"), f.duration_s,
                  significant(f.completed.per_s, 4),
                  interval_text(f.completed.interval, [](double v) { return significant(v, 4); }),
                  latency_text(view, p));
  if (p.peak)
    out +=
        fmt::format(", largest rate within the bound {} queries/s", significant(p.peak->rate, 4));
  return out;
}

std::string answers_summary(const EvaluationAnswers& a) {
  std::string out = counted(a.samples, "sample");
  for (const SampledFigure& f : a.figures)
    out += fmt::format(", {} {}{}", f.name, f.text(f.value),
                       interval_text(f.interval, [&](double v) { return f.text(v); }));
  return out;
}

std::string reasons_list(const std::vector<std::string>& reasons) {
  std::string out;
  for (std::size_t i = 0; i < std::min(reasons.size(), kMaxReasons); ++i)
    out += "<br>" + html_escape(printable(reasons[i]));
  if (reasons.size() > kMaxReasons)
    out += fmt::format("<br>{} more",
                       counted(static_cast<std::int64_t>(reasons.size() - kMaxReasons), "reason"));
  return out;
}

std::string verdict(const EvaluationView& view, const EvaluationPoint& p) {
  std::string said;
  if (has_figures(p)) said = load_summary(view, p);
  if (has_figures(p) && !has_queries(p))
    said += "; evaluated before: its queries are not kept, so charts of them leave it out";
  if (p.answers) said += (said.empty() ? "" : "; ") + answers_summary(*p.answers);
  if (!view.load)
    return fmt::format("<p class=\"lever verdict\"><b>{}</b><br><small>{}</small></p>\n",
                       html_escape(title_of(p)), html_escape(said));
  return fmt::format("<p class=\"lever verdict {}\"><b>{}: {}</b>{}{}</p>\n",
                     state_css(p.validity->state), html_escape(title_of(p)),
                     name(p.validity->state), reasons_list(p.validity->reasons),
                     said.empty() ? "" : "<br><small>" + html_escape(said) + "</small>");
}

/// Tiles of one runtime: its accuracy, the percentile of the bound (or the median), the rate.
std::string tiles_of(const EvaluationView& view, const EvaluationPoint& p) {
  constexpr std::size_t kMaxFigures = 2;
  const std::string who = view.points.size() > 1 ? title_of(p) + ": " : "";
  std::string out;
  if (p.answers)
    for (std::size_t i = 0; i < std::min(kMaxFigures, p.answers->figures.size()); ++i) {
      const SampledFigure& f = p.answers->figures[i];
      out +=
          tile(f.text(f.value), who + f.name + " of " + counted(p.answers->samples, "sample") +
                                    interval_text(f.interval, [&](double v) { return f.text(v); }));
    }
  if (!has_figures(p)) return out;
  const double share = view.bound ? view.bound->percentile : 0.5;
  for (const Percentile& percentile : p.figures->latency)
    if (percentile.share == share)
      out += tile(
          duration(percentile.value_ns),
          fmt::format("{}{} of the latency{}", who, scenario::percentile_name(share),
                      interval_text(percentile.interval, [](double ns) { return duration(ns); })));
  return out + tile(significant(p.figures->completed.per_s, 4), who + "queries per second");
}

std::string verdict_tiles(const EvaluationView& view) {
  constexpr std::size_t kMaxTiled = 4;  // further runtimes are in the table of figures
  std::string out;
  for (std::size_t i = 0; i < std::min(kMaxTiled, view.points.size()); ++i)
    out += tiles_of(view, view.points[i]);
  return out.empty() ? "" : "<div class=\"tiles\">\n" + out + "</div>\n";
}

}  // namespace

std::string evaluation_head(const EvaluationView& view) {
  std::string host = printable(view.host);
  if (!view.points.empty())
    host +=
        fmt::format(" · {} for each run", counted(std::int64_t{view.points[0].threads}, "thread"));
  if (!view.data.empty()) host += " · data: " + printable(view.data);
  std::string out =
      fmt::format("<h1>{}</h1>\n<p class=\"sub\">{} · ridge {}</p>\n<p>{}</p>\n",
                  html_escape(printable(view.model)), html_escape(host),
                  html_escape(printable(view.ridge)), html_escape(scenario_sentence(view)));
  for (const EvaluationPoint& p : view.points) out += verdict(view, p);
  out += verdict_tiles(view);
  if (view.points.empty()) out += "<p class=\"lever same\">No runtime was evaluated.</p>\n";
  return out;
}

}  // namespace ridge::report
