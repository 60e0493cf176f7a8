#include "stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/block_pool.h"
#include "stats/normal.h"
#include "stats/random.h"

namespace ridge::stats {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Interval widened(Interval ci, double point) {
  return {std::min(ci.lo, point), std::max(ci.hi, point)};
}

/// The statistic of each resample, ascending.
std::vector<double> replicates(std::span<const double> values, Statistic statistic,
                               const BootstrapOptions& options) {
  Random random(options.seed);
  std::vector<double> out(static_cast<std::size_t>(std::max(options.resamples, 1)));
  std::vector<double> drawn(values.size());
  for (double& replicate : out) {
    for (double& d : drawn) d = values[random.below(values.size())];
    replicate = statistic(drawn);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Efron's acceleration: sum(d^3) / (6 sum(d^2)^1.5) with d = mean of the leave-one-out statistics
/// minus each of them.
double acceleration(std::span<const double> values, Statistic statistic) {
  if (values.size() < 2) return 0;
  std::vector<double> rest(values.begin() + 1, values.end());
  std::vector<double> jackknife(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    jackknife[i] = statistic(rest);
    if (i < rest.size()) rest[i] = values[i];
  }
  const double centre = mean(jackknife);
  double squares = 0, cubes = 0;
  for (const double j : jackknife) {
    const double d = centre - j;
    squares += d * d;
    cubes += d * d * d;
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

}  // namespace

Estimate percentile_bootstrap(std::span<const double> values, Statistic statistic,
                              const BootstrapOptions& options) {
  if (values.empty()) return {kNone, {kNone, kNone}};
  const double point = statistic(values);
  const std::vector<double> r = replicates(values, statistic, options);
  const double tail = (1 - options.confidence) / 2;
  const Interval ci{quantile_of_sorted(r, tail), quantile_of_sorted(r, 1 - tail)};
  return {point, widened(ci, point)};
}

Estimate bca_bootstrap(std::span<const double> values, Statistic statistic,
                       const BootstrapOptions& options) {
  if (values.empty()) return {kNone, {kNone, kNone}};
  const double point = statistic(values);
  const std::vector<double> r = replicates(values, statistic, options);
  const auto [first, last] = std::equal_range(r.begin(), r.end(), point);
  const double below =
      static_cast<double>(first - r.begin()) + 0.5 * static_cast<double>(last - first);
  // Half a replicate off either end keeps z0 finite where every resample lies on one side.
  const double b = static_cast<double>(r.size());
  const double z0 = normal_quantile(std::clamp(below, 0.5, b - 0.5) / b);
  const double a = acceleration(values, statistic);
  const auto moved = [&](double p) {
    const double z = z0 + normal_quantile(p);
    return std::clamp(normal_cdf(z0 + z / (1 - a * z)), 0.0, 1.0);
  };
  const double tail = (1 - options.confidence) / 2;
  const Interval ci{quantile_of_sorted(r, moved(tail)), quantile_of_sorted(r, moved(1 - tail))};
  return {point, widened(ci, point)};
}

Estimate bootstrap_median(std::span<const double> values, const BootstrapOptions& options) {
  return bca_bootstrap(values, median, options);
}

Estimate hierarchical_median(std::span<const std::vector<double>> processes,
                             const BootstrapOptions& options) {
  BlockPool pool(processes);
  if (pool.empty()) return {kNone, {kNone, kNone}};
  const double point = quantile_of_sorted(pool.ascending(), 0.5);
  Random random(options.seed);
  std::vector<double> r(static_cast<std::size_t>(std::max(options.resamples, 1)));
  for (double& replicate : r) replicate = pool.resampled_median(random);
  std::sort(r.begin(), r.end());
  const double tail = (1 - options.confidence) / 2;
  const Interval ci{quantile_of_sorted(r, tail), quantile_of_sorted(r, 1 - tail)};
  return {point, widened(ci, point)};
}

}  // namespace ridge::stats
