// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/comparison/words.h"
#include "report/chart/ratio_plot.h"
#include "report/comparison/sections.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using compare::Cell;
using compare::Comparison;
using compare::Verdict;

/// Verdict on the latency: "openvino is faster than ort: 84.2 ms against 193.1 ms, ratio 0.436
/// [0.375, 0.492]."
std::string sentence(const Comparison& c, std::size_t run) {
  const Cell& cell = c.latency.cells[run];
  const std::string &that = c.runs[run].label, &base = c.runs[0].label;
  const std::string times = fmt::format("{} against {}", exports::time_text(cell.time_ns),
                                        exports::time_text(c.latency.cells[0].time_ns));
  std::string ratio;
  if (cell.ratio) ratio = fmt::format(", ratio {}", exports::ratio_text(cell.ratio));
  if (cell.ratio_interval) ratio += " " + exports::interval_text(cell.ratio_interval);
  switch (cell.verdict) {
    case Verdict::kFaster:
    case Verdict::kSlower:
      return fmt::format("{} is {} than {}: {}{}.", that, name(cell.verdict), base, times, ratio);
    case Verdict::kNotShown:
      return fmt::format("No difference between {} and {} is shown: {}{}.", that, base, times,
                         ratio);
    case Verdict::kDrift:
      return fmt::format(
          "{} and {} cannot be told apart from drift of the machine, which may explain up to "
          "{:.1f} %: {}{}.",
          that, base, 100 * c.drifts[run]->share(cell.scatter), times, ratio);
    case Verdict::kBaseline:
    case Verdict::kNotJudged:
      break;
  }
  return fmt::format("{} and {} are not judged: {}; {}{}.", that, base, cell.reason, times, ratio);
}

std::string tile_of(const Comparison& c, std::size_t run) {
  const Cell& cell = c.latency.cells[run];
  std::string what = c.runs[run].label;
  if (cell.interval) what += " " + exports::time_interval_text(cell.interval);
  return tile(exports::time_text(cell.time_ns), what);
}

std::string comparison_tiles(const Comparison& c) {
  std::string out = "<div class=\"tiles\">\n";
  for (std::size_t r = 0; r < c.runs.size(); ++r) out += tile_of(c, r);
  if (c.runs.size() == 2) {
    const compare::Tally& t = c.tallies[1];
    const auto groups = [](std::size_t n) {
      return counted(static_cast<std::int64_t>(n), "group");
    };
    const auto side = [&](const compare::Tally::Side& s, double sign, std::string_view what) {
      return s.groups == 0 ? tile("none", fmt::format("of the groups {}", what))
                           : tile(exports::signed_duration(sign * s.ns),
                                  fmt::format("{} {}", groups(s.groups), what));
    };
    out += side(t.faster, -1, "faster") + side(t.slower, 1, "slower");
    out += tile(groups(t.not_shown),
                t.not_judged == 0 ? std::string("without a difference that is shown")
                                  : fmt::format("without a difference that is shown, {} not judged",
                                                t.not_judged));
  }
  const double least = *std::min_element(c.groups_ns.begin(), c.groups_ns.end());
  out +=
      tile(duration(c.best_ns),
           fmt::format(
               "if each group took as long as in its fastest run; the fastest whole run takes {}",
               duration(least)));
  return out + "</div>\n";
}

/// Notes, which weaken verdicts and so stand before them.
std::string warnings(const Comparison& c) {
  std::string out;
  for (const std::string& note : c.notes)
    out += "<p class=\"sub warning\">Note: " + html_escape(note) + ".</p>\n";
  return out;
}

std::string runs_table(const Comparison& c) {
  const std::vector<compare::FactColumn> facts = exports::facts_of(c).differing;
  const bool per_item = exports::batches_differ(c);
  std::string out = legend({"could show"}) + "<div class=\"scroll\"><table><thead><tr><th>run</th>";
  for (const compare::FactColumn& fact : facts) out += "<th>" + html_escape(fact.title) + "</th>";
  out +=
      "<th class=\"n\">latency</th><th>interval, 95 %</th><th class=\"n\">ratio</th><th>interval, "
      "95 %</th>"
      "<th class=\"n\">could show</th>";
  out += per_item ? "<th class=\"n\">per item</th><th></th>" : "<th></th>";
  out += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < c.runs.size(); ++r) {
    const Cell& cell = c.latency.cells[r];
    out += "<tr><td>" + html_escape(c.runs[r].label) + "</td>";
    for (const compare::FactColumn& fact : facts)
      out += "<td>" + html_escape(fact.texts[r]) + "</td>";
    out += number_cell(cell.time_ns, exports::time_text(cell.time_ns)) + "<td>" +
           html_escape(exports::time_interval_text(cell.interval)) + "</td>" +
           number_cell(cell.ratio, exports::ratio_text(cell.ratio)) + "<td>" +
           exports::interval_text(cell.ratio_interval) + "</td>" +
           number_cell(cell.detectable, exports::detectable_text(cell));
    if (per_item) out += number_cell(cell.per_item_ratio, exports::ratio_text(cell.per_item_ratio));
    out += fmt::format("<td class=\"verdict {}\">{}</td></tr>\n", verdict_class(cell.verdict),
                       html_escape(exports::verdict_text(cell)));
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string comparison_summary(const Comparison& c) {
  const profile::Subject& subject = c.runs[0].profile.subject;
  const std::string shared = exports::facts_of(c).shared;
  std::string out =
      fmt::format("<h1>{}</h1>\n<p class=\"sub\">{}{}{} · ridge {}</p>\n",
                  html_escape(subject.path), exports::scope_text(c), shared.empty() ? "" : " · ",
                  html_escape(shared), html_escape(subject.ridge_version));
  out += comparison_tiles(c) + warnings(c);
  for (std::size_t r = 1; r < c.runs.size(); ++r)
    out += fmt::format("<p class=\"lever {}\">{}<br><small>{}.</small></p>\n",
                       verdict_class(c.latency.cells[r].verdict), html_escape(sentence(c, r)),
                       html_escape(exports::tally_text(c, r)));
  return out + runs_table(c);
}

std::string comparison_method(const Comparison& c) {
  std::string out = legend({"turn", "drift"}) + "<dl>\n";
  out += entry("smallest relevant difference",
               c.threshold > 0 ? fmt::format("{:.3g} %", 100 * c.threshold) : "any");
  out +=
      entry("faster, slower",
            fmt::format("the interval of the ratio is beyond that; the intervals of a table are "
                        "widened together, so that on average {:.0f} % of its verdicts are wrong",
                        100 * compare::kFalseDiscoveryRate));
  out += entry("measured", c.interleaved ? "in turns, and compared run by run"
                                         : "each run on its own: drift of the machine between "
                                           "them is part of the difference");
  for (std::size_t r = 1; r < c.runs.size(); ++r)
    if (const std::string power = exports::power_text(c, r); !power.empty())
      out += entry("could show",
                   power +
                       ": the smallest slowdown that an interval of this width can show; of that "
                       "size one in three is detected, of three times that size nearly all");
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    const compare::JoinRate& rate = c.join.rates[r];
    out += entry("nodes of " + c.runs[r].label,
                 fmt::format("{} of {} joined by {}", rate.matched, rate.nodes, name(rate.by)));
  }
  out += entry("fastest run of each group", exports::best_text(c));
  if (c.untimed > 0) out += entry("not timed", exports::untimed_text(c));
  return section("How it was compared", out + "</dl>\n");
}

}  // namespace ridge::report
