#include "measure/replicates.h"

#include <algorithm>

#include "stats/blocks.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

constexpr std::uint64_t kReplicates = 400;

profile::Estimate interval_of(std::vector<double> values, double median, double blocks) {
  const stats::Interval ci = stats::drawn_interval(median, std::move(values), blocks);
  return {median, ci.lo, ci.hi};
}

}  // namespace

Replicates::Replicates(const Estimates& estimates, const EventCost& cost) : estimates_(estimates) {
  if (estimates.pairs.empty()) return;
  for (const auto& process : estimates.pairs)
    blocks_ += static_cast<double>(process.size()) /
               static_cast<double>(stats::block_length(process.size()));
  const CostDraw exact{cost.wall_ns, cost.inside_ns, cost.fixed_ns};
  for (std::uint64_t i = 0; i < kReplicates; ++i)
    replicates_.push_back(
        replicate(cost.draws.empty() ? exact : cost.draws[i % cost.draws.size()], i + 1));
}

Replicates::Replicate Replicates::replicate(const CostDraw& draw, std::uint64_t seed) const {
  stats::Random random(seed);
  Replicate out{.inside_ns = draw.inside_ns};
  std::vector<std::vector<PairTimes>> drawn;
  std::vector<std::size_t> picks;
  std::vector<double> plain, totals;
  double events = 0;
  const auto& pairs = estimates_.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t p = random.below(pairs.size());
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
  const std::vector<std::vector<Correction>> corrections = correct(drawn, cost);
  std::size_t at = 0;
  for (std::size_t p = 0; p < drawn.size(); ++p)
    for (std::size_t i = 0; i < drawn[p].size(); ++i, ++at) {
      const Correction& c = corrections[p][i];
      out.runs[at].factor = c.factor;
      totals.push_back(drawn[p][i].body_ns * c.factor + c.gaps_ns);
    }
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

profile::Estimate Replicates::corrected(const std::vector<std::uint32_t>& members,
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
  return interval_of(std::move(medians), median, blocks_);
}

profile::Estimate Replicates::total(double median) const {
  std::vector<double> values;
  for (const Replicate& r : replicates_) values.push_back(r.total_ns);
  return interval_of(std::move(values), median, blocks_);
}

profile::Estimate Replicates::predicted_profiled(double median) const {
  std::vector<double> values;
  for (const Replicate& r : replicates_) values.push_back(r.profiled_ns);
  return interval_of(std::move(values), median, blocks_);
}

profile::Estimate Replicates::predicted_deepest() const {
  std::vector<double> values;
  for (const Replicate& r : replicates_) values.push_back(r.deepest_ns);
  double median = estimates_.predicted_profiled_ns;
  for (const DeeperCost& level : estimates_.deeper_costs)
    median += level.events * level.cost.wall_ns + level.cost.fixed_ns;
  return interval_of(std::move(values), median, blocks_);
}

}  // namespace ridge::measure
