// SPDX-License-Identifier: Apache-2.0
#include "export/comparison/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numeral.h"
#include "base/text.h"
#include "compare/run_labels.h"
#include "stats/samples.h"

namespace ridge::exports {
namespace {

using compare::Cell;
using compare::Comparison;
using compare::Parts;
using compare::RunFacts;
using compare::Tally;
using compare::Verdict;
using stats::Interval;

constexpr std::array<Part, 6> kComparisonParts = {
    Part{"groups of nodes", &Parts::groups_ns},
    {"inserted by the runtime", &Parts::inserted_ns},
    {"not attributed to nodes", &Parts::unattributed_ns},
    {"outside layers", &Parts::outside_ns},
    {"unexplained", &Parts::unexplained_ns},
    {"latency", &Parts::latency_ns}};

std::string side_text(const Tally::Side& side, char sign) {
  if (side.groups == 0) return "none";
  return fmt::format("{} ({}{})", counted(static_cast<std::int64_t>(side.groups), "group"), sign,
                     duration(side.ns));
}

/// Reason why groups of a run are not judged, if they all share one; else "".
std::string common_reason(const Comparison& c, std::size_t run) {
  std::string out;
  for (const compare::Row& row : c.groups) {
    const Cell& cell = row.cells[run];
    if (cell.verdict != Verdict::kNotJudged || cell.reason == out) continue;
    if (!out.empty()) return "";
    out = cell.reason;
  }
  return out;
}

}  // namespace

std::string signed_duration(double ns) {
  if (std::isnan(ns)) return "?";
  return (ns < 0 ? "-" : "+") + duration(std::abs(ns));
}

std::string time_text(const std::optional<double>& ns) { return ns ? duration(*ns) : "?"; }

std::string time_interval_text(const std::optional<Interval>& ns) {
  return ns ? fmt::format("[{}, {}]", duration(ns->lo), duration(ns->hi)) : "";
}

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.3f}", *ratio) : "";
}

std::string interval_text(const std::optional<Interval>& ci) {
  return ci ? fmt::format("[{:.3f}, {:.3f}]", ci->lo, ci->hi) : "";
}

std::string confidence_text(const std::vector<compare::Row>& rows, std::size_t run) {
  for (const compare::Row& row : rows)
    if (row.cells[run].confidence > 0)
      return fmt::format("{:.4g} %", 100 * row.cells[run].confidence);
  return "95 %";
}

std::string detectable_text(const Cell& cell) {
  return cell.detectable ? significant(100 * *cell.detectable, 2) + " %" : "";
}

std::string cell_time(const Cell& cell) {
  if (!cell.time_ns) return "?";
  if (cell.layers == 0) return "-";
  return (cell.below_resolution ? "<" : "") + duration(*cell.time_ns);
}

std::string verdict_text(const Cell& cell) {
  return cell.verdict == Verdict::kNotJudged ? cell.reason : std::string(name(cell.verdict));
}

std::string scope_text(const Comparison& c) {
  return fmt::format("{} over {} of nodes{}", counted(std::ssize(c.runs), "run"),
                     counted(std::ssize(c.groups), "group"),
                     c.interleaved ? ", measured in turns" : "");
}

std::string tally_text(const Comparison& c, std::size_t run) {
  const Tally& t = c.tallies[run];
  std::string out = fmt::format(
      "{} against {}: faster in {}, slower in {}, no difference shown in {}", c.runs[run].label,
      c.runs[0].label, side_text(t.faster, '-'), side_text(t.slower, '+'), t.not_shown);
  if (t.drift > 0) out += fmt::format(", within the machine's drift in {}", t.drift);
  if (t.not_judged > 0) {
    out += fmt::format(", not judged in {}", t.not_judged);
    if (const std::string why = common_reason(c, run); !why.empty()) out += " (" + why + ")";
  }
  if (c.explained[run])
    out += fmt::format("; groups and inserted layers explain {:.0f} % of the difference",
                       100 * *c.explained[run]);
  return out;
}

