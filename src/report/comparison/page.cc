// SPDX-License-Identifier: Apache-2.0
#include "report/comparison/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/comparison/words.h"
#include "report/chart/ratio_plot.h"
#include "report/chart/timeline.h"
#include "report/comparison/difference.h"
#include "report/comparison/sections.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"

namespace ridge::report {
namespace {

using compare::Cell;
using compare::Comparison;

/// Runs whose parts do not add up: "ort: the parts add up to 110 % of the latency".
std::string sums_of_parts(const Comparison& c) {
  std::string out;
  for (std::size_t r = 0; r < c.runs.size(); ++r)
    if (const std::string sum = exports::add_up_text(c.parts[r]); !sum.empty())
      out += fmt::format("{}{}: the parts add up to {}", out.empty() ? "" : "; ", c.runs[r].label,
                         sum);
  return out.empty() ? "" : "<p class=\"sub\">" + html_escape(out) + ".</p>\n";
}

std::string parts_section(const Comparison& c) {
  return section("Parts of the latencies",
                 "<p class=\"sub\">Each run's latency, stacked by operator; groups of nodes that "
                 "every run times on its own. Best of each takes every group from the run that is "
                 "fastest in it, conversions between runtimes not counted.</p>\n" +
                     scrolled(latency_bars(c)) + sums_of_parts(c));
}

std::string difference_section(const Comparison& c, const ComparisonTree& tree) {
  std::string out =
      "<p class=\"sub\">From the baseline's time to the run's, step by step: sums of the medians "
      "of groups, so that they add up. The table below states which steps are significant.</p>\n"
      "<p class=\"keys\"><span class=\"key faster\">takes less time</span><span class=\"key "
      "slower\">takes more</span></p>\n";
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    const std::string pair = c.runs[0].label + " → " + c.runs[r].label;
    out += figure(pair + ", by module", waterfall(c, r, module_steps(c, tree, r)),
                  r == 1 ? Folded::kOpen : Folded::kClosed);
    out += figure(pair + ", by operator", waterfall(c, r, operator_steps(c, r)), Folded::kClosed);
  }
  return section("Parts of the difference", out);
}

/// Run whose verdict colors a bar of `run`: for the baseline the other run, if there is only one.
std::size_t judged_run(const Comparison& c, std::size_t run) {
  return run == 0 && c.runs.size() == 2 ? 1 : run;
}

std::string timelines(const Comparison& c) {
  const auto groups = groups_of_layers(c);
  std::vector<TimelineTrack> tracks;
  for (std::size_t r = 0; r < c.runs.size(); ++r) {
    TimelineTrack track{.title = c.runs[r].label, .profile = &c.runs[r].profile, .look = {}};
    track.look = [&c, &groups, r](std::size_t layer) {
      const std::uint32_t group = groups[r][layer];
      if (group == Branch::kNone) return BarLook{"", "unjudged"};
      const Cell& cell = c.groups[group].cells[judged_run(c, r)];
      return BarLook{group_id(group), verdict_class(cell.verdict),
                     c.groups[group].label + ": " + exports::verdict_text(cell)};
    };
    tracks.push_back(std::move(track));
  }
  const std::string other = c.runs.size() == 2 ? html_escape(c.runs[1].label) : "the run";
  return timelines_section(
      tracks, fmt::format("<p class=\"keys\"><span class=\"key faster\">{0} is faster</span><span "
                          "class=\"key slower\">{0} is slower</span><span class=\"key same\">no "
                          "difference shown</span><span class=\"key unjudged\">not judged</span>"
                          "</p>\n",
                          other));
}

}  // namespace

PageContent comparison_content(const Comparison& c) {
  const ComparisonTree tree(c);
  return {"ridge compare: " + c.runs[0].profile.subject.path,
          comparison_summary(c) + parts_section(c) + difference_section(c, tree) +
              tree_section(c, tree) + timelines(c) + comparison_method(c),
          kFooter};
}

std::string comparison_page(const Comparison& c) { return page(comparison_content(c)); }

}  // namespace ridge::report
