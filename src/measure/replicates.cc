// SPDX-License-Identifier: Apache-2.0
#include "measure/replicates.h"

#include <algorithm>
#include <cmath>

#include "measure/self_check.h"
#include "stats/block_median.h"
#include "stats/blocks.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

constexpr std::uint64_t kReplicates = 400;

constexpr double kReplicateConfidence = 0.95;

/// `luck`: interval of the same figure from the differences between processes.
stats::Estimate with_luck(std::vector<double> values, double median, double blocks,
                          const std::optional<stats::Interval>& luck) {
  const stats::Interval ci = stats::drawn_interval(median, std::move(values), blocks);
  // Example: median 100, low bounds 97 from the replicates and 96 from the processes: 100 -
  // sqrt(3^2 + 4^2) = 95.
  const double below = luck ? std::max(0.0, median - luck->lo) : 0;
  const double above = luck ? std::max(0.0, luck->hi - median) : 0;
  return {median, stats::Interval{median - std::hypot(median - ci.lo, below),
                                  median + std::hypot(ci.hi - median, above)}};
}

/// Cuts an interval at 0: a time cannot be negative.
stats::Estimate of_time(stats::Estimate e) {
  if (e.interval) e.interval->lo = std::max(0.0, e.interval->lo);
  return e;
}

double median_of_processes(const std::vector<std::vector<double>>& processes) {
  std::vector<double> all;
  for (const auto& p : processes) all.insert(all.end(), p.begin(), p.end());
  return stats::median(all);
}

/// Evaluates `of` for each run, by process.
template <typename Of>
std::vector<std::vector<double>> by_process(const Estimates& e, Of of) {
  std::vector<std::vector<double>> out(e.pairs.size());
  for (std::size_t p = 0; p < out.size(); ++p)
    for (std::size_t i = 0; i < e.pairs[p].size(); ++i)
      out[p].push_back(of(e.pairs[p][i], e.corrections[p][i]));
  return out;
}

}  // namespace

Replicates::Replicates(const Estimates& estimates) : estimates_(estimates) {
  if (estimates.pairs.empty()) return;
  const EventCost& cost = estimates.cost;
  checks_ = checks_of(estimates.pairs, estimates.corrections, cost);
  for (const auto& process : estimates.pairs)
    blocks_ += static_cast<double>(process.size()) /
               static_cast<double>(stats::block_length(process.size()));
  plain_luck_ = stats::between_blocks(
      by_process(estimates, [](const PairTimes& t, const Correction&) { return t.plain_ns; }),
      kReplicateConfidence);
  total_luck_ = stats::between_blocks(
      by_process(estimates, [](const PairTimes& t,
                               const Correction& c) { return t.body_ns * c.factor + c.gaps_ns; }),
      kReplicateConfidence);
  const CostDraw exact{cost.wall_ns, cost.inside_ns, cost.fixed_ns, cost.reported_ns,
                       cost.outside_ns};
  for (std::uint64_t i = 0; i < kReplicates; ++i)
    replicates_.push_back(
        replicate(cost.draws.empty() ? exact : cost.draws[i % cost.draws.size()], i + 1));
}

Replicates::Checks Replicates::checks_of(const std::vector<std::vector<PairTimes>>& processes,
                                         const std::vector<std::vector<Correction>>& corrections,
                                         const EventCost& cost) {
  Checks out;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    for (auto& figure : out) figure.emplace_back();
    for (std::size_t i = 0; i < processes[p].size(); ++i) {
      out[kFactor][p].push_back(corrections[p][i].factor);
      out[kUnscaled][p].push_back(measure::unscaled_residual(processes[p][i], cost));
      out[kPredicted][p].push_back(measure::predicted_ratio(processes[p][i], cost));
    }
  }
  return out;
}