std::string power_text(const Comparison& c, std::size_t run) {
  const std::string latency = detectable_text(c.latency.cells[run]);
  std::vector<double> groups;
  for (const compare::Row& row : c.groups)
    if (row.cells[run].detectable) groups.push_back(*row.cells[run].detectable);
  std::vector<std::string> shown;
  if (!latency.empty()) shown.push_back(fmt::format("a latency {} longer", latency));
  if (!groups.empty())
    shown.push_back(fmt::format("groups {} % longer (median of {})",
                                significant(100 * stats::median(groups), 2), groups.size()));
  if (shown.empty()) return "";
  return fmt::format("{} against {} could have detected {}", c.runs[run].label, c.runs[0].label,
                     fmt::join(shown, ", and "));
}

std::string best_text(const Comparison& c) {
  std::vector<std::string> alone;
  for (std::size_t r = 0; r < c.runs.size(); ++r)
    alone.push_back(fmt::format("{} {}", c.runs[r].label, duration(c.groups_ns[r])));
  const std::string others = c.best_others ? fmt::format(", those that not every run has as in {}",
                                                         c.runs[*c.best_others].label)
                                           : "";
  return fmt::format(
      "{} over all groups{}, where {}; a lower bound for a combination (conversions between "
      "runtimes "
      "are not counted)",
      duration(c.best_ns), others, fmt::join(alone, ", "));
}

std::string untimed_text(const Comparison& c) {
  const std::size_t others = c.untimed - c.folded;
  const auto nodes = [](std::size_t n) { return counted(static_cast<std::int64_t>(n), "node"); };
  std::vector<std::string> out;
  if (c.folded > 0)
    out.push_back(fmt::format("{} {} folded away", nodes(c.folded), c.folded == 1 ? "is" : "are"));
  if (others > 0)
    out.push_back(
        fmt::format("{} {} no layer in any run", nodes(others), others == 1 ? "has" : "have"));
  return fmt::format("{}", fmt::join(out, ", "));
}

bool batches_differ(const Comparison& c) {
  return std::any_of(c.runs.begin(), c.runs.end(), [&](const compare::Run& run) {
    return run.profile.batch != c.runs[0].profile.batch;
  });
}

double apart(const compare::Row& row) {
  double least = INFINITY, most = 0;
  for (const Cell& cell : row.cells) {
    if (!cell.time_ns) continue;
    least = std::min(least, *cell.time_ns);
    most = std::max(most, *cell.time_ns);
  }
  return std::isfinite(least) ? most - least : most;
}

FactsOfRuns facts_of(const Comparison& c) {
  std::vector<RunFacts> facts;
  for (const compare::Run& run : c.runs) facts.push_back(compare::facts_of(run.profile));
  compare::FactsApart apart = compare::part_facts(std::move(facts));
  FactsOfRuns out;
  for (const compare::FactColumn& fact : apart.shared)
    if (fact.title != "model" && !fact.texts[0].empty())
      out.shared += (out.shared.empty() ? "" : "; ") + fact.texts[0];
  for (compare::FactColumn& fact : apart.differing) {
    bool said = true;  // by all labels
    for (std::size_t r = 0; r < c.runs.size(); ++r)
      said &= c.runs[r].label.find(fact.texts[r]) != std::string::npos;
    if (!said) out.differing.push_back(std::move(fact));
  }
  compare::FactColumn from{"from", {}};
  for (const compare::Run& run : c.runs) from.texts.push_back(run.source);
  if (std::ranges::any_of(from.texts, [&](const auto& text) { return text != from.texts[0]; }))
    out.differing.push_back(std::move(from));
  return out;
}

std::string add_up_text(const std::optional<Parts>& parts) {
  if (!parts || !std::isfinite(parts->unexplained_ns) || !(parts->latency_ns > 0)) return "";
  return fmt::format("{:.0f} % of the latency",
                     100 * (1 - parts->unexplained_ns / parts->latency_ns));
}

std::vector<Part> shown_parts(const Comparison& c) {
  std::vector<Part> out;
  for (const Part& part : kComparisonParts) {
    const bool any = std::any_of(c.parts.begin(), c.parts.end(), [&](const auto& p) {
      return p && std::isfinite((*p).*part.ns) && (*p).*part.ns != 0;
    });
    if (any || part.ns == &Parts::latency_ns || part.ns == &Parts::groups_ns) out.push_back(part);
  }
  return out;
}

}  // namespace ridge::exports
