// SPDX-License-Identifier: Apache-2.0
#include "scenario/percentiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "scenario/beta.h"
#include "scenario/clusters.h"
#include "stats/normal.h"

namespace ridge::scenario {
namespace {

constexpr std::size_t kMinBatches = 16;
/// A percentile whose dependence is known better than a rarer one's.
constexpr double kFrequent = 0.9;
/// Beyond this inflation the estimate of it must rest on kMin effective queries.
constexpr double kStrong = 4, kMin = 100;
/// The least that the interval of a queue's percentile rests on (percentiles.h).
constexpr double kMinQueued = 3000, kMinRanks = 60, kMinClusters = 0.5;
/// The upper limit has this share of the tail: the size of clusters is an estimate, and is too
/// small where the queue stayed short.
constexpr double kUpperTail = 0.03;
/// Inflation beyond the batches' inflation, whose own error it covers.
constexpr double kWider = 1.5;

double as_double(std::int64_t n) { return static_cast<double>(n); }

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

double squares_around_mean(std::span<const double> values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double out = 0;
  for (const double v : values) out += (v - mean) * (v - mean);
  return out;
}

/// Variance of the mean over the variance for independent values, the largest that batches of 1, 2,
/// 4, ... show, each times the square of factor(batches); at least 1.
template <typename Factor>
double inflation(std::vector<double> values, const Factor& factor) {
  if (values.empty()) return 1;
  const double single = squares_around_mean(values) / static_cast<double>(values.size());
  if (!(single > 0)) return 1;
  double most = 1;
  for (std::size_t size = 1; values.size() >= kMinBatches; size *= 2) {
    const auto batches = static_cast<double>(values.size());
    const double variance = squares_around_mean(values) / (batches - 1) / static_cast<double>(size);
    most = std::max(most, variance / single * factor(batches) * factor(batches));
    // A last batch without a partner is left out.
    for (std::size_t i = 0; 2 * i + 1 < values.size(); ++i)
      values[i] = values[2 * i] + values[2 * i + 1];
    values.resize(values.size() / 2);
  }
  return most;
}

double as_measured(double) { return 1; }

/// Student's over the normal quantile for the variance of so many batches.
auto by_student(double confidence) {
  const double level = 1 - (1 - confidence) / 2;
  return [level, normal = stats::normal_quantile(level)](double batches) {
    return stats::student_quantile(level, batches - 1) / normal;
  };
}

std::vector<double> above(std::span<const std::int64_t> in_order, std::int64_t bound) {
  std::vector<double> out(in_order.size());
  std::ranges::transform(in_order, out.begin(), [&](std::int64_t v) { return v > bound ? 1 : 0; });
  return out;
}

/// Rank, from 1, of the percentile.
std::int64_t rank_of(double share, std::int64_t n) {
  const double exact = as_double(n) * share;  // 0.07 x 100 is above 7
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(exact - 1e-9 * exact)), 1, n);
}

/// Clopper and Pearson's interval of a share of so many independent trials.
stats::Interval clopper_pearson(double share, double trials, double tail) {
  const double within = share * trials;
  return {share <= 0 ? 0 : beta_quantile(tail, within, trials - within + 1),
          share >= 1 ? 1 : beta_quantile(1 - tail, within + 1, trials - within)};
}

/// Excursions above the median that an interval rests on.
double min_excursions(double share) { return std::max(480.0, 8.5 / (1 - share)); }

}  // namespace

double share_of_percentile(double percentile) { return std::round(percentile * 1e10) / 1e12; }

Latencies::Latencies(std::vector<std::int64_t> in_order_ns)
    : in_order_(std::move(in_order_ns)), ascending_(in_order_) {
  std::sort(ascending_.begin(), ascending_.end());
  queue_ = queue();
}

std::int64_t Latencies::at(std::int64_t rank) const {
  return ascending_[static_cast<std::size_t>(rank - 1)];
}

Latencies::Queue Latencies::queue() const {
  Queue out;
  if (in_order_.empty()) return out;
  std::vector<double> ranks(in_order_.size());
  std::ranges::transform(in_order_, ranks.begin(), [&](std::int64_t v) {
    return static_cast<double>(std::ranges::lower_bound(ascending_, v) - ascending_.begin());
  });
  const std::int64_t frequent = at(rank_of(kFrequent, size()));
  out.ranks = inflation(std::move(ranks), as_measured);
  out.frequent = inflation(above(in_order_, frequent), as_measured);
  out.median_index = extremal_index(in_order_, at(rank_of(0.5, size())));
  out.frequent_index = extremal_index(in_order_, frequent);
  return out;
}

double Latencies::cluster_index(std::int64_t bound_ns) const {
  const auto of = [](double inflation) { return 2 / (inflation + 1); };  // geometric sizes
  const double usual = std::cbrt(queue_.frequent_index * of(queue_.frequent) * of(queue_.ranks));
  const double here = inflation(above(in_order_, bound_ns), as_measured);
  return std::min({usual, of(queue_.frequent), of(here)});
}

