#include "stats/change.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stats/block_pool.h"
#include "stats/normal.h"
#include "stats/random.h"

namespace ridge::stats {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using Samples = std::vector<std::vector<double>>;

std::size_t samples_in(const Samples& blocks) {
  return std::accumulate(
      blocks.begin(), blocks.end(), std::size_t{0},
      [](std::size_t n, const std::vector<double>& block) { return n + block.size(); });
}

struct Medians {
  std::vector<double> first, second;  ///< by resample
};

Medians resample(BlockPool& first, BlockPool& second, Blocks blocks,
                 const BootstrapOptions& options) {
  Random random(options.seed);
  std::vector<std::size_t> drawn(first.blocks());
  Medians out;
  for (int i = 0; i < std::max(options.resamples, 1); ++i) {
    if (blocks == Blocks::kIndependent) {
      out.first.push_back(first.resampled_median(random));
      out.second.push_back(second.resampled_median(random));
      continue;
    }
    for (std::size_t& d : drawn) d = random.below(first.blocks());
    out.first.push_back(first.resampled_median(drawn, random));
    out.second.push_back(second.resampled_median(drawn, random));
  }
  return out;
}

Estimate percentiles(std::vector<double> replicates, double point, double confidence) {
  std::sort(replicates.begin(), replicates.end());
  const double tail = (1 - confidence) / 2;
  return {point,
          {std::min(quantile_of_sorted(replicates, tail), point),
           std::max(quantile_of_sorted(replicates, 1 - tail), point)}};
}

double doubt(double distance, double spread) {
  if (std::isnan(distance) || std::isnan(spread)) return 1;
  if (spread == 0) return distance > 0 ? 0 : 1;
  return normal_cdf(-distance / spread);
}

}  // namespace

Change change(std::span<const std::vector<double>> first,
              std::span<const std::vector<double>> second, Blocks blocks,
              const BootstrapOptions& options) {
  Samples a(first.begin(), first.end()), b(second.begin(), second.end());
  if (a.size() != b.size()) blocks = Blocks::kIndependent;
  if (blocks == Blocks::kPaired)
    for (std::size_t i = a.size(); i-- > 0;)
      if (a[i].empty() || b[i].empty()) {
        a.erase(a.begin() + static_cast<std::ptrdiff_t>(i));
        b.erase(b.begin() + static_cast<std::ptrdiff_t>(i));
      }
  const Estimate nothing{kNone, {kNone, kNone}};
  Change out{nothing, kNone, nothing, kNone, std::min(samples_in(a), samples_in(b))};
  BlockPool pool_a(a), pool_b(b);
  if (pool_a.empty() || pool_b.empty()) return out;
  const Medians medians = resample(pool_a, pool_b, blocks, options);
  const double from = quantile_of_sorted(pool_a.ascending(), 0.5);
  const double to = quantile_of_sorted(pool_b.ascending(), 0.5);
  const double k = static_cast<double>(std::min(pool_a.blocks(), pool_b.blocks()));
  const double widening = k > 1 ? std::sqrt(k / (k - 1)) : 1;

  std::vector<double> replicates(medians.first.size());
  for (std::size_t i = 0; i < replicates.size(); ++i)
    replicates[i] = medians.second[i] - medians.first[i];
  out.spread = widening * deviation(replicates);
  out.difference = percentiles(std::move(replicates), to - from, options.confidence);
  const auto not_above_0 = [](double x) { return x <= 0; };
  if (std::any_of(medians.first.begin(), medians.first.end(), not_above_0) ||
      std::any_of(medians.second.begin(), medians.second.end(), not_above_0))
    return out;
  std::vector<double> logs(medians.first.size());
  for (std::size_t i = 0; i < logs.size(); ++i)
    logs[i] = std::log(medians.second[i] / medians.first[i]);
  out.log_spread = widening * deviation(logs);
  const Estimate log = percentiles(std::move(logs), std::log(to / from), options.confidence);
  out.ratio = {to / from, {std::exp(log.ci.lo), std::exp(log.ci.hi)}};
  return out;
}

double ratio_doubt(const Change& change, Side side, double limit) {
  if (limit <= 0) return side == Side::kAbove && change.ratio.value > 0 ? 0 : 1;
  const double distance = std::log(change.ratio.value / limit);
  return doubt(side == Side::kAbove ? distance : -distance, change.log_spread);
}

double difference_doubt(const Change& change, Side side, double limit) {
  const double distance = change.difference.value - limit;
  return doubt(side == Side::kAbove ? distance : -distance, change.spread);
}

std::vector<bool> discoveries(std::span<const double> doubts, double rate) {
  std::vector<std::size_t> order(doubts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return doubts[a] < doubts[b]; });
  std::size_t answered = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (doubts[order[i]] <= rate * static_cast<double>(i + 1) / static_cast<double>(order.size()))
      answered = i + 1;
  std::vector<bool> out(doubts.size(), false);
  for (std::size_t i = 0; i < answered; ++i) out[order[i]] = true;
  return out;
}

}  // namespace ridge::stats
