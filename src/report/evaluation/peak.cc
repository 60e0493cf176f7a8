// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/numeral.h"
#include "base/percent.h"
#include "base/text.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"
#include "report/evaluation/sections.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

using scenario::Peak;
using scenario::ProbeRecord;

/// Probes that chart and table show.
constexpr std::size_t kMaxProbes = 200;

std::string_view verdict_word(scenario::Verdict verdict) {
  switch (verdict) {
    case scenario::Verdict::kValid:
      return "valid";
    case scenario::Verdict::kInvalid:
      return "invalid";
    case scenario::Verdict::kUndecided:
      break;
  }
  return "undecided";
}

std::string peak_chart(const Evaluation& e, const EvaluatedPoint& p) {
  ValueRange rates;
  for (const ProbeRecord& r : p.peak->probes) rates.take(r.probe.rate);
  const double allowed = 1 - e.bound->percentile;
  const double least = allowed / 20;
  const Plot plot(log_axis(rates.low, rates.high),
                  {.low = least, .high = 1, .spacing = AxisSpacing::kLogarithmic});
  std::string out = plot.grid([](double v) { return significant(v, 3); },
                              [](double v) { return short_percent(v, 3); }, "queries per second");
  out += plot.level(allowed, "bound: " + short_percent(allowed, 3) + " may be later");
  for (std::size_t i = 0; i < std::min(p.peak->probes.size(), kMaxProbes); ++i) {
    const ProbeRecord& r = p.peak->probes[i];
    out += plot.dot({r.probe.rate, r.result.late}, 5,
                    fmt::format("class=\"{}\"", verdict_word(r.result.verdict)),
                    fmt::format("probe {}: {} queries/s, {} of {} later than the bound, {}", i + 1,
                                significant(r.probe.rate, 4), short_percent(r.result.late, 3),
                                counted(r.probe.queries, "query"), verdict_word(r.result.verdict)));
  }
  return captioned(title_of(p), plot.svg("ac ev", "share of late queries by rate", out));
}

std::string rows(const EvaluatedPoint& p) {
  std::string out;
  for (std::size_t i = 0; i < std::min(p.peak->probes.size(), kMaxProbes); ++i) {
    const ProbeRecord& r = p.peak->probes[i];
    out += "<tr>" + text_cell(title_of(p)) +
           number_cell(static_cast<double>(i + 1), std::to_string(i + 1)) +
           number_cell(r.probe.rate, significant(r.probe.rate, 4)) +
           number_cell(static_cast<double>(r.probe.queries), count_text(r.probe.queries)) +
           number_cell(r.result.late, short_percent(r.result.late, 3)) +
           number_cell(r.result.effective, significant(r.result.effective, 3)) +
           number_cell(r.result.seconds, short_duration(r.result.seconds * 1e9)) +
           fmt::format("<td>{}</td></tr>\n", verdict_word(r.result.verdict));
  }
  return out;
}

std::string outcome(const EvaluatedPoint& p) {
  const Peak& peak = *p.peak;
  if (peak.rate <= 0) return fmt::format("{}: {}.", title_of(p), why_no_rate(peak));
  std::string out =
      fmt::format("{}: {} queries/s is the largest rate that is shown to keep the bound",
                  title_of(p), significant(peak.rate, 4));
  if (peak.invalid_rate > 0)
    out += fmt::format("; {} {}", significant(peak.invalid_rate, 4),
                       peak.undecided ? "remained undecided" : "does not keep it");
  return out + fmt::format(". Without a safety margin the estimate is {}. {} took {}.",
                           significant(peak.estimate, 4), counted(std::ssize(peak.probes), "probe"),
                           short_duration(peak.seconds * 1e9));
}

}  // namespace

std::string evaluation_peak_section(const Evaluation& e) {
  std::string charts, table, outcomes;
  for (const EvaluatedPoint& p : e.points) {
    if (!p.peak || p.peak->probes.empty() || !e.bound) continue;
    charts += peak_chart(e, p);
    table += rows(p);
    outcomes += "<p>" + html_escape(outcome(p)) + "</p>\n";
  }
  if (charts.empty()) return "";
  return section(
      "Search for the largest rate",
      outcomes +
          "<p class=\"sub\">Each probe is a load of its own. It is valid or invalid if the whole "
          "95 "
          "% interval of its share of late queries lies on one side of the bound; an undecided one "
          "is prolonged.</p>\n<p class=\"keys\">"
          "<span class=\"key valid\">valid</span><span class=\"key invalid\">invalid</span>"
          "<span class=\"key undecided\">undecided</span></p>\n"
          "<div class=\"charts ev\">\n" +
          charts + "</div>\n" +
          scrolled("<table class=\"sortable packed\" id=\"probes\"><thead><tr>" +
                   column("runtime", false) + column("probe", true) +
                   column("queries per second", true) + column("queries", true) +
                   column("later than the bound", true) + column("independent queries", true) +
                   column("duration", true) + column("verdict", false) + "</tr></thead><tbody>\n" +
                   table + "</tbody></table>"));
}

}  // namespace ridge::report
