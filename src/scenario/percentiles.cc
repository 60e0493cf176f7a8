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
/// A percentile whose dependence is known better than that of a rarer one.
constexpr double kFrequent = 0.9;
/// Beyond this inflation the estimate of it must rest on kFewest effective queries.
constexpr double kStrong = 4, kFewest = 100;

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

/// Variance of the share of queries above `bound`, over that of independent queries; at least 1.
double inflation(std::span<const std::int64_t> in_order, std::int64_t bound, double confidence) {
  std::vector<std::uint32_t> counts(in_order.size());
  std::transform(in_order.begin(), in_order.end(), counts.begin(),
                 [&](std::int64_t v) { return v > bound ? 1u : 0u; });
  const double above = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double share = above / static_cast<double>(counts.size());
  if (above == 0 || share == 1) return 1;
  const double level = 1 - (1 - confidence) / 2;
  const double normal = stats::normal_quantile(level);
  double most = 1;
  for (std::size_t size = 1; counts.size() >= kFewestBatches; size *= 2) {
    const auto batches = static_cast<double>(counts.size());
    const double student = stats::student_quantile(level, batches - 1) / normal;
    const double variance = spread(counts) / (batches - 1) / static_cast<double>(size);
    most = std::max(most, variance / (share * (1 - share)) * student * student);
    // A last batch without a partner is left out.
    for (std::size_t i = 0; 2 * i + 1 < counts.size(); ++i)
      counts[i] = counts[2 * i] + counts[2 * i + 1];
    counts.resize(counts.size() / 2);
  }
  return most;
}

/// Rank, from 1, of the percentile.
std::int64_t rank_of(double share, std::int64_t n) {
  const double exact = as_double(n) * share;  // 0.07 x 100 is above 7
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(exact - 1e-9 * exact)), 1, n);
}

}  // namespace

double share_of_percentile(double percentile) { return std::round(percentile * 1e10) / 1e12; }

Latencies::Latencies(std::vector<std::int64_t> in_order_ns)
    : in_order_(std::move(in_order_ns)), ascending_(in_order_) {
  std::sort(ascending_.begin(), ascending_.end());
}

std::int64_t Latencies::at(std::int64_t rank) const {
  return ascending_[static_cast<std::size_t>(rank - 1)];
}

Effective Latencies::effective(std::int64_t bound_ns, const IntervalOptions& options) const {
  const double n = as_double(size());
  if (options.dependence == Dependence::kIndependent || size() == 0) return {n, true, 0};
  const double level = 1 - (1 - options.confidence) / 2;
  const auto queries = [&](double inflation, double above) {
    if (inflation <= 1) return n;
    const double student = stats::student_quantile(level, std::max(above / inflation - 1, 3.0));
    return n / inflation / std::pow(student / stats::normal_quantile(level), 2);
  };
  const std::int64_t frequent = at(rank_of(kFrequent, size()));
  const double rare = inflation(in_order_, bound_ns, options.confidence);
  const double usual = inflation(in_order_, frequent, options.confidence);
  const double worst = std::max(rare, usual);
  Effective out;
  out.queries = queries(rare, as_double(late(bound_ns)));
  if (bound_ns > frequent)
    out.queries = std::min(out.queries, queries(usual, as_double(late(frequent))));
  out.reliable = worst <= kStrong || n >= kFewest * worst;
  out.needed = static_cast<std::int64_t>(std::ceil(kFewest * worst));
  return out;
}

Percentile Latencies::percentile(double share, const IntervalOptions& options) const {
  Percentile out;
  out.share = share;
  const std::int64_t n = size();
  const double tail = (1 - options.confidence) / 2;
  const double least = std::log(tail) / std::log(std::max(share, 1 - share));
  out.needed = static_cast<std::int64_t>(std::ceil(least));
  if (n == 0) return out;
  out.value_ns = at(rank_of(share, n));
  const Effective known = effective(out.value_ns, options);
  out.effective = known.queries;
  out.needed = static_cast<std::int64_t>(std::ceil(least * as_double(n) / known.queries));
  if (!known.reliable) out.needed = std::max(out.needed, known.needed);
  if (!known.reliable) return out;
  const Ranks around = ranks(n, known.queries, share, tail);
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
  const Effective known = latencies.effective(bound_ns, options);
  const double trials = known.queries;
  out.reliable = known.reliable;
  const double within = out.value * trials, tail = (1 - options.confidence) / 2;
  out.interval.lo = out.value <= 0 ? 0 : beta_quantile(tail, within, trials - within + 1);
  out.interval.hi = out.value >= 1 ? 1 : beta_quantile(1 - tail, within + 1, trials - within);
  return out;
}

Verdict judge(const Latencies& latencies, double share, std::int64_t bound_ns,
              const IntervalOptions& options) {
  const Share within = share_within(latencies, bound_ns, options);
  if (within.interval.hi < share) return Verdict::kInvalid;
  return within.reliable && within.interval.lo >= share ? Verdict::kValid : Verdict::kUndecided;
}

}  // namespace ridge::scenario
