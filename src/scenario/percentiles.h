// Percentiles of latencies, with intervals that account for queries that wait for each other.
//
//   const Latencies latencies(ns);    // in the order in which queries were scheduled
//   const Percentile p99 = latencies.percentile(0.99);
//   if (p99.interval) ... p99.interval->lo ...
//   else ... p99.needed queries are needed ...
//
// Percentile p is the order statistic of rank ceil(n p), without interpolation. Its interval lies
// between two order statistics, so that no shape of the distribution is assumed:
// - independent queries: the ranks of stats::quantile_interval, from the exact binomial
//   distribution (David and Nagaraja, Order Statistics, 3rd ed., section 7.1);
// - queries under load: a slow query makes those behind it slow, so that n of them tell as little
//   as fewer independent ones, whose number gives the ranks. It is n over the inflation of the
//   variance, estimated from batches of consecutive queries (Heidelberger and Lewis 1984,
//   Operations Research 32:185): for batches of 1, 2, 4, ... queries, as long as there are 16
//   batches, the variance of the batches' shares above the percentile over that of independent
//   queries, times the squared ratio of Student's and the normal quantile (Korn and Graubard 1998,
//   Survey Methodology 24:193); the largest counts. It is multiplied by that ratio once more, with
//   as many degrees of freedom as independent queries above the percentile, less one (3 or more).
//   Beyond the 90th percentile, which has more queries above it, the inflation there counts if
//   larger.
// What dependence extends over more than a sixteenth of the series is not seen: measure for many
// times as long as a queue needs to empty, and leave out the start.
//
// A percentile is refused (no interval; `needed`) where no order statistic is high or low enough
// for the confidence, or where the variance is inflated more than fourfold and the effective
// number, so estimated, is below 100: then the estimate is too uncertain itself. Ownership: keeps
// the latencies and an ascending copy. Thread rule: const functions from several threads. Cost: O(n
// log n) once, O(n) per percentile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenario/early_stopping.h"
#include "stats/samples.h"

namespace ridge::scenario {

enum class Dependence : std::uint8_t { kIndependent, kConsecutive };

struct IntervalOptions {
  double confidence = 0.95;
  Dependence dependence = Dependence::kConsecutive;
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

struct Effective {
  double queries = 0;       ///< number of independent queries that tell as much
  bool reliable = false;    ///< false: too few to estimate the inflation of the variance
  std::int64_t needed = 0;  ///< queries from which on it is reliable
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

  /// LoadGen's percentile: ascending[floor(n x share)], without an interval. n > 0.
  std::int64_t loadgen_percentile(double share) const;

  /// Mean without the floor(n x cut) lowest and highest: MLModelScope's trimmed mean has cut = 0.2
  /// (Dakkak et al. 2020, section 5.1). NaN without queries.
  double trimmed_mean_ns(double cut = 0.2) const;
  double mean_ns() const;

  /// Returns how much these queries tell about the share above the bound.
  Effective effective(std::int64_t bound_ns, const IntervalOptions& options = {}) const;

  /// Number of queries later than the bound.
  std::int64_t late(std::int64_t bound_ns) const;

 private:
  std::int64_t at(std::int64_t rank) const;  ///< ascending, from 1

  std::vector<std::int64_t> in_order_, ascending_;
};

/// Share of something among queries, with an interval.
struct Share {
  double value = 0;
  stats::Interval interval{0, 1};
  bool reliable = false;  ///< Effective::reliable
};

/// Share of the queries within a bound: the goodput is this share of the rate. The interval is that
/// of Clopper and Pearson 1934 for the effective number of queries (Korn and Graubard).
Share share_within(const Latencies& latencies, std::int64_t bound_ns,
                   const IntervalOptions& options = {});

/// Whether the percentile is within the bound, that is, at least `share` of all queries are: valid
/// and invalid if the whole interval of that share says so.
Verdict judge(const Latencies& latencies, double share, std::int64_t bound_ns,
              const IntervalOptions& options = {});

}  // namespace ridge::scenario