double Latencies::effective(std::int64_t bound_ns, const IntervalOptions& options) const {
  const double n = as_double(size());
  if (options.dependence == Dependence::kIndependent || size() == 0) return n;
  const std::int64_t frequent = at(rank_of(kFrequent, size()));
  if (options.dependence == Dependence::kQueued) {
    const double here = inflation(above(in_order_, bound_ns), as_measured);
    return n / std::max({here, queue_.ranks, bound_ns > frequent ? queue_.frequent : 1}) / kWider;
  }
  const auto student = by_student(options.confidence);
  const auto queries = [&](std::int64_t bound) {
    const double by = inflation(above(in_order_, bound), student);
    if (by <= 1) return n;
    return n / by / std::pow(student(std::max(as_double(late(bound)) / by, 4.0)), 2);
  };
  return bound_ns > frequent ? std::min(queries(bound_ns), queries(frequent)) : queries(bound_ns);
}

void Latencies::add_consecutive(const IntervalOptions& options, Percentile& out) const {
  const double n = as_double(size()), tail = (1 - options.confidence) / 2;
  const double least = std::log(tail) / std::log(std::max(out.share, 1 - out.share));
  out.needed = static_cast<std::int64_t>(std::ceil(least * n / out.effective));
  if (options.dependence == Dependence::kConsecutive) {
    const auto student = by_student(options.confidence);
    const double worst =
        std::max(inflation(above(in_order_, out.value_ns), student),
                 inflation(above(in_order_, at(rank_of(kFrequent, size()))), student));
    if (worst > kStrong && n < kMin * worst) {
      out.needed = std::max(out.needed, static_cast<std::int64_t>(std::ceil(kMin * worst)));
      return;
    }
  }
  const Ranks around = ranks(size(), out.effective, out.share, tail);
  if (around.low < 1 || around.high > size()) return;
  out.interval = stats::Interval{as_double(at(around.low)), as_double(at(around.high))};
}

std::int64_t Latencies::needed_if_queued(double share) const {
  double out = std::max(kMinQueued, min_excursions(share) / queue_.median_index);
  out = std::max(out, kMinRanks * queue_.ranks);
  if (share >= kFrequent)
    out = std::max(out, kMinClusters / (1 - share) /
                            std::cbrt(queue_.frequent_index * 4 /
                                      ((queue_.frequent + 1) * (queue_.ranks + 1))));
  return static_cast<std::int64_t>(std::ceil(out - 1e-9 * out));
}

void Latencies::add_queued(const IntervalOptions& options, Percentile& out) const {
  out.needed = needed_if_queued(out.share);
  if (size() < out.needed) return;
  const std::int64_t n = size();
  const double tail = (1 - options.confidence) / 2;
  Ranks around = ranks(n, out.effective, out.share, tail);
  if (out.share >= kFrequent) {
    const ClusteredCount late(as_double(n) * (1 - out.share), cluster_index(out.value_ns));
    around = {n - late.min_above(tail) + 1,
              n - std::max<std::int64_t>(late.max_below(tail * kUpperTail), 1) + 1};
  }
  if (around.low < 1 || around.high > n) {
    out.needed = std::max(out.needed, 2 * n);
    return;
  }
  out.interval = stats::Interval{as_double(at(around.low)), as_double(at(around.high))};
}

Percentile Latencies::percentile(double share, const IntervalOptions& options) const {
  Percentile out;
  out.share = share;
  if (size() == 0) {
    const double tail = (1 - options.confidence) / 2;
    out.needed = options.dependence == Dependence::kQueued
                     ? needed_if_queued(share)
                     : static_cast<std::int64_t>(
                           std::ceil(std::log(tail) / std::log(std::max(share, 1 - share))));
    return out;
  }
  out.value_ns = at(rank_of(share, size()));
  out.effective = effective(out.value_ns, options);
  if (options.dependence == Dependence::kQueued)
    add_queued(options, out);
  else
    add_consecutive(options, out);
  return out;
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

Share share_within(const Latencies& latencies, double percentile, std::int64_t bound_ns,
                   const IntervalOptions& options) {
  if (latencies.size() == 0) return {};
  Share out{.value = 1 - as_double(latencies.late(bound_ns)) / as_double(latencies.size()),
            .interval = {}};
  if (!latencies.percentile(percentile, options).interval) return out;
  out.interval = clopper_pearson(out.value, latencies.effective(bound_ns, options),
                                 (1 - options.confidence) / 2);
  return out;
}

Verdict judge(const Latencies& latencies, double share, std::int64_t bound_ns,
              std::int64_t unanswered, const IntervalOptions& options) {
  if (unanswered > 0) return Verdict::kInvalid;
  if (latencies.size() == 0) return Verdict::kUndecided;
  const Percentile of = latencies.percentile(share, options);
  const auto bound = as_double(bound_ns);
  if (of.interval && of.interval->hi <= bound) return Verdict::kValid;
  if (of.interval) return of.interval->lo > bound ? Verdict::kInvalid : Verdict::kUndecided;
  const double tail = (1 - options.confidence) / 2;
  const std::int64_t late = latencies.late(bound_ns);
  const double n = as_double(latencies.size()), expected = n * (1 - share);
  bool beyond = as_double(late) * tail >= expected;  // Markov's inequality
  if (options.dependence != Dependence::kQueued) {
    const double trials = latencies.effective(bound_ns, options);
    beyond |= clopper_pearson(1 - as_double(late) / n, trials, tail).hi < share;
  } else if (share >= kFrequent) {
    const ClusteredCount count(expected, latencies.cluster_index(bound_ns));
    beyond |= late >= count.min_above(tail * kUpperTail);
  }
  return beyond ? Verdict::kInvalid : Verdict::kUndecided;
}

}  // namespace ridge::scenario
