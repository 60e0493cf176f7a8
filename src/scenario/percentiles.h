// SPDX-License-Identifier: Apache-2.0
// Percentiles of latencies, with intervals that account for queries that wait for each other.
//
//   const Latencies latencies(ns);    // in the order in which queries were scheduled
//   const Percentile p99 = latencies.percentile(0.99);
//   if (p99.interval) ... p99.interval->lo ...
//   else ... p99.needed queries are needed ...
//
// Percentile p is the order statistic of rank ceil(n p), without interpolation. Its interval lies
// between two order statistics, so that no shape of the distribution is assumed. Their ranks depend
// on how queries depend on each other (Dependence):
//
// - kIndependent: the ranks of stats::quantile_interval, from the exact binomial distribution
//   (David and Nagaraja, Order Statistics, 3rd ed., section 7.1).
// - kConsecutive, each after the one before it: n queries tell as little as n over the inflation of
//   the variance, which batches of consecutive queries show (Heidelberger and Lewis 1984,
//   Operations Research 32:185): for batches of 1, 2, 4, ... queries, as long as there are 16
//   batches, the variance of the batches' shares above the percentile over the variance for
//   independent queries, times the squared ratio of Student's and the normal quantile (Korn and
//   Graubard 1998, Survey Methodology 24:193); the largest counts. It is multiplied by that ratio
//   once more, with as many degrees of freedom as independent queries above the percentile, less
//   one (3 or more). Beyond the 90th percentile, which has more queries above it, the inflation
//   there counts if larger. Refused where no order statistic is high or low enough, or where the
//   variance is inflated more than fourfold and the effective number is below 100.
// - kQueued, at due times of their own: a slow query makes those behind it slow. From the 90th
//   percentile on, the late queries are clusters (clusters.h), whose size follows from the smallest
//   of: the inflation at the percentile, and the geometric mean of the extremal index and the
//   inflation at the 90th percentile and the inflation of the ranks. Below, the ranks are binomial
//   as above.
//
// An interval that is shown must hold the percentile as often as it says. A run in which the queue
// happened to stay short has too low a percentile *and* looks less dependent than it is, so whether
// an interval is shown must depend on something else than the inflation of rare queries: a queue's
// excursions above its median, of which there are many. Shown are intervals with at least
// max(480, 8.5 / (1 - p)) excursions (n times the extremal index at the median), 60 independent
// queries by the inflation of the ranks, half a cluster above the percentile, and 3,000 queries:
// what a machine does once in a thousand queries is in that many with 95 % (the rule of three).
// bench/queue_coverage.cc has the coverage.
//
// Ownership: keeps the latencies and an ascending copy. Thread rule: const functions from several
// threads. Cost: O(n log n) once, O(n) per percentile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenario/early_stopping.h"
#include "stats/samples.h"

namespace ridge::scenario {

/// The number N for which an event of one in N queries may have been missed: of `queries` none had
/// it, with a probability of 5 % (the rule of three: Hanley and Lippman-Hand 1983, JAMA 249:1743).
/// Rarer events are missed more often.
constexpr std::int64_t missed_one_in(std::int64_t queries) { return queries / 3; }

enum class Dependence : std::uint8_t { kIndependent, kConsecutive, kQueued };

struct IntervalOptions {
  double confidence = 0.95;
  Dependence dependence = Dependence::kQueued;
};

/// The share that a percentile states, 0.999 for 99.9: the double nearest to the decimal fraction,
/// which a division by 100 misses.
double share_of_percentile(double percentile);

struct Percentile {
  double share = 0;                         ///< 0.99 for the 99th
  std::int64_t value_ns = 0;                ///< rank ceil(n x share); 0 without queries
  std::optional<stats::Interval> interval;  ///< nanoseconds
  double effective = 0;                     ///< number of independent queries that tell as much
  std::int64_t needed = 0;                  ///< about how many queries an interval takes
};

/// Latencies of queries that were answered.
struct LatencySummary {
  double mean_ns = 0, trimmed_mean_ns = 0;  ///< the latter without 20 % at each end
  std::vector<Percentile> percentiles;
};

class Latencies {
 public:
  explicit Latencies(std::vector<std::int64_t> in_order_ns);

  std::int64_t size() const { return static_cast<std::int64_t>(in_order_.size()); }
  /// Latencies in the order of the schedule, and ascending.
  const std::vector<std::int64_t>& in_order() const { return in_order_; }
  const std::vector<std::int64_t>& ascending() const { return ascending_; }

  /// 0 < share < 1.
  Percentile percentile(double share, const IntervalOptions& options = {}) const;

  /// Mean without the floor(n x cut) lowest and highest: MLModelScope's trimmed mean has cut = 0.2
  /// (Dakkak et al. 2020, section 5.1). NaN without queries.
  double trimmed_mean_ns(double cut = 0.2) const;
  double mean_ns() const;

  /// Number of independent queries that tell as much about the share above the bound.
  double effective(std::int64_t bound_ns, const IntervalOptions& options = {}) const;

  /// Extremal index of the queries later than the bound, on the safe side: larger clusters.
  double cluster_index(std::int64_t bound_ns) const;

  /// Number of queries later than the bound.
  std::int64_t late(std::int64_t bound_ns) const;

 private:
  /// Facts of the whole series on how its queries depend on each other.
  struct Queue {
    double ranks = 1;           ///< inflation of the variance of the ranks
    double frequent = 1;        ///< and of the share above the 90th percentile
    double median_index = 1;    ///< extremal index at the median
    double frequent_index = 1;  ///< and at the 90th percentile
  };

  std::int64_t at(std::int64_t rank) const;  ///< ascending, from 1
  Queue queue() const;
  std::int64_t needed_if_queued(double share) const;
  void add_consecutive(const IntervalOptions& options, Percentile& out) const;
  void add_queued(const IntervalOptions& options, Percentile& out) const;

  std::vector<std::int64_t> in_order_, ascending_;
  Queue queue_;
};

/// Share of something among queries.
struct Share {
  double value = 0;
  std::optional<stats::Interval> interval;
};

/// Share of the queries within a bound: the goodput is this share of the rate. The interval is that
/// of Clopper and Pearson 1934 for the effective number of queries (Korn and Graubard); none where
/// the percentile has none.
Share share_within(const Latencies& latencies, double percentile, std::int64_t bound_ns,
                   const IntervalOptions& options = {});

/// Whether the percentile is within the bound, that is, at least `share` of all queries are: the
/// one judge of evaluations and of searches for the largest rate. Valid and invalid if the whole
/// interval of the percentile says so. Without an interval, invalid if as many late queries have a
/// probability of at most (1 - confidence) / 2 (2.5 %) with the percentile within the bound. By
/// Markov's inequality that is so, whatever depends on what, if 40 times as many are late as may
/// be. Invalid, too, if queries were not answered: failed, or due and not issued.
Verdict judge(const Latencies& latencies, double share, std::int64_t bound_ns,
              std::int64_t unanswered = 0, const IntervalOptions& options = {});

}  // namespace ridge::scenario
