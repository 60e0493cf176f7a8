// SPDX-License-Identifier: Apache-2.0
// Descriptions of what a load showed (record/describe.h): figures, the search for the largest rate,
// and whether they count.
#pragma once

#include "record/describe.h"
#include "scenario/evaluation.h"
#include "scenario/peak_search.h"
#include "stats/describe.h"

namespace ridge {

namespace scenario {

/// Shares are percentiles in documents: 99 for 0.99.
struct AsPercentile {
  static double out(const double& share) { return share * 100; }
  static double in(double percentile) { return share_of_percentile(percentile); }
};

/// Batches by their number of queries.
struct BatchCount {
  std::uint32_t queries = 0;
  std::int64_t batches = 0;
};
struct AsBatchCounts {
  using Counts = std::map<std::uint32_t, std::int64_t>;
  static std::vector<BatchCount> out(const Counts& counts) {
    std::vector<BatchCount> list;
    for (const auto& [queries, batches] : counts) list.push_back({queries, batches});
    return list;
  }
  static Counts in(const std::vector<BatchCount>& list) {
    Counts counts;
    for (const BatchCount& c : list) counts.emplace(c.queries, c.batches);
    return counts;
  }
};

inline bool undecided(const Peak& peak) { return peak.undecided; }
/// Documents do not have how a search ended, which is needed where it found no rate.
inline void set_undecided(Peak& peak, bool undecided) {
  peak.undecided = undecided;
  peak.end = undecided ? PeakEnd::kBudget : PeakEnd::kNoneValid;
}

}  // namespace scenario

template <>
struct record::Describe<scenario::LatencyBound> {
  using T = scenario::LatencyBound;
  static constexpr std::array fields{
      field<&T::percentile, scenario::AsPercentile>("percentile", "99 for the 99th", known()),
      field<&T::latency_ns>("latency_ns", "latency within which it must be")};
};

template <>
struct record::Describe<scenario::Rate> {
  using T = scenario::Rate;
  static constexpr std::array fields{
      field<&T::per_s>("per_s", "number per second", known()),
      field<&T::interval>("ci95_per_s",
                          "95 % interval from ten equal parts of the time; null where there are "
                          "too few queries")};
};

template <>
struct record::Describe<scenario::Share> {
  using T = scenario::Share;
  static constexpr std::array fields{
      field<&T::value>("value", "share from 0 to 1"),
      field<&T::interval>("ci95", "95 % interval; null where there are too few queries")};
};

template <>
struct record::Describe<scenario::Percentile> {
  using T = scenario::Percentile;
  static constexpr std::array fields{
      field<&T::share, scenario::AsPercentile>("percentile", "99 for the 99th", known()),
      field<&T::value_ns>("value_ns",
                          "order statistic of rank ceil(n p); null without a query that was "
                          "answered",
                          zero_is_null()),
      field<&T::interval>("ci95_ns",
                          "95 % interval, which accounts for queries that wait for each other; "
                          "null where there are too few queries"),
      field<&T::effective>("effective_queries", "number of independent queries that show as much",
                           known()),
      field<&T::needed>("needed_queries", "queries that would be enough for an interval")};
};

template <>
struct record::Describe<scenario::LatencySummary> {
  using T = scenario::LatencySummary;
  static constexpr std::array fields{
      field<&T::mean_ns>("mean_ns", "mean"),
      field<&T::trimmed_mean_ns>("trimmed_mean_ns", "mean without 20 % at each end"),
      field<&T::percentiles>("percentiles",
                             "latency from the due time of a query to its end, failed "
                             "queries left out",
                             item_lines())};
};

template <>
struct record::Describe<scenario::Lateness> {
  using T = scenario::Lateness;
  static constexpr std::array fields{
      field<&T::median_ns>("median_ns", "median"), field<&T::p99_ns>("p99_ns", "99th percentile"),
      field<&T::max_ns>("max_ns", "largest"),
      field<&T::share_late>("share_late", "share later than 20 us", known())};
};

template <>
struct record::Describe<scenario::BatchCount> {
  using T = scenario::BatchCount;
  static constexpr std::array fields{field<&T::queries>("queries", "queries in a batch"),
                                     field<&T::batches>("batches", "number of batches")};
};

template <>
struct record::Describe<scenario::BatchSession> {
  using T = scenario::BatchSession;
  static constexpr std::array fields{
      field<&T::size>("size", "samples in a batch"),
      field<&T::bytes>("bytes", "growth of the process's resident memory by loading it")};
};

template <>
struct record::Describe<scenario::BatchCounts> {
  using T = scenario::BatchCounts;
  static constexpr std::array fields{
      field<&T::mean>("mean_queries", "mean number of queries in a batch", known()),
      field<&T::most>("most_queries", "largest number"),
      field<&T::counts, scenario::AsBatchCounts>("counts", "histogram"),
      field<&T::sessions>("sessions", "loaded beside that of the model")};
};

template <>
struct record::Describe<scenario::Validity> {
  using T = scenario::Validity;
  static constexpr std::array fields{
      field<&T::state>("state", "undecided: the queries do not show if the bound is kept"),
      field<&T::reasons>("reasons", "sentences")};
};

template <>
struct record::Describe<scenario::ProbeRecord> {
  using T = scenario::ProbeRecord;
  using Probe = scenario::Probe;
  using Result = scenario::ProbeResult;
  static constexpr std::array fields{
      field<&T::probe, &Probe::rate>("queries_per_s", "rate", known()),
      field<&T::probe, &Probe::queries>("queries", "number"),
      field<&T::result, &Result::late>("late", "share beyond the bound", known()),
      field<&T::result, &Result::seconds>("seconds", "duration", known())};
};

template <>
struct record::Describe<scenario::Peak> {
  using T = scenario::Peak;
  static constexpr std::array fields{
      field<&T::rate>("queries_per_s", "largest rate that keeps the bound; 0 if none", known()),
      field<&T::estimate>("estimate_per_s", "estimate of the peak from the shares of late queries",
                          known()),
      field<&T::invalid_rate>(
          "invalid_per_s", "smallest rate that does not keep it, or remained undecided; 0 if none",
          known()),
      computed<&scenario::undecided, &scenario::set_undecided>("undecided",
                                                               "invalid_per_s remained undecided"),
      field<&T::seconds>("seconds", "duration of the probes", known()),
      field<&T::probes>("probes", "in order", item_lines())};
};

}  // namespace ridge
