#include "scenario/percentiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "scenario/beta.h"
#include "stats/normal.h"

namespace ridge::scenario {
namespace {

constexpr std::size_t kFewestBatches = 16;

double as_double(std::int64_t n) { return static_cast<double>(n); }

/// Sum of squares of the deviations of the counts from the mean count.
double spread(std::span<const std::uint32_t> counts) {
  double sum = 0, squares = 0;
  for (const std::uint32_t count : counts) {
    sum += count;
    squares += static_cast<double>(count) * count;
  }
  return squares - sum * sum / static_cast<double>(counts.size());
}

/// Ranks, from 1, of the order statistics around the `share` quantile; 0 and n + 1 if there is none
/// that is low or high enough. With B of `trials` independent values below the quantile, it is
/// below the one of rank r if B < r, and above it if B >= r.
struct Ranks {
  std::int64_t low, high;
};

Ranks ranks(std::int64_t n, double trials, double share, double tail) {
  const auto scaled = [&](std::int64_t rank) { return as_double(rank) * trials / as_double(n); };
  std::int64_t low = 0, above = n + 1;  // the largest with P(B < r) <= tail
  while (above - low > 1) {
    const std::int64_t r = low + (above - low) / 2;
    const double below = beta_share(1 - share, trials - scaled(r) + 1, scaled(r));
    (below <= tail ? low : above) = r;
  }
  std::int64_t under = 0, high = n + 1;  // the smallest with P(B >= r) <= tail
  while (high - under > 1) {
    const std::int64_t r = under + (high - under) / 2;
    const double at_least = beta_share(share, scaled(r), trials - scaled(r) + 1);
    (at_least <= tail ? high : under) = r;
  }
  return {low, high};
}

/// The x with I_x(a, b) = p.
double beta_quantile(double p, double a, double b) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (beta_share(middle, a, b) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double effective_number(std::span<const std::int64_t> in_order, std::int64_t bound,
                        double confidence) {
  const std::size_t n = in_order.size();
  std::vector<std::uint32_t> counts(n);
  std::transform(in_order.begin(), in_order.end(), counts.begin(),
                 [&](std::int64_t v) { return v > bound ? 1u : 0u; });
  const double above = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double share = above / static_cast<double>(n);
  if (above == 0 || share == 1) return static_cast<double>(n);
  const double level = 1 - (1 - confidence) / 2;
  const double normal = stats::normal_quantile(level);
  double most = 1;
  for (std::size_t size = 1; counts.size() >= kFewestBatches; size *= 2) {
    const auto batches = static_cast<double>(counts.size());
    const double student = stats::student_quantile(level, batches - 1) / normal;
    // Variance of a batch's share, over that of as many independent queries.
    const double variance = spread(counts) / (batches - 1) / static_cast<double>(size);
    most = std::max(most, variance / (share * (1 - share)) * student * student);
    // A last batch without a partner is left out.
    for (std::size_t i = 0; 2 * i + 1 < counts.size(); ++i)
      counts[i] = counts[2 * i] + counts[2 * i + 1];
    counts.resize(counts.size() / 2);
  }
  return static_cast<double>(n) / most;
}

Latencies::Latencies(std::vector<std::int64_t> in_order_ns)
    : in_order_(std::move(in_order_ns)), ascending_(in_order_) {
  std::sort(ascending_.begin(), ascending_.end());
}

Percentile Latencies::percentile(double share, const IntervalOptions& options) const {
  Percentile out;
  out.share = share;
  const std::int64_t n = size();
  const double tail = (1 - options.confidence) / 2;
  const double least = std::log(tail) / std::log(std::max(share, 1 - share));
  out.needed = static_cast<std::int64_t>(std::ceil(least));
  if (n == 0) return out;
  const auto at = [&](std::int64_t rank) { return ascending_[static_cast<std::size_t>(rank - 1)]; };
  const double exact = as_double(n) * share;
  out.value_ns = at(
      std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(exact - 1e-9 * exact)), 1, n));
  out.effective = options.dependence == Dependence::kIndependent
                      ? as_double(n)
                      : effective_number(in_order_, out.value_ns, options.confidence);
  out.needed = static_cast<std::int64_t>(std::ceil(least * as_double(n) / out.effective));
  const Ranks around = ranks(n, out.effective, share, tail);
  if (around.low < 1 || around.high > n) return out;
  out.interval = stats::Interval{as_double(at(around.low)), as_double(at(around.high))};
  return out;
}

std::int64_t Latencies::loadgen_percentile(double share) const {
  return ascending_[static_cast<std::size_t>(static_cast<double>(ascending_.size()) * share)];
}

double Latencies::trimmed_mean_ns(double cut) const {
  const auto skipped = static_cast<std::size_t>(static_cast<double>(ascending_.size()) * cut);
  const std::span<const std::int64_t> kept =
      std::span(ascending_).subspan(skipped, ascending_.size() - 2 * skipped);
  if (kept.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
}

double Latencies::mean_ns() const { return trimmed_mean_ns(0); }

std::int64_t Latencies::late(std::int64_t bound_ns) const {
  return ascending_.end() - std::upper_bound(ascending_.begin(), ascending_.end(), bound_ns);
}

Share share_within(const Latencies& latencies, std::int64_t bound_ns,
                   const IntervalOptions& options) {
  if (latencies.size() == 0) return {};
  const double n = as_double(latencies.size());
  Share out;
  out.value = 1 - as_double(latencies.late(bound_ns)) / n;
  const double trials = options.dependence == Dependence::kIndependent
                            ? n
                            : effective_number(latencies.in_order(), bound_ns, options.confidence);
  const double within = out.value * trials, tail = (1 - options.confidence) / 2;
  out.interval.lo = out.value <= 0 ? 0 : beta_quantile(tail, within, trials - within + 1);
  out.interval.hi = out.value >= 1 ? 1 : beta_quantile(1 - tail, within + 1, trials - within);
  return out;
}

}  // namespace ridge::scenario
