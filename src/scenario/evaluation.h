// SPDX-License-Identifier: Apache-2.0
// What a load on a model showed: figures with intervals, and whether they count.
//
//   Figures f = figures_of(scenario, load, bound);
//   Validity v = validity_of(scenario, load, f, bound);    // v.reasons: why it does not count
//
// Latencies count from the due time (query.h). Failed queries have none: they are counted,
// and make an evaluation invalid. Plain data; thread rule: pure functions. Cost: one pass and a
// sort.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/percentiles.h"
#include "scenario/phases.h"
#include "scenario/query.h"
#include "scenario/scenario.h"

namespace ridge::scenario {

/// The bound on a percentile of the latency that a server must keep.
struct LatencyBound {
  double percentile = 0.99;
  std::int64_t latency_ns = 0;
};

/// The record of a load, and how it ended.
struct Load {
  std::vector<Query> queries;  ///< ascending by their due time, the warm-up's included
  std::int64_t begun_ns = 0, ended_ns = 0;
  std::int64_t measured_ns = 0;  ///< end of the warm-up; before the begin: there was none
  std::uint64_t abandoned = 0;   ///< queries that were due and not issued
  bool canceled = false;
  std::string failure;  ///< reason for an early end; "": none
};

/// The load with the queries that are selected alone.
Load selected(const Load& load, const std::function<bool(const Query&)>& selects);

/// A number per second, with the interval from the counts in ten equal parts of the time.
struct Rate {
  double per_s = 0;
  std::optional<stats::Interval> interval;  ///< none for too few
};

Rate scaled(Rate rate, double by);

/// How late the generator was, its own fault (Query::late_ns).
struct Lateness {
  static constexpr std::int64_t kLateNs = 20'000;
  std::int64_t median_ns = 0, p99_ns = 0, max_ns = 0;
  double share_late = 0;  ///< later than kLateNs
};

/// Percentiles that are reported.
inline constexpr std::array kPercentiles = {0.5, 0.9, 0.95, 0.97, 0.99, 0.999};

struct Figures {
  std::int64_t queries = 0, failed = 0;
  std::int64_t abandoned = 0;  ///< queries that were due and not issued
  double duration_s = 0;
  double scheduled_per_s = 0;  ///< offered: a server's queries per second as they were due
  Rate completed, samples;
  LatencySummary latency;          ///< kPercentiles, and the bound's
  std::optional<Share> within;     ///< the bound
  std::optional<Verdict> verdict;  ///< on the bound, by judge()
  Lateness lateness;
  Phases phases;
  std::optional<BatchCounts> batches;  ///< with batching
  Warming warming;                     ///< not looked for with batches or a mix
};

/// How queries of a load depend on each other: queries of a server wait in its queue.
Dependence dependence_of(const Scenario& scenario);

/// Returns "p99.9" for 0.999.
std::string percentile_name(double share);

/// Figures of the queries after the warm-up.
Figures figures_of(const Scenario& scenario, const Load& load,
                   const std::optional<LatencyBound>& bound);

enum class State : std::uint8_t { kValid, kInvalid, kUndecided };

struct Validity {
  State state = State::kValid;
  std::vector<std::string> reasons;  ///< sentences; of a valid one, what must be known of it
};

/// A server's generator that was late makes it invalid, unless the bound is met: latencies include
/// the lateness, so they would meet it without.
Validity validity_of(const Scenario& scenario, const Load& load, const Figures& figures,
                     const std::optional<LatencyBound>& bound);

}  // namespace ridge::scenario

namespace ridge {

template <>
struct Words<scenario::State> {
  using State = scenario::State;
  static constexpr std::array list{
      Word{State::kValid, "valid", "the figures count"},
      Word{State::kInvalid, "invalid", "they do not count"},
      Word{State::kUndecided, "undecided", "the queries do not show if the bound is kept"}};
};

}  // namespace ridge
