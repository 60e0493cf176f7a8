#include "stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Which samples a resample of processes holds, as counts per rank of the pooled sample: the median
/// is then one scan.
class Pool {
 public:
  explicit Pool(std::span<const std::vector<double>> processes) {
    for (const std::vector<double>& p : processes) {
      if (p.empty()) continue;
      members_.push_back({values_.size(), p.size()});
      values_.insert(values_.end(), p.begin(), p.end());
    }
    order_by_value();
  }

  bool empty() const { return values_.empty(); }
  const std::vector<double>& ascending() const { return values_; }

  double resampled_median(Random& random) {
    std::fill(counts_.begin(), counts_.end(), 0u);
    std::size_t total = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Range& process = members_[random.below(members_.size())];
      for (std::size_t k = 0; k < process.size; ++k) {
        ++counts_[ranks_[process.first + random.below(process.size)]];
      }
      total += process.size;
    }
    return 0.5 * (at((total - 1) / 2) + at(total / 2));
  }

 private:
  struct Range {
    std::size_t first, size;
  };

  void order_by_value() {
    std::vector<std::size_t> order(values_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [this](std::size_t a, std::size_t b) { return values_[a] < values_[b]; });
    ranks_.resize(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) ranks_[order[rank]] = rank;
    std::sort(values_.begin(), values_.end());
    counts_.resize(values_.size());
  }

  /// The k-th smallest (0-based) value of the present resample.
  double at(std::size_t k) const {
    std::size_t seen = 0;
    for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
      seen += counts_[rank];
      if (seen > k) return values_[rank];
    }
    return kNone;
  }

  std::vector<Range> members_;
  std::vector<double> values_;         // ascending
  std::vector<std::size_t> ranks_;     // of the samples in process order
  std::vector<std::uint32_t> counts_;  // by rank
};

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
  Pool pool(processes);
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