Replicates::Replicate Replicates::replicate(const CostDraw& draw, std::uint64_t seed) const {
  stats::Random random(seed);
  Replicate out{.inside_ns = draw.inside_ns};
  std::vector<std::vector<PairTimes>> drawn;
  std::vector<std::size_t> picks;
  std::vector<double> plain, totals;
  double events = 0;
  const auto& pairs = estimates_.pairs;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    stats::draw_blocks(pairs[p].size(), stats::block_length(pairs[p].size()), random, picks);
    auto& process = drawn.emplace_back();
    for (const std::size_t pick : picks) {
      PairTimes& pair = process.emplace_back(pairs[p][pick]);
      pair.body_ns = body_of_run(estimates_, estimates_.kernel_runs[p][pick], draw.inside_ns);
      out.runs.push_back({static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(pick)});
      plain.push_back(pair.plain_ns);
      events += pair.events;
    }
  }
  EventCost cost;
  cost.wall_ns = draw.wall_ns;
  cost.inside_ns = draw.inside_ns;
  cost.fixed_ns = draw.fixed_ns;
  cost.reported_ns = draw.reported_ns;
  cost.outside_ns = draw.outside_ns;
  cost.resolution_ns = estimates_.cost.resolution_ns;
  const std::vector<std::vector<Correction>> corrections = correct(drawn, cost);
  std::size_t at = 0;
  for (std::size_t p = 0; p < drawn.size(); ++p)
    for (std::size_t i = 0; i < drawn[p].size(); ++i, ++at) {
      const Correction& c = corrections[p][i];
      out.runs[at].factor = c.factor;
      totals.push_back(drawn[p][i].body_ns * c.factor + c.gaps_ns);
    }
  const Checks checks = checks_of(drawn, corrections, cost);
  for (std::size_t f = 0; f < kFigures; ++f) out.checks[f] = median_of_processes(checks[f]);
  out.total_ns = stats::median(totals);
  events /= static_cast<double>(plain.size());
  out.profiled_ns = stats::median(plain) + events * draw.wall_ns + draw.fixed_ns;
  out.deepest_ns = out.profiled_ns;
  for (const DeeperCost& level : estimates_.deeper_costs) {
    const CostDraw& d = level.cost.draws[seed % level.cost.draws.size()];
    out.deepest_ns += level.events * d.wall_ns + d.fixed_ns;
  }
  return out;
}

stats::Estimate Replicates::corrected(const std::vector<std::uint32_t>& members,
                                      double median) const {
  std::vector<double> medians, times;
  for (const Replicate& r : replicates_) {
    times.clear();
    for (const Drawn& run : r.runs) {
      const std::vector<double>& row = estimates_.kernel_runs[run.process][run.pair];
      double body = 0;
      for (const std::uint32_t k : members) body += body_of(estimates_, row, k, r.inside_ns);
      times.push_back(body * run.factor);
    }
    medians.push_back(stats::median(times));
  }
  const std::optional<stats::Interval> luck =
      stats::between_blocks(corrected_by_process(estimates_, members), kReplicateConfidence);
  return of_time(with_luck(std::move(medians), median, blocks_, luck));
}

stats::Estimate Replicates::interval_of(double Replicate::*value, double median,
                                        const std::optional<stats::Interval>& luck) const {
  std::vector<double> values;
  for (const Replicate& r : replicates_) values.push_back(r.*value);
  return of_time(with_luck(std::move(values), median, blocks_, luck));
}

stats::Estimate Replicates::total(double median) const {
  return interval_of(&Replicate::total_ns, median, total_luck_);
}

stats::Estimate Replicates::predicted_profiled(double median) const {
  return interval_of(&Replicate::profiled_ns, median, plain_luck_);
}

stats::Estimate Replicates::check(Figure figure) const {
  if (replicates_.empty()) return {};
  std::vector<double> values;
  for (const Replicate& r : replicates_) values.push_back(r.checks[figure]);
  return with_luck(std::move(values), median_of_processes(checks_[figure]), blocks_,
                   stats::between_blocks(checks_[figure], kReplicateConfidence));
}

stats::Estimate Replicates::factor() const { return check(kFactor); }
stats::Estimate Replicates::unscaled_residual() const { return check(kUnscaled); }
stats::Estimate Replicates::predicted_ratio() const { return check(kPredicted); }

stats::Estimate Replicates::predicted_deepest() const {
  double median = estimates_.predicted_profiled_ns;
  for (const DeeperCost& level : estimates_.deeper_costs)
    median += level.events * level.cost.wall_ns + level.cost.fixed_ns;
  return interval_of(&Replicate::deepest_ns, median, plain_luck_);
}

}  // namespace ridge::measure
