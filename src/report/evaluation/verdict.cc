// SPDX-License-Identifier: Apache-2.0
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
std::string latency_text(const Evaluation& e, const EvaluatedPoint& p) {
  const double share = e.bound ? e.bound->percentile : 0.5;
  for (const Percentile& percentile : p.figures.latency.percentiles)
    if (percentile.share == share)
      return fmt::format(
          "{} of the latency {}{}", scenario::percentile_name(share), duration(percentile.value_ns),
          interval_text(percentile.interval, [](double ns) { return duration(ns); }));
  return "";
}

std::string load_summary(const Evaluation& e, const EvaluatedPoint& p) {
  const scenario::Figures& f = p.figures;
  std::string out =
      fmt::format("{} in {:.1f} s, {} queries/s{}, {}", counted(f.queries, "query"), f.duration_s,
                  significant(f.completed.per_s, 4),
                  interval_text(f.completed.interval, [](double v) { return significant(v, 4); }),
                  latency_text(e, p));
  if (p.peak)
    out +=
        fmt::format(", largest rate within the bound {} queries/s", significant(p.peak->rate, 4));
  return out;
}

std::string answers_summary(const Accuracy& a) {
  std::string out = counted(a.samples, "sample");
  for (const NamedFigure* f : known_figures(a))
    out += fmt::format(
        ", {} {}{}", f->metric, figure_text(*f, f->figure.value),
        interval_text(f->figure.interval, [&](double v) { return figure_text(*f, v); }));
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

std::string verdict(const Evaluation& e, const EvaluatedPoint& p) {
  std::string said;
  if (has_figures(p)) said = load_summary(e, p);
  if (has_figures(p) && !has_queries(p))
    said += "; evaluated before: its queries are not kept, so charts of them leave it out";
  if (p.accuracy) said += (said.empty() ? "" : "; ") + answers_summary(*p.accuracy);
  if (!e.load)
    return fmt::format("<p class=\"lever verdict\"><b>{}</b><br><small>{}</small></p>\n",
                       html_escape(title_of(p)), html_escape(said));
  return fmt::format("<p class=\"lever verdict {}\"><b>{}: {}</b>{}{}</p>\n",
                     state_css(p.validity.state), html_escape(title_of(p)), word(p.validity.state),
                     reasons_list(p.validity.reasons),
                     said.empty() ? "" : "<br><small>" + html_escape(said) + "</small>");
}

/// Tiles of one runtime: its accuracy, the percentile of the bound (or the median), the rate.
std::string tiles_of(const Evaluation& e, const EvaluatedPoint& p) {
  constexpr std::size_t kMaxFigures = 2;
  const std::string who = e.points.size() > 1 ? title_of(p) + ": " : "";
  std::string out;
  const std::vector<const NamedFigure*> figures =
      p.accuracy ? known_figures(*p.accuracy) : std::vector<const NamedFigure*>();
  for (std::size_t i = 0; i < std::min(kMaxFigures, figures.size()); ++i) {
    const NamedFigure& f = *figures[i];
    out += tile(figure_text(f, f.figure.value),
                who + f.metric + " of " + counted(p.accuracy->samples, "sample") +
                    interval_text(f.figure.interval, [&](double v) { return figure_text(f, v); }));
  }
  if (!has_figures(p)) return out;
  const double share = e.bound ? e.bound->percentile : 0.5;
  for (const Percentile& percentile : p.figures.latency.percentiles)
    if (percentile.share == share)
      out += tile(
          duration(percentile.value_ns),
          fmt::format("{}{} of the latency{}", who, scenario::percentile_name(share),
                      interval_text(percentile.interval, [](double ns) { return duration(ns); })));
  return out + tile(significant(p.figures.completed.per_s, 4), who + "queries per second");
}

std::string verdict_tiles(const Evaluation& e) {
  constexpr std::size_t kMaxTiled = 4;  // further runtimes are in the table of figures
  std::string out;
  for (std::size_t i = 0; i < std::min(kMaxTiled, e.points.size()); ++i)
    out += tiles_of(e, e.points[i]);
  return out.empty() ? "" : "<div class=\"tiles\">\n" + out + "</div>\n";
}

}  // namespace

std::string evaluation_head(const Evaluation& e) {
  std::string host = printable(e.host);
  if (!e.points.empty())
    host += fmt::format(" · {} for each run", counted(std::int64_t{e.points[0].threads}, "thread"));
  if (e.data) host += " · data: " + printable(e.data->of.source);
  std::string out = fmt::format("<h1>{}</h1>\n<p class=\"sub\">{} · ridge {}</p>\n<p>{}</p>\n",
                                html_escape(printable(e.model)), html_escape(host),
                                html_escape(printable(e.ridge)), html_escape(scenario_sentence(e)));
  for (const EvaluatedPoint& p : e.points) out += verdict(e, p);
  out += verdict_tiles(e);
  if (e.points.empty()) out += "<p class=\"lever same\">No runtime was evaluated.</p>\n";
  return out;
}

}  // namespace ridge::report
