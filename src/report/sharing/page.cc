// SPDX-License-Identifier: Apache-2.0
#include "report/sharing/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/chart/keys.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"
#include "report/sharing/sections.h"

namespace ridge::report {
namespace {

constexpr std::string_view kFooterOfReplays =
    "<footer>Simulated: costs are input, nothing was run. Made by ridge.</footer>\n";

std::string subtitle_of(const sharing::Replay& replay) {
  std::string out = fmt::format("costs: {} · seed {} · ridge {}", printable(replay.costs),
                                replay.seed, printable(replay.ridge));
  if (!replay.arrivals.empty()) out = "arrivals: " + printable(replay.arrivals) + " · " + out;
  if (!replay.not_shared.empty())
    out +=
        " · not worth sharing: " + printable(fmt::format("{}", fmt::join(replay.not_shared, ", ")));
  return out;
}

std::string head_of(const sharing::Replay& replay) {
  std::set<std::string> traces, policies;
  std::uint64_t requests = 0;
  double best = 0;
  for (const sharing::ReplayRow& row : replay.rows) {
    traces.insert(row.of.trace);
    policies.insert(row.policy);
    requests += row.result.requests;
    best = std::max(best, row.result.speedup);
  }
  return fmt::format(
      "<h1>Requests against policies</h1>\n<p class=\"sub\">{}</p>\n<div "
      "class=\"tiles\">\n{}{}{}{}</div>\n",
      html_escape(subtitle_of(replay)), tile(count_text(std::ssize(traces)), "traces"),
      tile(count_text(std::ssize(policies)), "policies"),
      tile(count_text(static_cast<std::int64_t>(requests)), "requests played"),
      tile(fmt::format("{:.2f} x", best), "largest speed-up over loading each time"));
}

}  // namespace

std::string replay_page(const sharing::Replay& replay) {
  return page("ridge: requests against policies",
              head_of(replay) + replay_charts(replay_groups(replay)) + replay_speedups(replay) +
                  replay_rows(replay),
              kFooterOfReplays);
}

}  // namespace ridge::report
