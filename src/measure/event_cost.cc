// SPDX-License-Identifier: Apache-2.0
#include "measure/event_cost.h"

#include <algorithm>

#include "stats/blocks.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

/// Medians that the costs are derived from; see event_cost.h.
struct Medians {
  double added = 0, told = 0;
};

Medians medians(const LeveledRuns& runs, const std::vector<std::size_t>& picks) {
  std::vector<double> added, told;
  for (const std::size_t i : picks) {
    added.push_back(runs.profiled_ns[i] - runs.plain_ns[i]);
    told.push_back(runs.reported_ns[i] - runs.plain_ns[i]);
  }
  return {stats::median(added), stats::median(told)};
}

std::vector<std::size_t> all(const LeveledRuns& runs) {
  std::vector<std::size_t> out(runs.plain_ns.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
  return out;
}

// Example (event_cost_test.cc): kernels of 1000 ns, 300 ns outside them, 700 ns per profiled run,
// 90 ns per event, 40 ns of these inside its duration; chains of 20 and 60 kernels. Chain of 20:
// plain 20300, profiled 20300 + 700 + 1800 = 22800, reported 20000 + 800 = 20800, so added = 2500
// and told = 500. Chain of 60: added = 700 + 5400 = 6100, told = 2400 - 300 = 2100. So
//   wall     = (6100 - 2500) / 40 = 90        fixed   = 2500 - 20 * 90 = 700
//   reported = (2100 - 500) / 40  = 40        outside = 20 * 40 - 500  = 300        inside = 40
CostDraw cost_of(const Medians& brief, const Medians& lengthy, int few, int many) {
  const double more = many - few;
  CostDraw c;
  c.wall_ns = std::max(0.0, (lengthy.added - brief.added) / more);
  c.fixed_ns = brief.added - few * c.wall_ns;
  c.reported_ns = (lengthy.told - brief.told) / more;
  c.inside_ns = std::clamp(c.reported_ns, 0.0, c.wall_ns);
  c.outside_ns = few * c.reported_ns - brief.told;
  return c;
}

stats::Estimate cost_with_interval(double cost, const EventCost& costs, double CostDraw::*draw) {
  std::vector<double> values;
  for (const CostDraw& d : costs.draws) values.push_back(d.*draw);
  return {cost, stats::drawn_interval(cost, std::move(values), costs.blocks)};
}

}  // namespace

EventCost event_cost(const LeveledRuns& brief, const LeveledRuns& lengthy) {
  EventCost out;
  if (brief.plain_ns.empty() || lengthy.plain_ns.empty()) return out;
  const CostDraw point = cost_of(medians(brief, all(brief)), medians(lengthy, all(lengthy)),
                                 brief.events, lengthy.events);
  out.wall_ns = point.wall_ns;
  out.inside_ns = point.inside_ns;
  out.fixed_ns = point.fixed_ns;
  out.reported_ns = point.reported_ns;
  out.outside_ns = point.outside_ns;
  const auto blocks = [](const LeveledRuns& runs) {
    const std::size_t n = runs.plain_ns.size();
    return static_cast<double>(n) / static_cast<double>(stats::block_length(n));
  };
  out.blocks = std::min(blocks(brief), blocks(lengthy));
  stats::Random random(1);
  std::vector<std::size_t> picks;
  const auto resampled = [&](const LeveledRuns& runs) {
    const std::size_t n = runs.plain_ns.size();
    stats::draw_blocks(n, stats::block_length(n), random, picks);
    return medians(runs, picks);
  };
  for (int i = 0; i < kCostDraws; ++i) {
    const Medians few = resampled(brief), many = resampled(lengthy);
    out.draws.push_back(cost_of(few, many, brief.events, lengthy.events));
  }
  return out;
}

double kernel_slope(const LeveledRuns& brief, const LeveledRuns& lengthy) {
  if (brief.plain_ns.empty() || lengthy.plain_ns.empty()) return 0;
  return (stats::median(lengthy.plain_ns) - stats::median(brief.plain_ns)) /
         (lengthy.events - brief.events);
}

EventCost with_share_below(EventCost cost, double bound_ns) {
  cost.inside_ns = std::min(cost.inside_ns, bound_ns);
  for (CostDraw& draw : cost.draws) draw.inside_ns = std::min(draw.inside_ns, bound_ns);
  return cost;
}

stats::Estimate event_interval(const EventCost& cost) {
  stats::Estimate e = cost_with_interval(cost.wall_ns, cost, &CostDraw::wall_ns);
  e.interval->lo = std::max(0.0, e.interval->lo);
  return e;
}

stats::Estimate fixed_interval(const EventCost& cost) {
  return cost_with_interval(cost.fixed_ns, cost, &CostDraw::fixed_ns);
}

}  // namespace ridge::measure
